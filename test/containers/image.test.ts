import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Job, result, transcoderReady } from '../../schema/task/wire.ts';
import { docker } from '../../scripts/containers/engine.ts';
import { type LocalStore, startObjectStore } from '../transcoder/object-store.ts';
import { type Receiver, startReceiver } from '../transcoder/receiver.ts';
import { startSamples } from '../transcoder/samples.ts';
import type { Origin } from '../transcoder/sources/origin.ts';
import { makeJob, SECRET, signedPost } from '../transcoder/transcoder-process.ts';

const IMAGE = 'spool-transcoder:test';
const seccomp = join(import.meta.dirname, '..', '..', 'transcoder', 'seccomp.json');
/** As README.md says to run the image. */
const advised = [
  ...['--read-only', '--tmpfs', '/tmp', '--cap-drop', 'ALL'],
  ...['--security-opt', 'no-new-privileges', '--security-opt', `seccomp=${seccomp}`],
];

let samples: Origin;
let local: LocalStore;
let receiver: Receiver;
let container: string;
let url: string;
let start: (...options: string[]) => Promise<string>;

beforeAll(async () => {
  [samples, local, receiver] = await Promise.all([startSamples(), startObjectStore(), startReceiver()]);
});

afterAll(async () => {
  await Promise.all([samples.close(), local.close(), receiver.close()]);
});

beforeEach(async () => {
  const settings = {
    ...local.env,
    HOST: '127.0.0.1',
    PORT: '0',
    TRANSCODER_SECRET: SECRET,
    SPOOL_ENV: 'development',
    SPOOL_DEV_ORIGINS: samples.url,
  };
  const env = Object.entries(settings).flatMap(([name, value]) => ['--env', `${name}=${value}`]);
  // The host's network, so that loopback is the loopback of the store, the source and the receiver.
  start = (...options) => docker('run', '--detach', '--network', 'host', ...options, ...env, IMAGE);
  container = await start(...advised);
  url = `http://127.0.0.1:${await portOf(container)}`;
});

afterEach(async () => {
  await docker('rm', '--force', container);
});

/** The port that the container's nth start has told. */
async function portOf(id: string, nth = 1): Promise<number> {
  for (let tries = 0; tries < 100; tries++) {
    const line = (await docker('logs', id)).split('\n').filter((text) => text.includes('"listening"'))[
      nth - 1
    ];
    if (line) return JSON.parse(line).port;
    await wait(200);
  }
  throw new Error(`the container did not listen:\n${await docker('logs', id)}`);
}

/** What waits for a job lies in /tmp too. */
const jobDirectories = async () => {
  const names = (await docker('exec', container, 'ls', '/tmp')).split('\n').filter((name) => name !== '');
  return names.filter((name) => !name.startsWith('spool-standby-'));
};

const readiness = async () => transcoderReady.parse(await (await fetch(`${url}/readyz`)).json());

function job(operation: 'cut' | 'transcode', input: Record<string, unknown>): Job {
  const made = makeJob(operation, input, '');
  return { ...made, callback_url: receiver.url(made.task_id) };
}

const endless = () =>
  job('transcode', {
    video_url: `${samples.url}/long.mp4`,
    format: 'webm',
    codec: 'vp9',
    quality: { crf: 10 },
  });

async function rendering({ task_id }: Job): Promise<void> {
  const stages = () =>
    receiver.received(task_id).map(({ report }) => (report.type === 'progress' ? report.stage : report.type));
  await expect.poll(stages, { timeout: 30_000 }).toContain('rendering');
}

test('the image runs without root, without capabilities and on a read-only file system', async () => {
  expect(await docker('exec', container, 'id', '-u')).toBe('10001');
  await expect(docker('exec', container, 'touch', '/app/file')).rejects.toThrow('Read-only');
  const ready = await readiness();
  expect([ready.status, ready.engine]).toEqual(['ready', 'node-av']);
  expect(Number.parseInt(ready.ffmpeg_version, 10)).toBeGreaterThanOrEqual(7);
  const present = ready.engines?.filter(({ available }) => available).map(({ id }) => id);
  expect(present).toEqual(
    expect.arrayContaining(['flite', 'espeak_ng', 'pocketsphinx', 'rubberband', 'centre_mask']),
  );
});

test('what decodes is kept in bwrap with the profile of the project; with the one of Docker it is not, and the image says so', async () => {
  expect((await readiness()).sandbox).toBe('bwrap');
  await docker('rm', '--force', container);
  container = await start();
  url = `http://127.0.0.1:${await portOf(container)}`;
  expect((await readiness()).sandbox).toBe('none');
  await docker('rm', '--force', container);
  container = await start('--env', 'SANDBOX=bwrap');
  expect(await docker('wait', container)).toBe('1');
  expect(await docker('logs', container)).toContain('sandbox unavailable on this machine');
});

test('a job becomes a stored result', async () => {
  const cut = job('cut', { video_url: `${samples.url}/short.mp4`, start: 1.5, duration: 5 });
  expect((await signedPost(url)('/tasks', cut)).status).toBe(202);
  const completed = await Promise.race([
    receiver.first(cut.task_id, 'completed'),
    receiver.first(cut.task_id, 'failed').then(async ({ failure }) => {
      throw new Error(`${failure.code}: ${failure.detail}\n${await docker('logs', container)}`);
    }),
  ]);
  const made = result.parse(completed.result);
  expect(made.duration).toBeCloseTo(5, 1);
  const object = await local.bucket.get(made.files[0]?.key ?? '');
  expect((await object?.arrayBuffer())?.byteLength).toBe(made.files[0]?.file_size);
  expect(await jobDirectories()).toEqual([]);
});

test('docker stop hands the task back and ends with 0', async () => {
  const running = endless();
  await signedPost(url)('/tasks', running);
  await rendering(running);
  await docker('stop', '--time', '15', container);
  expect(receiver.received(running.task_id).at(-1)?.report.type).toBe('released');
  expect(await docker('inspect', '--format', '{{.State.ExitCode}}', container)).toBe('0');
});

test('a container that is killed says nothing more, and its successor starts clean', async () => {
  const running = endless();
  await signedPost(url)('/tasks', running);
  await rendering(running);
  await docker('kill', container);
  await docker('start', container);
  await portOf(container, 2);
  expect(await jobDirectories()).toEqual([]);
  const types = receiver.received(running.task_id).map(({ report }) => report.type);
  expect(new Set(types)).toEqual(new Set(['progress']));
});
