import { describe, expect, test } from 'vitest';
import { operations } from '../../../schema/operations/index.ts';
import type { Facts, Levels, SourceFacts } from '../../../transcoder/model/plan.ts';
import { SurveyedPackets } from '../../../transcoder/model/source/surveyed-packets.ts';
import type { Splice } from '../../../transcoder/model/steps.ts';
import { silenceProcess } from '../../../transcoder/operations/silence/silence-process.ts';
import { closed } from './plan-graph.ts';
import { like, means, source } from './sources.ts';

const TICKS = 512;

/** Ten seconds with a keyframe every second, each anchor before the B-frame that is shown before it. */
const survey: NonNullable<SourceFacts['survey']> = {
  parts: [
    SurveyedPackets.of(
      Array.from({ length: 10 }, (_, group) => {
        const order = [
          0,
          ...Array.from({ length: 14 }, (_, pair) => [pair * 2 + 2, pair * 2 + 1]).flat(),
          29,
        ];
        return order.map((frame, index) => ({
          ...{ pts: (group * 30 + frame) * TICKS, dts: (group * 30 + index - 1) * TICKS, duration: TICKS },
          ...{ key: index === 0, entry: index === 0 ? ('closed' as const) : null, hidden: false },
        }));
      }).flat(),
    ),
  ],
  configuration: 'avcC',
  fitting: { profile: 'high', params: 'bframes=0' },
  quantiser: 30,
  unfit: null,
};

/** Loud in these spans, in seconds. */
function levels(...loud: [number, number][]): Levels {
  const peak = Float32Array.from({ length: 1000 }, (_, window) =>
    loud.some(([from, to]) => window >= from * 100 && window < to * 100) ? 0.5 : 0.001,
  );
  return { peak, rms: peak };
}

function planOf(request: Record<string, unknown>, facts: Facts, probe = source) {
  const input = operations.silence_process.input.parse({
    ...{ video_url: 'https://media.example.com/talk.mp4', threshold_db: -30 },
    ...request,
  });
  return closed(silenceProcess.plan({ input, probes: [probe], facts, ...means }), { facts });
}

const spliceOf = (plan: ReturnType<typeof planOf>) =>
  plan.steps.find((step): step is Splice => step.kind === 'splice');

const list = [
  { start: 2.5, end: 4.5, action: 'silent' },
  { start: 6, end: 7, action: 'silent' },
];

/** Matroska rounds times to milliseconds. */
const rounded: typeof source = {
  ...{ ...source, format: 'matroska' },
  streams: [
    {
      ...{ index: 1, type: 'audio', codec: 'aac', tag: null, profile: 'LC', duration: 10, startTime: 0 },
      ...{ kbps: null, language: null, title: null, default: true, video: null, audio: source.audio },
    },
  ],
  audio: source.audio && { ...source.audio, timeBase: '1/1000' },
};

test('sound whose times are rounded is counted in samples, then encoded, and only then everything is rendered', () => {
  const whole = [{ start: 2, end: 10, action: 'silent' }];
  const plan = planOf({ segments: whole }, { survey }, rounded);
  expect(spliceOf(plan)).toMatchObject({
    inputs: [{ source: 0 }, { source: 0, stream: 1 }],
    audio: { start: 0, end: 2 * 48_000, rate: 48_000 },
  });
  const second = plan.otherwise;
  expect(second?.steps.at(-1)).toMatchObject({ inputs: [{ source: 0 }, { file: 'sound.m4a' }] });
  expect(second?.otherwise?.steps.map(({ kind }) => kind)).not.toContain('splice');
  expect(second?.otherwise?.otherwise).toBeUndefined();
});

describe('what is kept', () => {
  test('is copied from the first keyframe on; what is before and behind it is rendered', () => {
    const plan = planOf({ segments: list, export: ['csv'] }, { survey });
    expect(spliceOf(plan)?.pieces).toMatchObject([
      { head: null, copy: { frames: { length: 75 } }, tail: null, zero: 0, at: 0 },
      {
        ...{ head: { frames: { length: 15 } }, copy: { frames: { length: 30 } }, tail: null },
        ...{ zero: 135 * TICKS, at: 75 * TICKS },
      },
      { head: null, copy: { frames: { length: 90 } }, tail: null, zero: 210 * TICKS, at: 120 * TICKS },
    ]);
    expect(spliceOf(plan)?.audio).toEqual({ input: 1, start: 0, end: 7 * 48_000, settle: 1 });
    expect(plan.data).toMatchObject({ copied_seconds: 6.5, rendered_seconds: 0.5 });
    expect(plan.steps.map(({ kind }) => kind)).toEqual(['render', 'append', 'render', 'splice', 'text']);
    expect(plan.expect.media[0]).toMatchObject({ video: { frames: 210 }, proven: true });
  });

  test('stands beside files of what plays faster', () => {
    const plan = planOf({ segments: list, mode: 'speed_up', silent_speed: 4 }, { survey });
    expect(spliceOf(plan)?.pieces.map((piece) => [piece.kind, 'at' in piece && piece.at / TICKS])).toEqual([
      ['range', 0],
      ['file', 75],
      ['range', 90],
      ['file', 135],
      ['range', 143],
    ]);
    const [fast] = plan.steps;
    expect(fast).toMatchObject({
      kind: 'render',
      inputs: [{ coded: true }],
      outputs: [{ video: { encode: { fitting: survey.fitting } } }],
    });
  });

  test.each([
    ['another quality', { quality: 'low' }, { survey }, 'quality'],
    ['another codec', { codec: 'hevc' }, { survey }, 'codec'],
    ['no engine', {}, { survey: null }, 'engine_unavailable'],
  ])('is rendered with %s', (_, request, facts, because) => {
    const plan = planOf({ segments: list, ...request }, facts);
    expect(plan.rendered_because).toBe(because);
    expect(plan.data).toMatchObject({ copied_seconds: 0, rendered_seconds: 7 });
  });
});

describe('edges', () => {
  const facts = { survey, levels: levels([0, 2.3], [4.2, 10]) };
  const edgesOf = (request: Record<string, unknown>, given: Facts = facts) =>
    (planOf(request, given).data.segments as { start: number }[]).slice(1).map(({ start }) => start);

  test('that were found move to where little is rendered, and everything tells them so', () => {
    expect(edgesOf({})).toEqual([2.5, 4]);
    expect(edgesOf({}, { levels: facts.levels, survey: null })).toEqual([2.5, 4.1]);
    const plan = planOf({}, facts);
    expect(plan.time_map.map((span) => span.in)).toEqual([
      [0, 2.5],
      [4, 10],
    ]);
    expect(edgesOf({ mode: 'detect' })).toEqual(edgesOf({}));
  });

  test('stay without padding, in a list of the caller, and where nothing is copied', () => {
    expect(edgesOf({ padding_before: 0, padding_after: 0 })).toEqual([2.3, 4.2]);
    const segments = [{ start: 2.5, end: 4.1, action: 'silent' }];
    expect(edgesOf({ segments }, { survey })).toEqual([2.5, 4.1]);
    expect(edgesOf({ mode: 'mute' }, { levels: facts.levels })).toEqual([2.5, 4.1]);
  });

  test('are looked for only where packets can be copied', () => {
    const asked = (request: Record<string, unknown>, probe = source) => {
      const video_url = 'https://media.example.com/talk.mp4';
      const input = operations.silence_process.input.parse({ video_url, ...request });
      return silenceProcess.analyses(input, [probe], means).map(({ kind }) => kind);
    };
    expect(asked({})).toEqual(['survey', 'levels', 'voice']);
    expect(asked({ detector: 'energy' })).toEqual(['survey', 'levels']);
    expect(asked({ mode: 'detect', segments: list })).toEqual([]);
    expect(asked({ quality: 'low', threshold_db: -40 })).toEqual(['levels']);
    expect(asked({}, like({ codec: 'mpeg4' }))).toEqual(['levels', 'voice']);
  });
});
