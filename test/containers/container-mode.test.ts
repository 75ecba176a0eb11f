import { afterAll, beforeAll, expect, test } from 'vitest';
import { task } from '../../schema/task.ts';
import { docker } from '../../scripts/containers/engine.ts';
import { type ContainerMode, instances, startContainerMode } from './container-mode.ts';

let mode: ContainerMode;

beforeAll(async () => {
  mode = await startContainerMode();
}, 600_000);

afterAll(async () => {
  await mode?.close();
});

async function submit(path: string, json: object): Promise<string> {
  const response = await mode.request(path, { json });
  const text = await response.text();
  expect(response.status, text).toBe(202);
  return task.parse(JSON.parse(text)).id;
}

const cut = () => submit('/cut', { video_url: mode.sample, start: 1.5, duration: 2 });
const endless = () =>
  submit('/transcode', { video_url: mode.sample, format: 'webm', codec: 'vp9', quality: { crf: 10 } });
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

test('deleting a running task stops its encoder in the container', async () => {
  const id = await endless();
  await mode.until(id, ({ stage }) => stage === 'rendering');
  const encoders = async () => {
    const tops = await Promise.all((await instances('transcoders')).map((one) => docker('top', one)));
    return tops
      .join('\n')
      .split('\n')
      .filter((line) => /\bffmpeg -/.test(line)).length;
  };
  await expect.poll(encoders, { timeout: 10_000 }).toBeGreaterThan(0);
  expect((await mode.request(`/task/${id}`, { method: 'DELETE' })).status).toBe(200);
  await expect.poll(encoders, { timeout: 7000 }).toBe(0);
});

test('a task whose container is killed is run again and completes', async () => {
  const id = await submit('/transcode', { video_url: mode.sample, format: 'mp4', quality: 'high' });
  await mode.until(id, ({ stage }) => stage === 'rendering');
  for (const one of await instances('transcoders')) await docker('kill', one);
  const done = await mode.until(id, hasEnded);
  expect(done.error).toBeNull();
  expect(done.attempt).toBeGreaterThan(1);
});
