import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Client } from '@modelcontextprotocol/client';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { resultOf } from '../stand-in.ts';
import { closeStand, mp4, put, service, startStand, transcoder } from '../uploads/stand.ts';
import { connect } from './connect.ts';
import { jobs } from './jobs.ts';

let client: Client;
let working = true;
let finishing: Promise<void>;
const ajv = new Ajv2020({ strict: false });

/** Completes every task that reaches a machine. */
async function finishAll(): Promise<void> {
  const done = new Set<string>();
  while (working) {
    for (const job of transcoder.jobs.filter(({ task_id }) => !done.has(task_id))) {
      done.add(job.task_id);
      await transcoder.report(job, { type: 'completed', result: resultOf(job, 'x') });
    }
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

beforeAll(async () => {
  await startStand();
  const { key } = await service.createAccount('elite');
  client = await connect(service, key);
  finishing = finishAll();
});
afterAll(async () => {
  working = false;
  await finishing;
  await client?.close();
  await closeStand();
});

async function call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
  const result = await client.callTool({ name, arguments: args });
  expect(result.isError, JSON.stringify(result.content)).toBeFalsy();
  return result.structuredContent as Record<string, unknown>;
}

/** A file of the disk as a source: two calls, and one request to the storage. */
async function uploaded(): Promise<string> {
  const bytes = mp4();
  const made = await call('create_upload', { file_name: 'talk.mp4', size_bytes: bytes.length });
  expect(made.next_step).toContain(`curl -gfsS -T 'talk.mp4'`);
  const sent = await put(String(made.url), bytes, made.headers as Record<string, string>);
  expect(sent.status).toBe(200);
  const { id } = await call('complete_upload', { upload_id: made.id });
  return `upload:${id}`;
}

const filled = (args: Record<string, unknown>, names: Record<string, string>) =>
  JSON.parse(
    JSON.stringify(args).replace(/"(FIRST|FILE)"/g, (_, name: string) => JSON.stringify(names[name])),
  ) as Record<string, unknown>;

describe('a file of the disk', () => {
  it.each(['Talk [dQw] {1,2}.mp4', "Ada's talk [1-3].mp4", '-o talk?#%20.mp4'])(
    'is sent by the command of create_upload: %s',
    async (file_name) => {
      const folder = await mkdtemp(join(tmpdir(), 'spool-pasted-'));
      const bytes = mp4();
      await writeFile(join(folder, file_name), bytes);
      const made = await call('create_upload', { file_name, size_bytes: bytes.length });
      const command = /^curl .*$/m.exec(String(made.next_step))?.[0] ?? '';
      await promisify(execFile)('bash', ['-c', command], { cwd: folder });
      await rm(folder, { recursive: true });
      const { status } = await call('complete_upload', { upload_id: made.id });
      expect(status).toBe('ready');
    },
  );
});

describe('a job in plain words', () => {
  it('is one of forty, half of which need an upload or two tools', () => {
    expect(jobs).toHaveLength(40);
    expect(jobs.filter(({ upload, calls }) => upload || calls.length > 1)).toHaveLength(20);
  });

  it.each(jobs)(
    '"$job" is done by the calls that were expected, with one wait',
    async ({ calls, upload }) => {
      const { tools } = await client.listTools();
      const names: Record<string, string> = upload ? { FILE: await uploaded() } : {};
      let id = '';
      for (const { tool, args } of calls) {
        const listed = tools.find(({ name }) => name === tool);
        if (!listed) throw new Error(`no tool ${tool}`);
        const given = filled(args, names);
        // The first try: what the list says is enough, and describe_operation is not needed.
        for (const field of Object.keys(given)) expect(listed.inputSchema.properties).toHaveProperty(field);
        expect(ajv.validate(listed.inputSchema, given), ajv.errorsText()).toBe(true);
        // The second call does not wait for the first: its task does, in line.
        id = String((await call(tool, given)).id);
        names.FIRST = `task:${id}`;
      }
      const ended = await call('get_task', { task_id: id, wait_seconds: 45 });
      expect(ended).toMatchObject({
        status: 'completed',
        next_step: expect.stringContaining('output.file_url'),
      });
    },
  );
});
