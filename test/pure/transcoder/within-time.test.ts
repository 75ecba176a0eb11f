import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { taskLimits } from '../../../schema/task/wire.ts';
import { jsonLog } from '../../../transcoder/log.ts';
import { analyzeAndPlan } from '../../../transcoder/media/execute/analyze-and-plan.ts';
import type { MediaContext } from '../../../transcoder/media/execute/media-context.ts';
import type { Planner } from '../../../transcoder/model/plan.ts';
import { TaskFailure } from '../../../transcoder/model/task-failure.ts';
import { NotInTime, withinTime } from '../../../transcoder/process/within-time.ts';

const forever = (): never => {
  for (let text = 'a'; ; text = text.slice(0, 100)) text += text.at(-1);
};

test('work that ends in time gives its value', () => {
  expect(withinTime(() => withinTime(() => 7, 60_000), 60_000)).toBe(7);
});

test('an error of the work itself is passed on', () => {
  const failure = new TaskFailure('clip_too_short', 'clips[0] is too short.');
  const failing = () => {
    throw failure;
  };
  expect(() => withinTime(failing, 60_000)).toThrow(failure);
});

test.each<[string, () => unknown]>([
  ['a loop', forever],
  ['a pattern that backtracks', () => /^(a+)+$/.test(`${'a'.repeat(60)}b`)],
  ['a sort', () => Array.from({ length: 2000 }, (_, index) => index).sort(forever)],
])('%s without an end is interrupted, and other work goes on', async (_, work) => {
  expect(() => withinTime(work, 50)).toThrow(NotInTime);
  await setImmediate();
  expect(withinTime(() => 7, 60_000)).toBe(7);
});

const ctx: MediaContext = {
  programs: { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' } as MediaContext['programs'],
  capabilities: {} as MediaContext['capabilities'],
  libav: null,
  engines: null,
  log: jsonLog({}, () => {}),
};
const limits = taskLimits.parse({
  ...{ source_bytes: 1e9, source_seconds: 7200, task_seconds: 600, output_side_px: 1920 },
});
const conditions = { limits, directory: '/nowhere', planningMs: 50 };

test.each<[string, Partial<Planner<unknown>>]>([
  ['analyses', { analyses: forever }],
  ['again', { again: forever }],
  ['plan', { plan: forever }],
])('a request whose %s takes too long fails with a reason, and ends nothing else', async (_, slow) => {
  const planner = { analyses: () => [], plan: forever, ...slow } as Planner<unknown>;
  await expect(analyzeAndPlan(ctx, planner, {}, [], conditions)).rejects.toMatchObject({
    code: 'request_too_complex',
    message: expect.stringContaining('Use fewer clips'),
  });
});
