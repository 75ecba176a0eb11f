import { setTimeout as wait } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { task } from '../../schema/task/task.ts';
import { LEASE_SECONDS } from '../../schema/task/wire.ts';
import { docker } from '../../scripts/containers/engine.ts';
import {
  type Caller,
  type ContainerMode,
  instances,
  SLEEP_SECONDS,
  startContainerMode,
} from './container-mode.ts';

let mode: ContainerMode;
let live: { id: string; as: Caller }[] = [];

beforeAll(async () => {
  mode = await startContainerMode();
}, 600_000);

afterAll(async () => {
  await mode?.close();
});

afterEach(async () => {
  await Promise.all(live.map(({ id, as }) => mode.request(`/task/${id}`, { method: 'DELETE', as })));
  live = [];
  await expect.poll(encoders, { timeout: 20_000 }).toBe(0);
});

async function submit(path: string, json: object, as: Caller = 'first'): Promise<string> {
  const response = await mode.request(path, { json, as });
  const text = await response.text();
  expect(response.status, text).toBe(202);
  const { id } = task.parse(JSON.parse(text));
  live.push({ id, as });
  return id;
}

const cut = () => submit('/cut', { video_url: mode.sample, start: 1.5, duration: 2 });
/** Minutes of work. */
const endless = (as: Caller = 'first') => {
  const much = { height: 1080, fps: 60, quality: { crf: 10 } };
  return submit('/transcode', { video_url: mode.sample, format: 'webm', codec: 'vp9', ...much }, as);
};
const kill = async (signal: 'KILL' | 'TERM') => {
  for (const one of await instances('transcoders')) await docker('kill', '--signal', signal, one);
};
/** How many encoders run in a container. */
const encodersIn = async (instance: string) =>
  (await docker('top', instance)).split('\n').filter((line) => /\bffmpeg -/.test(line)).length;
const busyInstances = async () => {
  const all = await instances('transcoders');
  const encoders = await Promise.all(all.map(encodersIn));
  return all.filter((_, index) => (encoders[index] ?? 0) > 0);
};
const encoders = async () => {
  const counts = await Promise.all((await instances('transcoders')).map(encodersIn));
  return counts.reduce((sum, count) => sum + count, 0);
};
const hasEnded = ({ status }: { status: string }) => status === 'completed' || status === 'failed';

test('a task runs in a container instance of its account and can be downloaded', async () => {
  const done = await mode.until(await cut(), hasEnded);
  expect(done.error).toBeNull();
  expect(done.output?.duration).toBeCloseTo(2, 1);
  const file = await mode.request(`/task/${done.id}/download`);
  expect((await file.arrayBuffer()).byteLength).toBe(done.output?.file_size);
});

test('the next task finds the instance warm', async () => {
  const before = await instances('transcoders');
  const done = await mode.until(await cut(), hasEnded);
  expect(done.error).toBeNull();
  expect(await instances('transcoders')).toEqual(before);
});

test('a container that takes longer to listen than its library waits is waited for', async () => {
  await kill('KILL');
  await expect.poll(() => instances('transcoders')).toEqual([]);
  const id = await cut();
  await expect.poll(() => instances('transcoders'), { timeout: 20_000, interval: 50 }).toHaveLength(1);
  const [slow = ''] = await instances('transcoders');
  await docker('pause', slow);
  expect(await docker('logs', slow)).not.toContain('listening');
  await wait(12_000);
  await docker('unpause', slow);
  const done = await mode.until(id, hasEnded);
  expect([done.error, done.attempt]).toEqual([null, 1]);
  expect(await instances('transcoders')).toEqual([slow]);
});

test('deleting a running task stops its encoder in the container', async () => {
  const id = await endless();
  await mode.until(id, ({ stage }) => stage === 'rendering');
  await expect.poll(encoders, { timeout: 10_000 }).toBeGreaterThan(0);
  expect((await mode.request(`/task/${id}`, { method: 'DELETE' })).status).toBe(200);
  await expect.poll(encoders, { timeout: 7000 }).toBe(0);
});

const stop = (id: string, as: Caller = 'first') => mode.request(`/task/${id}`, { method: 'DELETE', as });

test('two tasks of one account and one of another run in a container each', async () => {
  const tasks = [
    { id: await endless(), as: 'first' },
    { id: await endless(), as: 'first' },
    { id: await endless('second'), as: 'second' },
  ] as const;
  await expect.poll(() => instances('transcoders'), { timeout: 60_000 }).toHaveLength(3);
  for (const { id, as } of tasks) await mode.until(id, ({ stage }) => stage === 'rendering', as);
  const busy = await Promise.all((await instances('transcoders')).map(encodersIn));
  expect(busy).toEqual([1, 1, 1]);
});

/** Seconds from a blow until the attempt is given up, and until the next one runs. */
async function recovery(id: string, blow: () => Promise<unknown>, onGivenUp = async () => {}) {
  const from = Date.now();
  const seconds = () => (Date.now() - from) / 1000;
  await blow();
  await mode.until(id, ({ attempt, status }) => attempt > 1 || status === 'queued');
  const givenUp = seconds();
  await onGivenUp();
  await mode.until(id, ({ attempt, status }) => attempt > 1 && status === 'processing');
  return { givenUp, running: seconds() };
}

test('a container that is killed at 30 % is seen at once, and its task is run again long before the lease is over', async () => {
  const id = await submit('/transcode', { video_url: mode.sample, format: 'mp4', quality: 'high' });
  await mode.until(id, ({ progress_percent }) => progress_percent >= 30);
  const { givenUp, running } = await recovery(id, () => kill('KILL'));
  console.log(
    `killed: seen after ${givenUp.toFixed(1)} s, the next attempt ran after ${running.toFixed(1)} s`,
  );
  expect(givenUp).toBeLessThan(LEASE_SECONDS / 3);
  expect(running).toBeLessThan(LEASE_SECONDS);
  const done = await mode.until(id, hasEnded);
  expect([done.error, done.attempt]).toEqual([null, 2]);
});

test('a container that is frozen is given up by its lease, and stops that attempt when it thaws', async () => {
  const id = await endless();
  await mode.until(id, ({ stage }) => stage === 'rendering');
  const [frozen = ''] = await busyInstances();
  const thaw = async () => {
    await docker('unpause', frozen);
  };
  const { givenUp, running } = await recovery(id, () => docker('pause', frozen), thaw);
  console.log(
    `frozen: seen after ${givenUp.toFixed(1)} s, the next attempt ran after ${running.toFixed(1)} s`,
  );
  await mode.until(id, ({ attempt, stage }) => attempt === 2 && stage === 'rendering');
  await expect.poll(encoders, { timeout: 10_000 }).toBe(1);
});

test('a container that is told to leave hands its task back, as often as that happens, and none is counted as lost', async () => {
  const id = await endless();
  for (let attempt = 1; attempt <= 3; attempt++) {
    await mode.until(id, (task) => task.attempt === attempt && task.stage === 'rendering');
    await kill('TERM');
  }
  const task = await mode.until(id, ({ attempt, stage }) => attempt === 4 && stage === 'rendering');
  expect(task.error).toBeNull();
});

test('a container that works is left awake, and one without work is put to sleep', async () => {
  const id = await endless();
  await mode.until(id, ({ stage }) => stage === 'rendering');
  await wait(SLEEP_SECONDS * 2000);
  const found = await mode.until(id, () => true);
  expect([found.stage, found.attempt]).toEqual(['rendering', 1]);
  expect((await stop(id)).status).toBe(200);
  const left = { timeout: SLEEP_SECONDS * 4000, interval: 1000 };
  await expect.poll(() => instances('transcoders'), left).toEqual([]);
});
