import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SINGLE_PUT_BYTES, type Upload, upload as uploadSchema } from '../../schema/api/upload.ts';
import { type OperationName, operationNames, operations } from '../../schema/operations/index.ts';
import type { Task } from '../../schema/task/task.ts';
import { fixtures } from '../fixtures/make.ts';
import { sampled } from '../sampled.ts';
import { exampleRequest } from './example-request.ts';
import { type Stack, startStack } from './stack.ts';

let stack: Stack;
beforeAll(async () => {
  stack = await startStack(fixtures);
});
afterAll(() => stack.close());

const keyed = () => ({ key: stack.service.accounts.elite.key });

async function answer(response: Response): Promise<Upload> {
  expect([response.status, response.ok ? '' : await response.text()]).toEqual([response.status, '']);
  return uploadSchema.parse(await response.json());
}

async function put(url: string, body: Uint8Array, headers: Record<string, string>): Promise<string> {
  const response = await fetch(url, { method: 'PUT', body, headers });
  expect(response.status).toBe(200);
  return response.headers.get('etag') ?? '';
}

/** Sends a file as a caller does. @returns the source to give to tasks */
async function uploaded(name: string, bytes: Buffer): Promise<string> {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const json = { file_name: name, size_bytes: bytes.length, sha256 };
  const made = await answer(await stack.service.request('/uploads', { json, ...keyed() }));
  const parts: { number: number; etag: string }[] = [];
  if (made.url !== null) await put(made.url, bytes, made.headers);
  let at = 0;
  for (const { number, url, size_bytes } of made.parts) {
    parts.push({ number, etag: await put(url, bytes.subarray(at, at + size_bytes), made.headers) });
    at += size_bytes;
  }
  const body = made.url === null ? { parts } : {};
  const path = `/uploads/${made.id}/complete`;
  const done = await answer(await stack.service.request(path, { json: body, ...keyed() }));
  expect(done).toMatchObject({ status: 'ready', sha256 });
  return `upload:${done.id}`;
}

const fixture = (name: string) => readFile(join(fixtures, name));

async function run(name: OperationName, input: Record<string, unknown>): Promise<Task> {
  const { id } = await stack.service.submit(operations[name].path, input);
  const task = await stack.service.finished(id);
  expect(task.error).toBeNull();
  return task;
}

const sha256Of = (task: Task) => task.output?.sha256;

describe('an upload', () => {
  it('is read as its URL would be, by operations', { timeout: 900_000 }, async () => {
    const [video, still] = [
      await uploaded('speech.mp4', await fixture('speech-wide.mp4')),
      await uploaded('still.png', await fixture('still.png')),
    ];
    const urls = { video: stack.media('speech-wide.mp4'), still: stack.media('still.png') };
    for (const name of sampled(operationNames, 4, 3)) {
      const [from, by] = [
        exampleRequest(name, { video, still }),
        exampleRequest(name, { video: urls.video, still: urls.still }),
      ];
      expect(JSON.stringify(from), name).toContain('upload:upl_');
      const dry = { dry_run: true };
      const [one, other] = [await run(name, { ...from, ...dry }), await run(name, { ...by, ...dry })];
      expect(one.plan, name).toEqual(other.plan);
    }
    const cut = { start: 0.5, duration: 1 };
    const one = await run('cut', { ...cut, video_url: video });
    expect(sha256Of(one)).toBe(sha256Of(await run('cut', { ...cut, video_url: urls.video })));
    expect(one.input.video_url).toBe(video);
  });

  it('is read in lists, in objects of lists, and as captions', async () => {
    const video = await uploaded('speech.mp4', await fixture('speech-wide.mp4'));
    const text = '1\n00:00:00,500 --> 00:00:01,500\nHello world.\n';
    const captions = await uploaded('talk.srt', Buffer.from(text));
    const merged = await run('merge_urls', { urls: [video, { url: video, start: 1, end: 2 }] });
    expect(merged.output?.time_map.map(({ source }) => source)).toEqual([0, 1]);
    const task = await run('captions_auto', { video_url: video, captions_url: captions, outputs: ['srt'] });
    expect(JSON.stringify(task.output?.data)).toContain('world');
  });

  it('in parts is whole', async () => {
    const media = await fixture('speech-wide.mp4');
    // A box that players skip, ISO/IEC 14496-12 section 8.1.2.
    const padding = Buffer.alloc(SINGLE_PUT_BYTES);
    padding.writeUInt32BE(padding.length);
    padding.write('free', 4, 'latin1');
    const video = await uploaded('large.mp4', Buffer.concat([media, padding]));
    const cut = { start: 0.5, duration: 1 };
    const task = await run('cut', { ...cut, video_url: video });
    const small = await run('cut', { ...cut, video_url: stack.media('speech-wide.mp4') });
    expect(sha256Of(task)).toBe(sha256Of(small));
    // It is read by range from the storage.
    expect(Number(task.input.bytes_read)).toBeLessThan(SINGLE_PUT_BYTES / 10);
  });
});
