import { describe, expect, test } from 'vitest';
import { plans } from '../../../schema/api/plans.ts';
import { operations } from '../../../schema/operations/index.ts';
import { MAX_SEGMENTS } from '../../../schema/operations/silence-process.ts';
import { newId } from '../../../schema/task/ids.ts';
import { type Job, job, MAX_JOB_BYTES, taskLimits, WIRE_VERSION } from '../../../schema/task/wire.ts';
import type { Plan } from '../../../transcoder/model/plan.ts';
import { admitReport } from '../../../transcoder/model/report-size.ts';
import { plannerOf } from '../../../transcoder/operations/index.ts';
import { MAX_JSON_BYTES } from '../../../worker/lib/text/parse-json.ts';
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

/** The longest time map of pieces like this one that a result can have. */
function longestMap(plan: Plan): Plan['time_map'] {
  const piece = { source: 0, in: [12_345.678901, 12_346.789012], out: [2345.678901, 2346.789012] } as const;
  const isAdmitted = (pieces: number) => {
    try {
      admitReport({ ...plan, time_map: Array(pieces).fill(piece) });
      return true;
    } catch {
      return false;
    }
  };
  let most = 0;
  for (let step = 2 ** 16; step >= 1; step /= 2) if (isAdmitted(most + step)) most += step;
  return Array(most).fill(piece);
}

describe('the largest job', () => {
  test('is taken: captions of the longest request, with the longest time map that a task can have', () => {
    const [id, source] = [newId('task'), newId('task')];
    const request = {
      video_url: `task:${source}`,
      time_map_task: source,
      captions: '',
    };
    request.captions = 'a'.repeat(MAX_JSON_BYTES - JSON.stringify(request).length);
    const made: Job = {
      ...{ v: WIRE_VERSION, task_id: id, attempt: 1, request_id: newId('request') },
      ...{ operation: 'captions_auto', input: request },
      stored_sources: { [`task:${source}`]: `t/${source}/1/${'あ'.repeat(200)}.mp4` },
      time_maps: { [`task:${source}`]: longestMap(planOf(10)) },
      limits: taskLimits.parse(plans.elite),
      output_prefix: `t/${id}/1/`,
      output_name: 'あ'.repeat(200),
      ...{ provider_key: 'k'.repeat(1000), speech_api: 's'.repeat(6000), workers_ai: true },
      callback_url: `https://spool.example.com/${'a'.repeat(4096)}`,
      callback_secret: 's'.repeat(64),
    };
    expect(job.safeParse(made).error).toBeUndefined();
    expect(Buffer.byteLength(JSON.stringify(made))).toBeLessThan(MAX_JOB_BYTES);
  });
});
