import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { lineWriter } from '../../transcoder/process/line-writer.ts';
import { type LocalStore, startObjectStore } from './object-store.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type Samples, startSamples } from './samples.ts';
import { makeJob, startTranscoder } from './transcoder-process.ts';

let samples: Samples;
let local: LocalStore;
let receiver: Receiver;

beforeAll(async () => {
  [samples, local, receiver] = await Promise.all([startSamples(), startObjectStore(), startReceiver()]);
}, 300_000);
afterAll(() => Promise.all([samples.close(), local.close(), receiver.close()]));

const start = () => startTranscoder({ ...local.env, SPOOL_DEV_ORIGINS: samples.url });

function cut() {
  const job = makeJob('cut', { video_url: `${samples.url}/short.mp4`, start: 1.5, duration: 2 }, '');
  return { ...job, callback_url: receiver.url(job.task_id) };
}

describe('a transcoder', { timeout: 180_000 }, () => {
  test('whose log nobody reads any more goes on with its tasks', async () => {
    const transcoder = await start();
    transcoder.child.stdout?.destroy();
    for (let times = 0; times < 2; times++) {
      const job = cut();
      expect((await transcoder.post('/tasks', job)).status).toBe(202);
      await receiver.first(job.task_id, 'completed');
    }
    await transcoder.close();
    expect(await transcoder.exited).toBe(0);
  });

  test('whose log is no longer taken goes on too', async () => {
    const transcoder = await start();
    transcoder.child.stdout?.pause();
    // Each is refused, and logged with where it failed: more than the pipe takes.
    await Promise.all(Array.from({ length: 200 }, () => transcoder.post('/tasks', '{')));
    const job = cut();
    await transcoder.post('/tasks', job);
    await receiver.first(job.task_id, 'completed');
    await transcoder.close();
  });

  test('answers every request target', async () => {
    const transcoder = await start();
    for (const target of ['//', '//a//', '/\\\\', 'http://[', '*', '/%', '?']) {
      const socket = connect(Number(new URL(transcoder.url).port), '127.0.0.1');
      socket.end(`GET ${target} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`);
      expect(await text(socket)).toMatch(/^HTTP\/1\.1 4\d\d/);
    }
    expect((await fetch(`${transcoder.url}/healthz`)).status).toBe(200);
    await transcoder.close();
  });
});

describe('an error that nothing has caught', () => {
  /** Runs this under the policy. */
  async function under(code: string) {
    const file = (name: string) => JSON.stringify(join(import.meta.dirname, '../../transcoder', name));
    const script = `
      import { jsonLog } from ${file('log.ts')};
      import { watchStrayErrors } from ${file('process/stray-errors.ts')};
      watchStrayErrors(jsonLog(), () => process.exit(7));
      const goOn = () => setTimeout(() => process.exit(0), 300);
      ${code}`;
    const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const exited = new Promise((resolve) => child.once('exit', resolve));
    return { said: await text(child.stdout), code: await exited };
  }

  test.each([
    ['EPIPE', `Object.assign(new Error('write'), { code: 'EPIPE' })`],
    ['ECONNRESET', `Object.assign(new Error('read'), { code: 'ECONNRESET' })`],
    ['a closed channel', `Object.assign(new Error('closed'), { code: 'ERR_IPC_CHANNEL_CLOSED' })`],
  ])('of a peer that is gone (%s) is logged, and the process goes on', async (_, error) => {
    const { said, code } = await under(`goOn(); setTimeout(() => { throw ${error}; }, 10);`);
    expect(said).toContain('peer disconnected');
    expect(code).toBe(0);
  });

  test('of a real child whose channel is closed is such a one', async () => {
    const { said, code } = await under(`
      import { spawn } from 'node:child_process';
      const child = spawn(process.execPath, ['-e', ''], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] });
      child.once('exit', () => { goOn(); child.send({}); });`);
    expect(said).toContain('peer disconnected');
    expect(code).toBe(0);
  });

  test('in a promise is logged, and the process goes on', async () => {
    const { said, code } = await under(`goOn(); void Promise.reject(new TypeError('x'));`);
    expect(said).toContain('unhandled rejection');
    expect(code).toBe(0);
  });

  test('of any other kind makes the process leave', async () => {
    const { said, code } = await under(`setTimeout(() => { throw new TypeError('x'); }, 10);`);
    expect(said).toContain('uncaught exception');
    expect(code).toBe(7);
  });
});

describe('a log', () => {
  test('drops what a stalled reader does not take, and says how much it was', async () => {
    const stream = new PassThrough({ highWaterMark: 1 });
    const write = lineWriter(stream);
    for (let line = 0; line < 3000; line++) write(`${'x'.repeat(999)}\n`);
    expect(stream.writableLength + stream.readableLength).toBeLessThan(1_100_000);
    stream.resume();
    await expect.poll(() => stream.writableLength).toBe(0);
    const lines: string[] = [];
    stream.on('data', (chunk: Buffer) => lines.push(chunk.toString()));
    write('after\n');
    await expect.poll(() => lines.at(-1)).toBe('after\n');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      message: 'log lines dropped',
      lines: expect.any(Number),
    });
  });

  test('survives a stream that fails at every write', async () => {
    const stream = new Writable({ autoDestroy: false, write: (_, __, done) => done(new Error('EPIPE')) });
    const write = lineWriter(stream);
    for (let line = 0; line < 3; line++) {
      write('a\n');
      await new Promise((resolve) => setImmediate(resolve));
    }
  });
});
