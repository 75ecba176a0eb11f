import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { ErrorCode } from '../../../schema/api/errors.ts';
import { type Service, sleep, startService } from '../../harness.ts';
import { resultOf, type StandIn, startStandIn } from '../stand-in.ts';

let service: Service;
let transcoder: StandIn;

beforeAll(async () => {
  transcoder = await startStandIn();
  service = await startService({ TRANSCODER_URL: transcoder.origin });
});
afterAll(async () => {
  await service.close();
  await transcoder.close();
});

const input = { video_url: 'https://media.example.com/talk.mp4', start: 1, duration: 5 };

async function failing(code: ErrorCode) {
  const { key } = await service.createAccount('elite');
  const { id } = await service.submit('/cut', input, key);
  const failure = { code, detail: 'No.', stage: 'rendering' } as const;
  const read = () => service.task(id, key);
  /** The next attempt comes after a pause of 2 s, and then of 10 s. */
  const fail = async (attempt: number) => {
    let job = transcoder.jobs.find((each) => each.task_id === id && each.attempt === attempt);
    for (let tries = 0; !job && tries < 600; tries++) {
      await sleep(50);
      job = transcoder.jobs.find((each) => each.task_id === id && each.attempt === attempt);
    }
    if (!job) throw new Error(`attempt ${attempt} did not come`);
    return { job, report: () => transcoder.report(job, { type: 'failed', failure }) };
  };
  return { read, fail };
}

describe.concurrent('a machine whose disk is full', () => {
  it('gives the task to the next one, which completes it', { timeout: 60_000 }, async () => {
    const { read, fail } = await failing('out_of_disk');
    await (await fail(1)).report();
    expect((await read()).status).not.toBe('failed');
    const { job } = await fail(2);
    const result = resultOf(job, 'made');
    const { FILES } = await service.bindings();
    await FILES.put(result.files[0]?.key ?? '', 'made');
    await transcoder.report(job, { type: 'completed', result });
    expect(await read()).toMatchObject({ status: 'completed', attempt: 2 });
  });
});

describe.concurrent('a machine without enough memory', () => {
  it('fails the task as not retryable after three attempts', {
    timeout: 90_000,
  }, async () => {
    const { read, fail } = await failing('out_of_memory');
    for (const attempt of [1, 2, 3]) await (await fail(attempt)).report();
    const { status, error } = await read();
    expect(status).toBe('failed');
    expect(error).toMatchObject({ code: 'out_of_memory', fault: 'service', retryable: false });
  });
});
