import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { jsonLog } from '../../../transcoder/log.ts';
import { Slots } from '../../../transcoder/model/slots.ts';
import { Attempts } from '../../../transcoder/task/attempts.ts';
import type { Task } from '../../../transcoder/task/job.ts';
import type { TaskContext } from '../../../transcoder/task/run-task.ts';

const MINUTE = 60_000;

// Signing takes real time, which does not pass with that of the test.
vi.mock('../../../schema/api/signature.ts', () => ({ signatureHeaders: async () => ({}) }));
/** Work without an end. */
vi.mock('../../../transcoder/task/run-task.ts', () => ({
  runTask: (_context: unknown, _task: unknown, signal: AbortSignal) =>
    new Promise((resolve) =>
      signal.addEventListener('abort', () => {
        const { why } = signal.reason;
        if (why !== 'timed_out') return resolve({ type: 'interrupted', why });
        return resolve({
          type: 'failed',
          failure: { code: why, detail: 'It took long.', stage: 'rendering' },
        });
      }),
    ),
}));

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const task = {
  ...{ task_id: 'task_1', attempt: 1, request_id: 'request_1', limits: { task_seconds: 60 } },
  ...{ callback_url: 'https://spool.example.com/report', callback_secret: 's'.repeat(32) },
} as unknown as Task;

/** Runs the task while the Worker is away until then. @returns the types of the reports that arrived, and the attempts */
function begun(outageEnds: number) {
  const arrived: string[] = [];
  const began = Date.now();
  vi.stubGlobal('fetch', async (_: string, { body }: { body: string }) => {
    if (Date.now() - began < outageEnds) return new Response('{}', { status: 503 });
    arrived.push(JSON.parse(body).type);
    return new Response('{}');
  });
  const attempts = new Attempts({ log: jsonLog({}, () => {}) } as unknown as TaskContext, new Slots(1, 0));
  expect(attempts.submit(task)).toBe(true);
  return { arrived, attempts };
}

it('a task that took too long is reported after an outage of minutes', async () => {
  const { arrived, attempts } = begun(6 * MINUTE);
  await vi.advanceTimersByTimeAsync(7 * MINUTE);
  expect(arrived).toEqual(['failed']);
  expect(attempts.busy).toBe(0);
});

it('a machine that shuts down does not wait for the end of the outage to say so', async () => {
  const { attempts } = begun(60 * MINUTE);
  await vi.advanceTimersByTimeAsync(3 * MINUTE);
  expect(attempts.busy).toBe(1);
  const drained = attempts.drain();
  await vi.advanceTimersByTimeAsync(1000);
  await drained;
  expect(attempts.busy).toBe(0);
});
