import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fixtures } from '../fixtures/make.ts';
import { connect, NEWEST, newest } from '../worker/mcp/connect.ts';
import { type Stack, startStack } from './stack.ts';

interface Result {
  id: string;
  status: string;
  output: { sha256: string; duration: number; width: number; height: number; data: Record<string, unknown> };
  untrusted_text?: { pointers: string[] };
}

interface Link {
  type: string;
  uri: string;
  mimeType: string;
  size: number;
}

let stack: Stack;
beforeAll(async () => {
  stack = await startStack(fixtures);
});
afterAll(() => stack.close());

/** An agent with the official client, which knows the address and a key. */
class Agent {
  readonly client: Client;

  constructor(client: Client) {
    this.client = client;
  }

  async call(name: string, args: Record<string, unknown>) {
    const { isError, content, structuredContent } = await this.client.callTool({ name, arguments: args });
    expect(isError, JSON.stringify(content)).toBeFalsy();
    const links = (content as Link[]).filter(({ type }) => type === 'resource_link');
    return { result: structuredContent as unknown as Result, links };
  }

  /** Starts a task, waits for it once, and downloads what is linked. */
  async make(name: string, args: Record<string, unknown>) {
    const { result } = await this.call(name, args);
    const done = await this.call('get_task', { task_id: result.id, wait_seconds: 45 });
    expect(done.result, JSON.stringify(done.result)).toMatchObject({ status: 'completed' });
    const files = await Promise.all(
      done.links.map(async ({ uri, mimeType, size }) => {
        const response = await fetch(uri);
        expect(response.headers.get('content-type')).toContain(mimeType);
        const bytes = Buffer.from(await response.arrayBuffer());
        expect(bytes.length).toBe(size);
        return bytes;
      }),
    );
    const [main] = files;
    if (!main) throw new Error(`${name} has no file`);
    expect(createHash('sha256').update(main).digest('hex')).toBe(done.result.output.sha256);
    return { ...done.result, files };
  }
}

describe.each([
  ['the handshake of 2025', {}],
  [`revision ${NEWEST}`, newest],
])('an agent with %s', (_, options) => {
  let agent: Agent;
  beforeAll(async () => {
    const { key } = await stack.service.createAccount('elite');
    agent = new Agent(await connect(stack.service, key, options));
  });
  afterAll(() => agent.client.close());

  it('cuts a video, makes the cut vertical, captions it, and gets right files', async () => {
    const cut = await agent.make('cut_video', {
      video_url: stack.media('speech-wide.mp4'),
      start: 0.5,
      duration: 1,
    });
    expect(cut.output.duration).toBeCloseTo(1, 1);
    const tall = await agent.make('crop_video', { video_url: `task:${cut.id}`, aspect_ratio: '9:16' });
    expect(tall.output.width / tall.output.height).toBeCloseTo(9 / 16, 1);
    const words = '1\n00:00:00,100 --> 00:00:00,900\nHello world.\n';
    const captioned = await agent.make('caption_video', { video_url: `task:${tall.id}`, captions: words });
    expect(captioned.files[1]?.toString()).toContain('Hello world.');
    expect(captioned.untrusted_text?.pointers).toEqual(['/output/data/words/*/text']);
  });

  it('uses a file of the disk, and inspects it', async () => {
    const bytes = readFileSync(join(fixtures, 'speech-wide.mp4'));
    const { result: upload } = await agent.call('create_upload', {
      file_name: 'speech.mp4',
      size_bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
    });
    const { url, headers } = upload as unknown as { url: string; headers: Record<string, string> };
    expect((await fetch(url, { method: 'PUT', body: bytes, headers })).status).toBe(200);
    await agent.call('complete_upload', { upload_id: upload.id });
    const probe = await agent.make('inspect_media', { url: `upload:${upload.id}` });
    expect(probe.output.data).toMatchObject({ file_size: bytes.length });
    const last = await agent.make('extract_last_frame', { video_url: `upload:${upload.id}` });
    expect(last.files[0]?.subarray(0, 2).toString('hex')).toBe('ffd8');
  });
});
