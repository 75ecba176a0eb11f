import { readdirSync } from 'node:fs';
import { expect } from 'vitest';
import type { Job } from '../../schema/task/wire.ts';
import { type LocalStore, startObjectStore } from './object-store.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type Samples, startSamples } from './samples.ts';
import { makeJob, startTranscoder, type TranscoderProcess } from './transcoder-process.ts';

/** Set by startStand: origins of samples, a store of results and a receiver of reports. */
export let samples: Samples;
export let local: LocalStore;
export let receiver: Receiver;
/** Set by begin. */
export let transcoder: TranscoderProcess;

export async function startStand(): Promise<void> {
  [samples, local, receiver] = await Promise.all([startSamples(), startObjectStore(), startReceiver()]);
}

export async function closeStand(): Promise<void> {
  await Promise.all([samples.close(), local.close(), receiver.close()]);
}

export const start = (env: Record<string, string> = {}) =>
  startTranscoder({ ...local.env, SPOOL_DEV_ORIGINS: samples.url, ...env });

export async function begin(env: Record<string, string> = {}): Promise<void> {
  transcoder = await start(env);
}

/** Jobs that were made since the last call of stopAll. */
const made: Job[] = [];

/** Ends what runs or waits: the next test has the transcoder to itself. */
export async function stopAll(): Promise<void> {
  for (const job of made.splice(0)) await transcoder.stop(job);
}

export function cut(extra: Partial<Job> = {}): Job {
  const input = { video_url: `${samples.url}/short.mp4`, start: 1.5, duration: 2 };
  return named('cut', input, extra);
}

/** Renders for much longer than any test lasts. */
export function endless(extra: Partial<Job> = {}): Job {
  const input = { video_url: `${samples.url}/long.mp4`, format: 'webm', codec: 'vp9', quality: { crf: 10 } };
  return named('transcode', input, extra);
}

export function named(
  operation: 'cut' | 'transcode',
  input: Record<string, unknown>,
  extra: Partial<Job>,
): Job {
  const job = makeJob(operation, input, '', extra);
  const named = { ...job, callback_url: receiver.url(job.task_id) };
  made.push(named);
  return named;
}

export const reports = (job: Job) => receiver.received(job.task_id).map(({ report }) => report);
export const stored = async (job: Job) =>
  (await local.bucket.list()).objects
    .map(({ key }) => key)
    .filter((key) => key.startsWith(job.output_prefix));
export const workspaces = () => readdirSync(transcoder.workDir);

export async function rendering(job: Job): Promise<void> {
  await expect
    .poll(() => reports(job).some((each) => each.type === 'progress' && each.stage === 'rendering'), {
      timeout: 30_000,
    })
    .toBe(true);
  await expect.poll(() => transcoder.descendants().length, { timeout: 40_000 }).toBeGreaterThan(0);
}
