import { expect } from 'vitest';
import { problem as problemSchema } from '../../../schema/api/problem.ts';
import type { Task } from '../../../schema/task/task.ts';
import type { Job } from '../../../schema/task/wire.ts';
import { type Service, sleep, startService } from '../../harness.ts';
import { resultOf, type StandIn, startStandIn } from '../stand-in.ts';

/** Set by startStand: a service whose tasks are worked on by a stand-in. */
export let service: Service;
export let transcoder: StandIn;

export const body = {
  video_url: 'https://media.example.com/talk.mp4?token=secret',
  start: 1,
  duration: 5,
  output_name: 'my/clip',
};

/** vitest takes a parameter of a hook for fixtures, so this has none. */
export const startStand = () => startStandWith({});

/** `entry`: see startService. */
export async function startStandWith(options: { entry?: string }): Promise<void> {
  transcoder = await startStandIn();
  service = await startService({ TRANSCODER_URL: transcoder.origin }, options);
}

export async function closeStand(): Promise<void> {
  await service.close();
  await transcoder.close();
}

export const read = (id: string, key: string): Promise<Task> => service.task(id, key);

export async function until(check: () => Promise<boolean> | boolean): Promise<void> {
  for (let tries = 0; tries < 400; tries++) {
    if (await check()) return;
    await sleep(25);
  }
  throw new Error('it did not come to pass within 10 s');
}

export const codeOf = async (response: Response) => problemSchema.parse(await response.json()).code;

export async function completedTask(content: string): Promise<{ task: Task; key: string; job: Job }> {
  const { key } = await service.createAccount('elite');
  const { id } = await service.submit('/cut', body, key);
  const job = await transcoder.jobOf(id);
  const result = resultOf(job, content);
  const { FILES } = await service.bindings();
  await FILES.put(result.files[0]?.key ?? '', content);
  expect((await transcoder.report(job, { type: 'completed', result })).status).toBe(200);
  return { task: await read(id, key), key, job };
}
