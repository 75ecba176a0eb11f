import { readdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { plans } from '../../schema/api/plans.ts';
import { type Job, taskLimits } from '../../schema/task/wire.ts';
import { thorough } from '../sampled.ts';
import { type LocalStore, startObjectStore } from './object-store.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type Samples, startSamples } from './samples.ts';
import { makeSmallDisk, noSmallDisk } from './small-disk.ts';
import { type Origin, startOrigin } from './sources/origin.ts';
import { isEncoder, makeJob, startTranscoder, type TranscoderProcess } from './transcoder-process.ts';

const MB = 1_000_000;
const DISK = 200 * MB;

let samples: Samples;
let local: LocalStore;
let receiver: Receiver;
/** Sends an endless mp4, 33 MB a second, that announces no length, and gives no parts. */
let endless: Origin;
let disk: ReturnType<typeof makeSmallDisk>;
let transcoder: TranscoderProcess;

beforeAll(async () => {
  [samples, local, receiver] = await Promise.all([startSamples(), startObjectStore(), startReceiver()]);
  endless = await startOrigin((request, response) => {
    response.writeHead(200, { 'content-type': 'video/mp4' });
    response.write(Buffer.from('\0\0\0\x18ftypisom\0\0\0\0isom\0\0\0\0\x7f\0\0\0mdat', 'latin1'));
    const timer = setInterval(() => response.write(Buffer.alloc(MB)), 30);
    request.on('close', () => {
      clearInterval(timer);
      response.destroy();
    });
  });
}, 300_000);
afterAll(() => Promise.all([samples.close(), local.close(), receiver.close(), endless.close()]));

beforeEach(async () => {
  if (noSmallDisk) return;
  disk = makeSmallDisk(DISK);
  transcoder = await startTranscoder({
    ...{ ...local.env, WORK_DIR: disk.path, SPOOL_DEV_ORIGINS: `${samples.url},${endless.url}` },
  });
});
afterEach(async () => {
  if (noSmallDisk) return;
  await transcoder.close().catch(() => undefined);
  disk.remove();
});

type Asked = Parameters<typeof makeJob>[0];

async function submit(
  operation: Asked,
  input: Record<string, unknown>,
  extra: Partial<Job> = {},
): Promise<Job> {
  const job = makeJob(operation, input, '', extra);
  const sent = { ...job, callback_url: receiver.url(job.task_id) };
  expect((await transcoder.post('/tasks', sent)).status).toBe(202);
  return sent;
}

const failureOf = async (job: Job) => (await receiver.first(job.task_id, 'failed')).failure;
const jobsIn = (path: string) => readdirSync(path).filter((name) => name.startsWith('spool-job-'));
const freeBytes = () => {
  const { bavail, bsize } = statfsSync(disk.path);
  return bavail * bsize;
};
/** Writes until so many bytes are free. Others write too, so that it may find the disk full before. */
function fill(leave: number): void {
  try {
    writeFileSync(join(disk.path, 'filler'), Buffer.alloc(Math.max(0, freeBytes() - leave)));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
const stored = async ({ output_prefix }: Job) =>
  (await local.bucket.list()).objects.filter(({ key }) => key.startsWith(output_prefix));

async function nothingIsLeftOf(job: Job): Promise<void> {
  await expect.poll(() => jobsIn(disk.path), { timeout: 10_000 }).toEqual([]);
  expect(await stored(job)).toEqual([]);
  expect(transcoder.descendants()).toEqual([]);
}

const cut = (): [Asked, Record<string, unknown>] => [
  'cut',
  { video_url: `${samples.url}/short.mp4`, start: 1.5, duration: 2 },
];
const large = (): [Asked, Record<string, unknown>] => [
  'transcode',
  {
    ...{ video_url: `${samples.url}/long.mp4`, format: 'mp4' },
    quality: { video_bitrate_kbps: 40_000 },
  },
];

describe.skipIf(noSmallDisk)(`a disk that is full${noSmallDisk ? ` (${noSmallDisk})` : ''}`, () => {
  test('before a task begins makes it out_of_disk at once, and a good task follows once there is room', async () => {
    fill(8 * MB);
    const job = await submit(...cut());
    expect(await failureOf(job)).toMatchObject({ code: 'out_of_disk', stage: 'fetching' });
    await nothingIsLeftOf(job);
    rmSync(join(disk.path, 'filler'));
    const good = await submit(...cut());
    await receiver.first(good.task_id, 'completed');
  });

  test('while a source is fetched', async () => {
    const job = await submit('probe', { url: `${endless.url}/endless.mp4` });
    expect(await failureOf(job)).toMatchObject({ code: 'out_of_disk', stage: 'fetching' });
    await nothingIsLeftOf(job);
  });

  test('while a result is rendered', { timeout: 240_000 }, async () => {
    const job = await submit(...large());
    await expect.poll(() => transcoder.descendants().some(isEncoder), { timeout: 120_000 }).toBe(true);
    fill(0);
    expect(await failureOf(job)).toMatchObject({ code: 'out_of_disk', stage: 'rendering' });
    await nothingIsLeftOf(job);
  });

  thorough('while a result is stored does not matter: nothing is written then', async () => {
    const job = await submit(...cut());
    await expect
      .poll(
        () =>
          receiver
            .received(job.task_id)
            .some(({ report }) => report.type === 'progress' && report.stage === 'uploading'),
        { timeout: 60_000, interval: 2 },
      )
      .toBe(true);
    fill(0);
    await receiver.first(job.task_id, 'completed');
    expect(await stored(job)).toHaveLength(1);
    await expect.poll(() => jobsIn(disk.path), { timeout: 10_000 }).toEqual([]);
  });
});

describe.skipIf(noSmallDisk)(`the estimate${noSmallDisk ? ` (${noSmallDisk})` : ''}`, () => {
  thorough('refuses a result that is far too large for the disk before anything of it is made', async () => {
    fill(40 * MB);
    const job = await submit('transcode', {
      video_url: `${samples.url}/long.mp4`,
      format: 'webm',
      codec: 'vp9',
    });
    const failure = await failureOf(job);
    expect(failure).toMatchObject({ code: 'out_of_disk' });
    await nothingIsLeftOf(job);
  });
});

describe.skipIf(noSmallDisk)(`the files of one task${noSmallDisk ? ` (${noSmallDisk})` : ''}`, () => {
  const within = (work_bytes: number) => ({ limits: taskLimits.parse({ ...plans.basic, work_bytes }) });

  test('end it as source_too_large where its sources alone are more than the plan allows', async () => {
    const job = await submit('probe', { url: `${endless.url}/endless.mp4` }, within(5 * MB));
    expect(await failureOf(job)).toMatchObject({ code: 'source_too_large', stage: 'fetching' });
    await nothingIsLeftOf(job);
  });

  test('end it as output_too_large where what it makes is more', async () => {
    const [operation, input] = large();
    const job = await submit(operation, input, within(samples.size('long.mp4') + 4 * MB));
    expect(await failureOf(job)).toMatchObject({ code: 'output_too_large', stage: 'rendering' });
    await nothingIsLeftOf(job);
  });
});
