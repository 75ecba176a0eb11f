import { createHash } from 'node:crypto';
import {
  copyFileSync,
  mkdtempSync,
  openAsBlob,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer, request as forward, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  localFile,
  NotFoundError,
  type Progress,
  RequestError,
  Spool,
  TaskFailedError,
} from '../../../client/src/index.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { fixtures } from '../../fixtures/make.ts';
import { sleep } from '../../harness.ts';
import { type Stack, startStack } from '../stack.ts';

let stack: Stack;
let spool: Spool;
let folder: string;
const plain = join(fixtures, 'plain.mp4');

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'spool-client-'));
  stack = await startStack(fixtures);
  spool = new Spool({ baseUrl: stack.service.url.origin, apiKey: stack.service.accounts.elite.key });
});
afterAll(async () => {
  await stack?.close();
  rmSync(folder, { recursive: true, force: true });
});

const at = (name: string) => join(folder, name);
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

async function uploadsLeft(): Promise<number> {
  let count = 0;
  for await (const upload of spool.uploads.list()) count += upload.status === 'ready' ? 1 : 0;
  return count;
}

describe('the client', () => {
  it('uploads a file on disk, cuts it, tells the progress and saves exactly the frames asked for', async () => {
    const seen: Progress[] = [];
    const out = await spool.cut({ video_url: localFile(plain), start: 1, duration: 1.5 }).wait({
      onProgress: (progress) => seen.push(progress),
    });
    expect(seen[0]).toMatchObject({ status: 'uploading', task: null });
    expect(seen.at(-1)).toMatchObject({ status: 'completed', stage: 'done', percent: 100 });
    const percents = seen.filter(({ status }) => status !== 'uploading').map(({ percent }) => percent);
    expect(percents).toEqual([...percents].sort((a, b) => a - b));
    expect(out.data.copied_seconds + out.data.rendered_seconds).toBeCloseTo(1.5, 1);
    expect(await out.download(at('cut.mp4'))).toBe(at('cut.mp4'));
    expect(sha256(readFileSync(at('cut.mp4')))).toBe(out.output.sha256);
    const all = await readNumbers(plain);
    const fps = out.output.fps ?? 0;
    expect(await readNumbers(at('cut.mp4'))).toEqual(all.slice(Math.round(fps), Math.round(fps * 2.5)));
    // What it has uploaded by itself, it deletes.
    await expect.poll(uploadsLeft).toBe(0);
  });

  it('takes a Blob, a File and an earlier upload, and sends each once however often the request has it', async () => {
    const blob = await openAsBlob(plain);
    const upload = await spool.uploads.create(
      new File([new Uint8Array(await blob.arrayBuffer())], 'mine.mp4', { type: 'video/mp4' }),
    );
    expect(upload).toMatchObject({ status: 'ready', file_name: 'mine.mp4' });
    const sent: number[] = [];
    const out = await spool
      .mergeUrls({ urls: [blob, { url: blob, start: 1, end: 2 }, `upload:${upload.id}`] })
      .wait({ onProgress: ({ status, percent }) => status === 'uploading' && sent.push(percent) });
    expect(sent).toEqual([0, 100]);
    expect(out.output.duration).toBeGreaterThan(2);
    expect(await spool.uploads.get(upload.id)).toMatchObject({ status: 'ready' });
    await spool.uploads.delete(upload.id);
    await expect(spool.uploads.get(upload.id)).rejects.toThrow(NotFoundError);
  });

  it('sends a file over 100 MB in parts', async () => {
    const path = at('large.mp4');
    // What follows the last box of a file is not read.
    writeFileSync(path, Buffer.concat([readFileSync(plain), Buffer.alloc(101_000_000)]));
    const sent: number[] = [];
    const upload = await spool.uploads.create(localFile(path), {
      onProgress: (progress) => sent.push(progress.sent),
    });
    expect(upload.status).toBe('ready');
    expect(sent.length).toBeGreaterThan(2);
    expect(sent.at(-1)).toBe(upload.size_bytes);
    await spool.uploads.delete(upload.id);
  });

  it('ends an upload when it is aborted, and leaves nothing of it', async () => {
    const controller = new AbortController();
    const task = spool.cut(
      { video_url: localFile(at('large.mp4')), duration: 1 },
      { signal: controller.signal },
    );
    const onProgress = ({ percent }: Progress) => percent > 0 && controller.abort();
    await expect(task.wait({ onProgress })).rejects.toThrow(/abort/i);
    const left = async () => {
      const names: string[] = [];
      for await (const upload of spool.uploads.list()) names.push(upload.status);
      return names;
    };
    await expect.poll(left).toEqual([]);
  });

  it('ends the waiting when it is aborted; the task runs on until it is deleted', async () => {
    const task = spool.transcode({ video_url: stack.media('pauses.mp4'), height: 360 });
    const { id } = await task;
    const started = Date.now();
    await expect(task.wait({ signal: AbortSignal.timeout(1500) })).rejects.toThrow(/timeout/i);
    expect(Date.now() - started).toBeLessThan(10_000);
    expect(['queued', 'processing']).toContain((await spool.tasks.get(id)).status);
    await task.delete();
    await expect(spool.tasks.get(id)).rejects.toThrow(NotFoundError);
    await task.delete();
  });

  it('gives the result to a stream of Node, a web stream, as a Blob and as a stream', async () => {
    const out = await spool.frameLast({ video_url: stack.media('plain.mp4') }).wait();
    const { sha256: expected } = out.output;
    const nodeChunks: Uint8Array[] = [];
    const node = new Writable({
      write(chunk, _, done) {
        nodeChunks.push(chunk);
        done();
      },
    });
    await out.download(node);
    const webChunks: Uint8Array[] = [];
    await out.download(new WritableStream({ write: (chunk) => void webChunks.push(chunk) }));
    const blob = await out.blob();
    const streamed = await new Response(out.stream()).arrayBuffer();
    expect(blob.type).toBe('image/jpeg');
    for (const bytes of [Buffer.concat(nodeChunks), Buffer.concat(webChunks)])
      expect(sha256(bytes)).toBe(expected);
    expect(sha256(new Uint8Array(await blob.arrayBuffer()))).toBe(expected);
    expect(sha256(new Uint8Array(streamed))).toBe(expected);
  });

  it('saves every file into a folder, under its own name, and knows no other roles', async () => {
    const out = await spool.frame({ video_url: stack.media('plain.mp4'), count: 3 }).wait();
    for (const { role } of out.output.files) await out.download(at('frames/'), { file: role });
    const sizes = readdirSync(at('frames')).map((name) => readFileSync(at(`frames/${name}`)).length);
    expect(sizes.sort()).toEqual(out.output.files.map(({ file_size }) => file_size).sort());
    expect(readdirSync(at('frames')).every((name) => name.endsWith('.jpg'))).toBe(true);
    expect(() => out.download(at('x'), { file: 'nothing' })).toThrow(/It has: /);
  });

  it('says why a request or a task has failed', async () => {
    const refused = await spool
      .cut({ video_url: stack.media('plain.mp4'), start: 4, end: 2 })
      .wait()
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(RequestError);
    expect(refused).toMatchObject({ code: 'validation_failed', errors: [{ pointer: '/end' }] });
    const failed = await spool
      .cut({ video_url: stack.media('sound.mp3'), duration: 1 })
      .wait()
      .catch((error: unknown) => error);
    expect(failed).toBeInstanceOf(TaskFailedError);
    expect(failed).toMatchObject({ code: 'source_no_video', fault: 'source', task: { status: 'failed' } });
  });

  it('plans a dry run, lists tasks page by page, and shows the account and what it used', async () => {
    const planned = await spool
      .cut({ video_url: stack.media('plain.mp4'), duration: 1, dry_run: true })
      .wait();
    expect(planned.plan.duration).toBeCloseTo(1, 1);
    const ids: string[] = [];
    for await (const { id } of spool.tasks.list({ limit: 2 })) ids.push(id);
    expect(ids.length).toBeGreaterThan(5);
    expect(ids).toEqual([...new Set(ids)].sort().reverse());
    expect((await spool.tasks.list({ operation: 'frame' }).page()).data).toHaveLength(1);
    expect(await spool.account()).toMatchObject({ plan: 'elite' });
    expect((await spool.usage()).totals.completed).toBeGreaterThan(3);
  });
});

describe('a download', () => {
  /** A proxy that ends each download after some bytes, as a bad line does. */
  async function badLine(
    bytes: number,
  ): Promise<{ server: Server; baseUrl: string; ranges: (string | undefined)[] }> {
    const ranges: (string | undefined)[] = [];
    const server = createServer((incoming, outgoing) => {
      const target = new URL(incoming.url ?? '', stack.service.url);
      const options = { method: incoming.method, headers: incoming.headers };
      const isDownload = target.pathname.endsWith('/download');
      if (isDownload) ranges.push(incoming.headers.range);
      const onward = forward(target, options, (response) => {
        outgoing.writeHead(response.statusCode ?? 502, response.headers);
        let sent = 0;
        response.on('data', (chunk: Buffer) => {
          const rest = isDownload ? chunk.subarray(0, bytes - sent) : chunk;
          sent += rest.length;
          outgoing.write(rest, () => isDownload && sent >= bytes && outgoing.destroy());
        });
        response.on('end', () => outgoing.end());
      });
      onward.on('error', () => outgoing.destroy());
      incoming.pipe(onward);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    return { server, ranges, baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
  }

  it('whose connection breaks is continued where it broke, to disk and into a stream', async () => {
    const { id, output } = await spool.transcode({ video_url: stack.media('plain.mp4') }).wait();
    const { server, baseUrl, ranges } = await badLine(Math.ceil(output.file_size / 4) + 1);
    try {
      const far = new Spool({ baseUrl, apiKey: stack.service.accounts.elite.key });
      await far.tasks.download(id, at('broken.mp4'));
      expect(sha256(readFileSync(at('broken.mp4')))).toBe(output.sha256);
      // What was on its way when the line broke is sent again.
      expect(ranges.length).toBeGreaterThanOrEqual(4);
      const starts = ranges.map((range) => Number(/\d+/.exec(range ?? '0')?.[0]));
      expect(starts).toEqual([...new Set(starts)].sort((a, b) => a - b));
      const { stream } = { stream: (await far.tasks.wait(id)).stream() };
      const chunks: Buffer[] = [];
      for await (const chunk of Readable.fromWeb(stream as never)) chunks.push(chunk);
      expect(sha256(Buffer.concat(chunks))).toBe(output.sha256);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('that another process has begun is continued, and one that is damaged is refused', async () => {
    const { id, output } = await spool.transcode({ video_url: stack.media('plain.mp4') }).wait();
    await spool.tasks.download(id, at('whole.mp4'));
    const whole = readFileSync(at('whole.mp4'));
    const half = Math.floor(whole.length / 2);
    const partial = at(`again.mp4.${id}.${output.files[0]?.role}.part`);
    writeFileSync(partial, whole.subarray(0, half));
    const received: number[] = [];
    await spool.tasks.download(id, at('again.mp4'), {
      onProgress: (progress) => received.push(progress.received),
    });
    expect(received[0]).toBeGreaterThan(half);
    expect(readFileSync(at('again.mp4'))).toEqual(whole);
    writeFileSync(partial, Buffer.alloc(half));
    await expect(spool.tasks.download(id, at('again.mp4'))).rejects.toThrow(/damaged/);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toEqual([]);
    copyFileSync(at('whole.mp4'), partial);
    await spool.tasks.download(id, at('again.mp4'));
    expect(readFileSync(at('again.mp4'))).toEqual(whole);
  });

  it('ends when it is aborted, and can be continued', async () => {
    const sound = { video_url: stack.media('pauses.mp4'), audio_only: true, format: 'wav' } as const;
    const { id, output } = await spool.transcode(sound).wait();
    const controller = new AbortController();
    const options = { signal: controller.signal, onProgress: () => controller.abort() };
    await expect(spool.tasks.download(id, at('later.mp4'), options)).rejects.toThrow(/abort/i);
    await sleep(100);
    expect(readdirSync(folder).filter((name) => name.endsWith('.part'))).toHaveLength(1);
    await spool.tasks.download(id, at('later.mp4'));
    expect(sha256(readFileSync(at('later.mp4')))).toBe(output.sha256);
  });
});
