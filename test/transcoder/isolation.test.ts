import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { type Job, result, transcoderReady } from '../../schema/task/wire.ts';
import { signalEach } from '../signal-each.ts';
import { type LocalStore, startObjectStore } from './object-store.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type Samples, startSamples } from './samples.ts';
import { isAlive, makeJob, startTranscoder, type TranscoderProcess } from './transcoder-process.ts';

const SLOTS = 2;

let samples: Samples;
let local: LocalStore;
let receiver: Receiver;
let transcoder: TranscoderProcess;

beforeAll(async () => {
  [samples, local, receiver] = await Promise.all([startSamples(), startObjectStore(), startReceiver()]);
  const env = { ...local.env, SPOOL_DEV_ORIGINS: samples.url, SLOTS: `${SLOTS}`, LINE: '8' };
  transcoder = await startTranscoder(env);
}, 300_000);
afterAll(async () => {
  await transcoder.close();
  await Promise.all([samples.close(), local.close(), receiver.close()]);
});

const jobs: Job[] = [];
afterEach(async () => {
  for (const each of jobs.splice(0)) await transcoder.stop(each);
  await expect.poll(() => decoders().length).toBe(SLOTS);
});

const inBwrap = async () => {
  const ready = await (await fetch(`${transcoder.url}/readyz`)).json();
  return transcoderReady.parse(ready).sandbox === 'bwrap';
};

/** A job of an account with reports of its own. */
function job(operation: 'cut' | 'transcode', input: Record<string, unknown>): Job {
  const made = makeJob(operation, input, '');
  const reporting = { ...made, callback_url: receiver.url(made.task_id) };
  jobs.push(reporting);
  return reporting;
}
const cut = () => job('cut', { video_url: `${samples.url}/short.mp4`, start: 1.5, duration: 2 });
const endless = () => {
  const slow = { format: 'webm', codec: 'vp9', quality: { crf: 10 } };
  return job('transcode', { video_url: `${samples.url}/long.mp4`, ...slow });
};

async function rendering({ task_id }: Job): Promise<void> {
  const isRendering = () =>
    receiver
      .received(task_id)
      .some(({ report }) => report.type === 'progress' && report.stage === 'rendering');
  await expect.poll(isRendering, { timeout: 60_000 }).toBe(true);
}

/** The directories of jobs that a process sees from inside its sandbox, and the files in them. */
function seenBy(pid: number): Record<string, string[]> {
  const inside = join(`/proc/${pid}/root`, transcoder.workDir);
  try {
    return Object.fromEntries(readdirSync(inside).map((name) => [name, readdirSync(join(inside, name))]));
  } catch {
    return {};
  }
}

/** A process of the engine is told from one that later has its number by when it was started. */
function identityOf(pid: number): string {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ');
  return `${pid} of ${fields[19]}`;
}

/** Those that run libav, not the sandboxes around them. */
const decoders = () =>
  transcoder.workers().filter((pid) => {
    try {
      return !readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith('bwrap');
    } catch {
      return false;
    }
  });

test('two jobs at once have processes that see a directory each, and no third one', async () => {
  const both = [endless(), endless()];
  for (const each of both) expect((await transcoder.post('/tasks', each)).status).toBe(202);
  await Promise.all(both.map(rendering));
  const running = readdirSync(transcoder.workDir);
  expect(running).toHaveLength(2);
  if (!(await inBwrap())) return;

  const views = () => decoders().map(seenBy);
  // One of each job, and the one that waits, whose directory is not that of a job yet.
  await expect.poll(() => views().length, { timeout: 30_000 }).toBe(SLOTS + 1);
  for (const view of views()) expect(Object.keys(view).length).toBeLessThanOrEqual(1);
  const used = views().filter((view) => Object.values(view).flat().length > 0);
  expect(used.flatMap(Object.keys).toSorted()).toEqual(running.toSorted());
  for (const view of used) expect(Object.values(view).flat()).toContain('source-0');
  const mounts = decoders().map((pid) => readFileSync(`/proc/${pid}/mountinfo`, 'utf8'));
  for (const text of mounts) {
    expect(running.filter((name) => text.includes(name)).length).toBeLessThanOrEqual(1);
  }
});

test('no process serves two jobs, and of a job that has ended none is left', async () => {
  const served = new Map<string, Set<string>>();
  const note = () => {
    for (const pid of decoders()) {
      try {
        const identity = identityOf(pid);
        const [name] = Object.entries(seenBy(pid)).flatMap(([at, files]) => (files.length > 0 ? [at] : []));
        if (name) served.set(identity, (served.get(identity) ?? new Set()).add(name));
      } catch {}
    }
  };
  const noting = setInterval(note, 5);
  const before = decoders();
  for (let round = 0; round < 4; round++) {
    const both = [cut(), cut()];
    for (const each of both) expect((await transcoder.post('/tasks', each)).status).toBe(202);
    for (const { task_id } of both) {
      const { result: made } = await receiver.first(task_id, 'completed');
      expect(result.parse(made).data.copied_seconds).toBeGreaterThan(0);
    }
    expect(readdirSync(transcoder.workDir)).toEqual([]);
  }
  clearInterval(noting);
  expect(before.filter(isAlive)).toEqual([]);
  await expect.poll(() => decoders().length).toBe(SLOTS);
  if (!(await inBwrap())) return;
  expect(served.size).toBeGreaterThan(2);
  for (const [identity, names] of served) expect([...names], identity).toHaveLength(1);
});

/** Ticks of CPU time that the processes have used; those that have loaded libav and wait use none. */
const ticksOf = (pids: readonly number[]) =>
  pids.reduce((sum, pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /, '')
      .split(' ');
    return sum + Number(fields[11]) + Number(fields[12]);
  }, 0);

test('processes that die while they wait are replaced, and the next job has one', async () => {
  const before = decoders();
  expect(before).toHaveLength(SLOTS);
  let used = -1;
  const sinceLast = () => {
    const earlier = used;
    used = ticksOf(before);
    return used - earlier;
  };
  await expect.poll(sinceLast, { timeout: 30_000, interval: 1000 }).toBe(0);
  signalEach(before, 'SIGKILL');
  await expect
    .poll(() => decoders().filter((pid) => !before.includes(pid)).length, { timeout: 20_000 })
    .toBe(SLOTS);
  const next = cut();
  await transcoder.post('/tasks', next);
  const { result: made } = await receiver.first(next.task_id, 'completed');
  expect(result.parse(made).data.copied_seconds).toBeGreaterThan(0);
  expect(transcoder.logs.map(({ message }) => message)).not.toContain('libav failed; the fallback is tried');
});
