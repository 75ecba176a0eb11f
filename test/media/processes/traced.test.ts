import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { TaskFailure } from '../../../transcoder/model/task-failure.ts';
import { Interruption } from '../../../transcoder/task/interruption.ts';
import { fixture } from '../../fixtures/make.ts';
import { startAttempts } from '../attempt.ts';
import { libav } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** An attempt whose result is invalid. @param traced What happens when its source is looked at for the cause. */
async function invalid(traced: (attempt: AbortController) => void) {
  await copyFile(fixture('plain.mp4'), join(scratch(), 'plain.mp4'));
  const attempt = new AbortController();
  let rendered = false;
  const attempts = await startAttempts(scratch(), {
    identify: async () => {
      rendered = true;
      throw new TaskFailure('output_invalid', 'The result shows other frames than planned.');
    },
    probe: async (request, options) => {
      if (rendered) traced(attempt);
      options?.signal?.throwIfAborted();
      if (!libav) throw new Error('libav is unavailable');
      return libav.ask(request, options);
    },
  });
  try {
    const input = { video_url: attempts.media('plain.mp4'), start: 1.21, duration: 2 };
    return await attempts.run('cut', input, attempt.signal);
  } finally {
    await attempts.close();
  }
}

test('an attempt that is out of time while the cause of a failure is looked for ends with timed_out', async () => {
  const outcome = await invalid((attempt) => attempt.abort(new Interruption('timed_out')));
  expect(outcome).toMatchObject({ type: 'failed', failure: { code: 'timed_out' } });
});

test('an attempt that is stopped while the cause of a failure is looked for is interrupted', async () => {
  const outcome = await invalid((attempt) => attempt.abort(new Interruption('stopped')));
  expect(outcome).toEqual({ type: 'interrupted', why: 'stopped' });
});

test('a failure whose cause cannot be looked for is reported as it is', async () => {
  const outcome = await invalid(() => {
    throw new TaskFailure('source_unreachable', 'The server does not respond.');
  });
  expect(outcome).toMatchObject({ type: 'failed', failure: { code: 'output_invalid' } });
});
