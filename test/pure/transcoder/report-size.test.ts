import { describe, expect, test } from 'vitest';
import { plans } from '../../../schema/api/plans.ts';
import { operations } from '../../../schema/operations/index.ts';
import { MAX_SEGMENTS } from '../../../schema/operations/silence-process.ts';
import { taskLimits } from '../../../schema/task/wire.ts';
import type { Plan } from '../../../transcoder/model/plan.ts';
import { admitReport } from '../../../transcoder/model/report-size.ts';
import { plannerOf } from '../../../transcoder/operations/index.ts';
import { like, means } from '../operations/sources.ts';

const SECONDS = 20_000;

/** Every second half second goes. */
function planOf(segments: number): Plan {
  const request = {
    video_url: 'https://media.example.com/a.mp4',
    segments: Array.from({ length: segments }, (_, index) => ({
      ...{ start: index / 2, end: index / 2 + 0.5, action: index % 2 ? 'silent' : 'keep' },
    })),
  };
  const input: Record<string, unknown> = operations.silence_process.input.parse(request);
  const long = like({ duration: SECONDS, frames: SECONDS * 30 }, { duration: SECONDS });
  const limits = taskLimits.parse(plans.elite);
  return plannerOf('silence_process').plan({ input, probes: [long], facts: {}, ...means, limits });
}

describe('a plan whose result could not be recorded', () => {
  test('is refused before anything is rendered', () => {
    const plan = planOf(10);
    const [piece] = plan.time_map;
    if (!piece) throw new Error('no piece');
    const cut = (pieces: number): Plan => ({ ...plan, time_map: Array(pieces).fill(piece) });
    expect(() => admitReport(cut(30_000))).toThrow('30000 pieces');
    expect(() => admitReport(cut(10_000))).not.toThrow();
  });

  test('is none that consists of as many segments as a request can have', () => {
    const plan = planOf(MAX_SEGMENTS);
    // And what follows them.
    expect(plan.time_map.length).toBe(MAX_SEGMENTS / 2 + 1);
    expect(() => admitReport(plan)).not.toThrow();
  });
});
