import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commands } from '../../client/cli/printed/commands.ts';
import { verifyWebhook } from '../../client/src/index.ts';
import { operations } from '../../schema/operations/index.ts';
import { task as taskSchema } from '../../schema/task/task.ts';
import { exampleOf, type Service, sleep, startService } from '../harness.ts';

let service: Service;
let folder: string;
/** The command line in one file, as the package has it: hundreds of starts would each load and strip all of its sources. */
let cli: string;

/** The first bytes of a file of each kind; uploads are recognized by them. Zeros follow, or spaces in text. */
const beginnings: Record<string, Buffer> = {
  mp4: Buffer.from('000000186674797069736f6d0000020069736f6d69736f32', 'hex'),
  mov: Buffer.from('0000001466747970717420200000000071742020', 'hex'),
  m4a: Buffer.from('00000018667479704d344120000000004d34412069736f6d', 'hex'),
  mp3: Buffer.from('49443303000000000000fffb9064', 'hex'),
  wav: Buffer.from('524946462400000057415645666d7420', 'hex'),
  jpg: Buffer.from('ffd8ffe000104a46494600010100000100010000', 'hex'),
  png: Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'),
  vtt: Buffer.from('WEBVTT\n\n00:00.000 --> 00:01.000\nHello.\n'),
  srt: Buffer.from('1\n00:00:00,000 --> 00:00:01,000\nHello.\n'),
  json: Buffer.from('{"words": []}'),
};
const texts = ['vtt', 'srt', 'json'];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'spool-help-'));
  cli = join(folder, 'spool.mjs');
  await build({
    ...({ bundle: true, format: 'esm', platform: 'node', target: 'es2022', logLevel: 'warning' } as const),
    ...{ entryPoints: [join(import.meta.dirname, '../../client/cli/main.ts')], outfile: cli },
  });
  // Nothing listens there: tasks stay in line, which is all that these tests need.
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9' });
});
afterAll(async () => {
  await service.close();
  rmSync(folder, { recursive: true, force: true });
});

const environment = (key: string) => ({
  ...{ PATH: process.env.PATH, HOME: folder, XDG_CONFIG_HOME: join(folder, 'config') },
  ...{ SPOOL_URL: service.url.origin, SPOOL_API_KEY: key },
});

/** Runs a line of a shell in which `spool` is the program. */
async function shell(line: string, env: Record<string, string | undefined>) {
  const script = `spool() { '${process.execPath}' '${cli}' "$@"; }\n${line}`;
  return promisify(execFile)('bash', ['-c', script], { cwd: folder, env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    (error: { code: number; stdout: string; stderr: string }) => error,
  );
}

const key = async () => (await service.createAccount('elite')).key;

describe.each(commands)('spool $name', ({ name, path, examples }) => {
  it('has help whose examples the service accepts', async () => {
    const own = environment(await key());
    const { stdout: help } = await shell(`spool ${name} --help`, own);
    const { operation } = { operation: Object.values(operations).find((one) => one.path === path) };
    expect(examples).toHaveLength(operation?.examples.length ?? 0);
    for (const { line } of examples) {
      expect(help).toContain(line);
      for (const [file, extension = ''] of line.matchAll(/[\w-]+\.(\w{3,4})\b/g)) {
        const content = beginnings[extension];
        if (content && !existsSync(join(folder, file)))
          writeFileSync(
            join(folder, file),
            Buffer.concat([content, Buffer.alloc(4096, texts.includes(extension) ? ' ' : 0)]),
          );
      }
      const { code, stdout, stderr } = await shell(`${line} --no-wait --json`, own);
      expect([line, code, stderr]).toEqual([line, 0, '']);
      expect(taskSchema.parse(JSON.parse(stdout))).toMatchObject({
        operation: operation?.name,
        status: 'queued',
      });
    }
  });
});

describe('the command line', () => {
  it('keeps the key in a file that only its owner can read, and sends it to no other service', async () => {
    const { SPOOL_API_KEY, SPOOL_URL, ...bare } = environment(await key());
    const without = await shell('spool usage', { ...bare, SPOOL_URL });
    expect([without.code, without.stderr]).toEqual([4, expect.stringContaining('spool login')]);
    const login = await shell(`echo ${SPOOL_API_KEY} | spool login --url ${SPOOL_URL}`, bare);
    expect(login).toMatchObject({ code: 0, stdout: expect.stringContaining('plan elite') });
    const file = join(folder, 'config/spool/login.json');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await shell('spool usage', bare)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('elite'),
    });
    expect((await shell('spool usage', { ...bare, SPOOL_URL: 'http://127.0.0.1:9' })).code).toBe(4);
    expect((await shell('echo wrong | spool login', bare)).code).toBe(4);
    await shell('spool logout', bare);
    expect(existsSync(file)).toBe(false);
  });

  it('ends with codes that scripts can use, and shows what to fix and where it is explained', async () => {
    const own = environment(await key());
    const url = 'https://media.example.com/talk.mp4';
    const refused = await shell(`spool cut ${url} --start 9 --end 4`, own);
    expect(refused).toMatchObject({ code: 3, stdout: '' });
    expect(refused.stderr).toContain('--end: must be greater than `start`');
    expect(refused.stderr).toContain(`${service.url.origin}/docs/errors/validation_failed`);
    const inJson = await shell(`spool cut ${url} --start 9 --end 4 --json`, own);
    expect(JSON.parse(inJson.stderr)).toMatchObject({
      error: { code: 'validation_failed', fields: [{ flag: '--end' }] },
    });
    expect((await shell(`spool cut ${url} --end 4`, { ...own, SPOOL_API_KEY: 'wrong' })).code).toBe(4);
    expect((await shell('spool cut nothing.mp4 --end 4', own)).code).toBe(2);
    expect(await shell('spool ctu', own)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"cut"'),
    });
    expect((await shell(`spool wait task_${'0'.repeat(26)}`, own)).code).toBe(3);
    const basic = environment((await service.createAccount('basic')).key);
    expect((await shell('spool separate https://media.example.com/a.mp3', basic)).code).toBe(4);
  });

  it('lists, opens and deletes tasks, and says what was used', async () => {
    const account = await service.createAccount('elite');
    const own = environment(account.key);
    const { id } = await service.submit('/cut', exampleOf(operations.cut), account.key);
    const { stdout } = await shell('spool tasks --status queued', own);
    expect(stdout).toMatch(new RegExp(`^ID +OPERATION +STATUS +CREATED\\n${id} +cut +queued +`));
    expect(JSON.parse((await shell('spool tasks --json', own)).stdout)).toHaveLength(1);
    const opened = await shell(`spool open ${id}`, own);
    expect(opened.stdout).toBe(`${service.url.origin}/app/${account.id}/tasks/${id}\n`);
    expect((await shell('spool usage --json', own)).stdout).toContain('"object": "usage"');
    expect(await shell(`spool rm ${id}`, own)).toMatchObject({ code: 0, stdout: `${id} is deleted\n` });
    expect((await shell(`spool rm ${id}`, own)).code).toBe(3);
  });

  it('forwards an event for every task that ends while it listens, signed with the secret of the account', async () => {
    const account = await service.createAccount('elite');
    const own = environment(account.key);
    const received: Promise<unknown>[] = [];
    const { secret } = (await (await service.request('/webhooks/secret', { key: account.key })).json()) as {
      secret: string;
    };
    const server = createServer(async (request, response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of request) chunks.push(chunk);
      received.push(verifyWebhook({ headers: request.headers, body: Buffer.concat(chunks) }, secret));
      response.writeHead(204).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const receiver = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const end = async (id: string) => {
      const { DB } = await service.bindings();
      const error = JSON.stringify({ code: 'worker_lost', detail: 'Ended.', stage: 'rendering' });
      await DB.prepare("update tasks set status = 'failed', error = ?, completed_at = ? where id = ?")
        .bind(error, Date.now(), id)
        .run();
    };
    const before = await service.submit('/cut', exampleOf(operations.cut), account.key);
    const old = await service.submit('/cut', exampleOf(operations.cut), account.key);
    await end(old.id);
    const listening = spawn(process.execPath, [cli, 'listen', receiver], { cwd: folder, env: own });
    let [stdout, stderr] = ['', ''];
    listening.stdout.on('data', (text: Buffer) => (stdout += text));
    listening.stderr.on('data', (text: Buffer) => (stderr += text));
    await expect.poll(() => stderr).toContain('Listening');
    const after = await service.submit('/cut', exampleOf(operations.cut), account.key);
    await end(after.id);
    await end(before.id);
    await expect.poll(() => stdout.match(/204$/gm)).toHaveLength(2);
    // Another question to the service finds nothing new.
    await sleep(2500);
    listening.kill('SIGINT');
    expect(await once(listening, 'close')).toEqual([0, null]);
    server.close();
    const events = (await Promise.all(received)) as { type: string; data: { object: { id: string } } }[];
    expect(events.map(({ data }) => data.object.id).sort()).toEqual([before.id, after.id].sort());
    expect(events.map(({ type }) => type)).toEqual(['task.failed', 'task.failed']);
    expect(stdout).toContain(`task.failed  ${after.id}  204`);
  });

  it('completes commands, flags and values in bash', async () => {
    const complete = async (...words: string[]) => {
      const quoted = words.map((word) => `'${word}'`).join(' ');
      const { stdout, stderr } = await shell(
        `source <(spool completion bash); COMP_WORDS=(spool ${quoted}); COMP_CWORD=${words.length}; _spool; echo "\${COMPREPLY[@]}"`,
        environment(''),
      );
      expect(stderr).toBe('');
      return stdout.trim().split(' ');
    };
    expect(await complete('fra')).toEqual(['frame-last', 'frame']);
    expect(await complete('cut', '--fade')).toEqual(['--fade-in', '--fade-out']);
    expect(await complete('cut', '--mode', 'k')).toEqual(['keyframe']);
  });

  it.each(['zsh', 'fish'])('prints a completion for %s that names every command and flag', async (name) => {
    const { stdout } = await shell(`spool completion ${name}`, environment(''));
    for (const { name: command, flags } of commands) {
      expect(stdout).toContain(command);
      for (const { field } of flags) expect(stdout).toContain(field.replaceAll('_', '-'));
    }
  });

  it('runs the service from a clone, and otherwise says how to get one', async () => {
    const { code, stderr } = await shell('spool dev', environment(''));
    expect([code, stderr]).toEqual([2, expect.stringContaining('npm start')]);
    const inClone = await shell(`cd '${join(import.meta.dirname, '..')}'; spool dev --help`, environment(''));
    expect(inClone.stdout).toContain('spool dev');
  });
});
