import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  createReadStream,
  createWriteStream,
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConnectionError, DownloadError, Spool, SpoolError } from '../../../client/src/index.ts';
import { completedTask, json, type StandIn, standIn } from './stand-in.ts';

const bytes = Buffer.from('0123456789');
const task = {
  ...completedTask,
  output: {
    ...completedTask.output,
    files: [
      { role: 'video', file_size: 10, media_type: 'video/mp4' },
      { role: 'captions_srt', file_size: 10, media_type: 'text/plain' },
    ],
  },
};

let folder: string;
let service: StandIn | undefined;
/** How many bytes of the file the service has sent. */
let sent: number;
beforeEach(() => {
  sent = 0;
  folder = mkdtempSync(join(tmpdir(), 'spool-downloads-'));
});
afterEach(() => {
  vi.useRealTimers();
  service?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Downloads to a path from a service that answers each request with the next of these, and the last one from then on. */
async function downloading(...answers: ((response: ServerResponse, from: number) => void)[]) {
  const ranges: number[] = [];
  service = await standIn({
    'GET /task/task_1': json(200, task),
    'GET /task/task_1/download': ({ headers }, response) => {
      const from = Number(/\d+/.exec(headers.range ?? '0')?.[0]);
      ranges.push(from);
      const answer = answers.length > 1 ? answers.shift() : answers[0];
      answer?.(response, from);
    },
  });
  let asking = 0;
  let received = 0;
  const spool = new Spool({
    ...{ baseUrl: service.url, apiKey: 'key', retries: 0 },
    fetch: async (...request) => {
      asking++;
      return fetch(...request).finally(() => asking--);
    },
  });
  const path = join(folder, 'out.mp4');
  const onProgress = (progress: { received: number }) => {
    received = progress.received;
  };
  const download = () =>
    spool.tasks.download('task_1', path, { onProgress }).catch((thrown: unknown) => thrown);
  /** Whether nothing is on its way to the client. */
  const isQuiet = () => asking === 0 && sent > 0 && received === sent;
  return { download, ranges, path, isQuiet };
}

const rest = (response: ServerResponse, from: number) => {
  response.writeHead(from === 0 ? 200 : 206).end(bytes.subarray(from));
  sent = bytes.length;
};
const half = (response: ServerResponse, from: number) =>
  void response
    .writeHead(from === 0 ? 200 : 206, { 'content-length': 10 - from })
    .write(bytes.subarray(from, 5), () => response.destroy());
/** Sends half, and leaves the connection open. */
const stalled = (response: ServerResponse, from: number) => {
  sent = Math.max(from, 5);
  response
    .writeHead(from === 0 ? 200 : 206, { 'content-length': 10 - from })
    .write(bytes.subarray(from, sent));
};
const refused = (status: number) => (response: ServerResponse) => void response.writeHead(status).end('{}');

describe('a download to a stream of Node', () => {
  it.each([
    ['that cannot be opened', () => createWriteStream(join(folder, 'missing/out.mp4'))],
    [
      'that fails at its end',
      () =>
        new Writable({
          write: (_chunk, _encoding, done) => done(),
          final: (done) => done(new Error('full')),
        }),
    ],
  ])('%s fails, and the process goes on', async (_, open) => {
    service = await standIn({
      'GET /task/task_1': json(200, task),
      'GET /task/task_1/download': (_request, response) => void response.end(bytes),
    });
    const spool = new Spool({ baseUrl: service.url, apiKey: 'key', retries: 0 });
    await expect(spool.tasks.download('task_1', open())).rejects.toThrow(/ENOENT|full/);
  });
});

describe('a download to a path', () => {
  it.runIf(process.platform !== 'win32')('at which there is a pipe goes through it', async () => {
    const { download, ranges, path } = await downloading(half, rest);
    execFileSync('mkfifo', [path]);
    const read = text(createReadStream(path));
    const saved = await download();
    // A pipe that was replaced would be read for good.
    if (!lstatSync(path).isFIFO()) throw new Error('the pipe was replaced by a file');
    expect([saved, await read]).toEqual([path, bytes.toString()]);
    expect(ranges).toEqual([0, 5]);
    expect(readdirSync(folder)).toEqual(['out.mp4']);
  });

  it.each([401, 429, 500, 503])('is continued by the next one after an outage with %i', async (status) => {
    const { download, ranges, path } = await downloading(half, refused(status), rest);
    expect(await download()).toMatchObject({ status });
    expect(await download()).toBe(path);
    expect(ranges).toEqual([0, 5, 5]);
    expect(readFileSync(path)).toEqual(bytes);
    expect(readdirSync(folder)).toEqual(['out.mp4']);
  });

  it('is continued by the next one after its connection has ended again and again', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    const line = { works: false };
    const { download, ranges, path } = await downloading((response, from) =>
      line.works ? rest(response, from) : half(response, from),
    );
    let error: unknown;
    const outcome = download().then((value) => {
      error = value;
    });
    await vi.waitUntil(() => error !== undefined || void vi.advanceTimersByTime(1000), { timeout: 10_000 });
    await outcome;
    expect(error).toBeInstanceOf(ConnectionError);
    expect(String(error)).toContain('The connection ended after 5 of 10 bytes.');
    line.works = true;
    expect(await download()).toBe(path);
    expect(ranges.at(-1)).toBe(5);
    expect(readFileSync(path)).toEqual(bytes);
  });

  describe('whose connection stays open without a byte', () => {
    /** Lets minutes pass until the download has ended, but none while the service answers: that has a time limit, too. */
    async function ended({ download, isQuiet }: Awaited<ReturnType<typeof downloading>>): Promise<unknown> {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
      let outcome: { value: unknown } | undefined;
      void download().then((value) => {
        outcome = { value };
      });
      const tick = () => {
        if (isQuiet()) vi.advanceTimersByTime(10_000);
        return outcome !== undefined;
      };
      await vi.waitUntil(tick, { timeout: 10_000 });
      return outcome?.value;
    }

    it('is continued where it stopped', async () => {
      const line = await downloading(stalled, rest);
      expect(await ended(line)).toBe(line.path);
      expect(line.ranges).toEqual([0, 5]);
      expect(readFileSync(line.path)).toEqual(bytes);
    });

    it('ends with an error that says so if that goes on', async () => {
      const line = await downloading(stalled);
      const error = await ended(line);
      expect(error).toBeInstanceOf(ConnectionError);
      expect(String(error)).toContain('The service sent nothing for 60 s after 5 of 10 bytes.');
      expect(line.ranges).toEqual([0, 5, 5, 5, 5, 5]);
    });
  });

  it.each([404, 410, 416])('of a file that is gone leaves nothing (%i)', async (status) => {
    const { download } = await downloading(half, refused(status));
    expect(await download()).toBeInstanceOf(SpoolError);
    expect(readdirSync(folder)).toEqual([]);
  });

  it('that is sent from its start instead of being continued leaves nothing, and can be repeated', async () => {
    const whole = (response: ServerResponse) => void response.writeHead(200).end(bytes);
    const { download, path } = await downloading(half, whole);
    const error = await download();
    expect(error).toBeInstanceOf(DownloadError);
    expect(error).toMatchObject({ retryable: true });
    expect(existsSync(path)).toBe(false);
    expect(await download()).toBe(path);
  });
});

describe('a file other than the main one', () => {
  const sha256 = createHash('sha256').update(bytes).digest('hex');
  const another = createHash('sha256').update('another').digest('hex');

  /** Downloads it from a service that sends the bytes above with this ETag, with what an earlier process had of it. */
  async function downloadingTo(etag: string, had = '') {
    const ranges: (string | undefined)[] = [];
    const download = ({ method, headers }: IncomingMessage, response: ServerResponse) => {
      ranges.push(method === 'HEAD' ? 'HEAD' : headers.range);
      const from = Number(/\d+/.exec(headers.range ?? '0')?.[0]);
      response.writeHead(from === 0 ? 200 : 206, { etag }).end(bytes.subarray(from));
    };
    service = await standIn({
      'GET /task/task_1': json(200, task),
      'GET /task/task_1/download': download,
      'HEAD /task/task_1/download': download,
    });
    const path = join(folder, 'talk.srt');
    if (had !== '') writeFileSync(`${path}.task_1.captions_srt.part`, had);
    const spool = new Spool({ baseUrl: service.url, apiKey: 'key', retries: 0 });
    const saved = await spool.tasks
      .download('task_1', path, { file: 'captions_srt' })
      .catch((thrown: unknown) => thrown);
    return { saved, path, ranges };
  }

  it.each([`"${sha256}"`, `W/"${sha256}"`, `"${another.slice(1)}"`])(
    'is saved if its ETag is its SHA-256, or none: %s',
    async (etag) => {
      const { saved, path, ranges } = await downloadingTo(etag);
      expect(saved).toBe(path);
      expect(readFileSync(path)).toEqual(bytes);
      expect(ranges).toEqual([undefined]);
    },
  );

  it.each([
    ['', [undefined]],
    ['01234', ['bytes=5-']],
    ['0123456789', ['HEAD']],
  ])('is refused if its ETag is another SHA-256, after an earlier process had "%s"', async (had, asked) => {
    const { saved, ranges } = await downloadingTo(`"${another}"`, had);
    expect(saved).toBeInstanceOf(DownloadError);
    expect(String(saved)).toContain('its SHA-256 is another');
    expect(readdirSync(folder)).toEqual([]);
    expect(ranges).toEqual(asked);
  });
});
