import { resolve } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { unstable_readConfig } from 'wrangler';
import { machine } from '../../../schema/api/machine.ts';
import { planNames, plans } from '../../../schema/api/plans.ts';
import { encodeCost, RENDER_SHARE } from '../../../schema/api/render-cost.ts';
import { type OperationName, operations } from '../../../schema/operations/index.ts';
import { taskLimits } from '../../../schema/task/wire.ts';
import { variables } from '../../../transcoder/env.ts';
import type { Facts, Plan } from '../../../transcoder/model/plan.ts';
import { admitWork, coreSeconds } from '../../../transcoder/model/render-work.ts';
import type { MediaProbe } from '../../../transcoder/model/source/media-probe.ts';
import { TaskFailure } from '../../../transcoder/model/task-failure.ts';
import { plannerOf } from '../../../transcoder/operations/index.ts';
import { like, means, source, stillLike } from '../operations/sources.ts';

const url = 'https://media.example.com/a.mp4';

function work(
  operation: OperationName,
  request: Record<string, unknown>,
  probes: readonly MediaProbe[],
  facts: Facts = {},
): { operation: OperationName; plan: Plan; probes: readonly MediaProbe[] } {
  const input: Record<string, unknown> = operations[operation].input.parse(request);
  const limits = taskLimits.parse(plans.elite);
  const plan = plannerOf(operation).plan({ input, probes, facts, ...means, limits });
  return { operation, plan, probes };
}

const film = (width: number, height: number, seconds: number, fps = 30) =>
  like(
    {
      ...{ width, height, displayWidth: width, displayHeight: height, duration: seconds },
      ...{ frameRate: `${fps}/1`, frameDuration: 1 / fps, frames: seconds * fps },
    },
    { duration: seconds, audio: source.audio && { ...source.audio, duration: seconds } },
  );

function refusal(given: ReturnType<typeof work>, taskSeconds: number): TaskFailure | null {
  try {
    admitWork(given, taskSeconds);
    return null;
  } catch (error) {
    if (error instanceof TaskFailure) return error;
    throw error;
  }
}

describe('the reference machine', () => {
  test('is the container of wrangler.toml, with one task at a time', () => {
    const config = unstable_readConfig({ config: resolve(import.meta.dirname, '../../../wrangler.toml') });
    expect(config.containers?.[0]?.instance_type).toBe(machine.instance_type);
    expect(Number(variables.slots.default)).toBe(1);
  });
});

describe('a render that is accepted can end', () => {
  test('whatever its size, rate, length and codec: its estimate lies within the wall time of the plan', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...planNames),
        fc.constantFrom([640, 360], [1280, 720], [1920, 1080], [3840, 2160], [4096, 2304], [7680, 4320]),
        fc.integer({ min: 10, max: 21_600 }),
        fc.constantFrom(24, 30, 60),
        fc.constantFrom('h264', 'hevc'),
        (name, [width = 0, height = 0], seconds, fps, codec) => {
          const side = plans[name].output_side_px;
          const request = { video_url: url, codec, ...(width > side ? { width: side } : {}) };
          const given = work('transcode', request, [film(width, height, seconds, fps)]);
          const wall = coreSeconds(given) / machine.cores;
          const allowed = plans[name].task_seconds * RENDER_SHARE;
          const failure = refusal(given, plans[name].task_seconds);
          expect(failure === null).toBe(wall <= allowed);
          if (!failure) return;
          // What it names as possible is.
          expect(failure.code).toBe('source_too_long');
          const possible = Number(/About (\d+) s would fit/.exec(failure.message)?.[1]);
          const shorter = work('transcode', request, [film(width, height, possible, fps)]);
          expect(refusal(shorter, plans[name].task_seconds)).toBeNull();
        },
      ),
      { numRuns: 300 },
    );
  });

  test.each([
    ['transcode', { video_url: url, width: 1920 }, [film(4096, 2304, 1800)], 'source_too_long'],
    ['transcode', { video_url: url, fps: 60 }, [film(1920, 1080, 1700, 60)], 'source_too_long'],
    [
      'crop',
      { video_url: url, x: 0, y: 0, width: 1900, height: 1060 },
      [film(1920, 1080, 1800, 60)],
      'source_too_long',
    ],
    [
      'merge_urls',
      { urls: Array.from({ length: 10 }, () => url), transition: 'fade' },
      Array.from({ length: 10 }, (_, index) => film(1920, 1080 - 2 * index, 300)),
      'source_too_long',
    ],
    [
      'visualize',
      { audio_url: url, width: 1920, height: 1080, fps: 60 },
      [film(320, 180, 1800)],
      'source_too_long',
    ],
    [
      'photo_animate',
      {
        photo_urls: Array.from({ length: 40 }, () => url),
        ...{ duration: 60, width: 1920, height: 1080, fps: 60 },
      },
      Array.from({ length: 40 }, () => stillLike({ width: 1920, height: 1080 })),
      'output_too_large',
    ],
  ] as const)('%s of more than Basic has time for is refused', (operation, request, probes, code) => {
    const failure = refusal(work(operation, request, probes), plans.basic.task_seconds);
    expect(failure?.code).toBe(code);
    expect(failure?.message).toMatch(/About \d+ s would fit/);
  });
});

describe('what renders little of the largest source of a plan is allowed', () => {
  test.each([
    ['probe', { url }, 1800],
    ['cut', { video_url: url, start: 5, duration: 20 }, 1800],
    ['frame', { video_url: url, count: 5 }, 1800],
    // Reading 4K is most of the work.
    ['transcode', { video_url: url, width: 640, fps: 10, codec: 'h264' }, 900],
  ] as const)('%s %j', (operation, request, seconds) => {
    const given = work(operation, request, [film(4096, 2304, seconds)], {
      pictures: Array.from({ length: 5 }, (_, index) => ({
        file: `${index}.png`,
        time: index,
        black: false,
      })),
    } as unknown as Facts);
    expect(refusal(given, plans.basic.task_seconds)).toBeNull();
  });
});

test('every codec has a cost, and the dearer one allows less', () => {
  const costs = Object.values(encodeCost);
  expect(costs.every((cost) => cost > 0)).toBe(true);
  const h264 = coreSeconds(work('transcode', { video_url: url, codec: 'h264' }, [film(1920, 1080, 60)]));
  const hevc = coreSeconds(work('transcode', { video_url: url, codec: 'hevc' }, [film(1920, 1080, 60)]));
  expect(hevc).toBeGreaterThan(h264);
});

test('recognition of the longest sound of a plan ends within its wall time', () => {
  // Seconds of one core for a second of sound: bench/engines.ts.
  const RECOGNITION = 0.21;
  for (const name of planNames) {
    const { source_seconds, task_seconds } = plans[name];
    expect(source_seconds * RECOGNITION, name).toBeLessThanOrEqual(task_seconds * RENDER_SHARE);
  }
});
