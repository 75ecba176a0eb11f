import { describe, expect, test } from 'vitest';
import { operations } from '../../../schema/operations/index.ts';
import type { Facts, Means } from '../../../transcoder/model/plan.ts';
import type { MediaProbe } from '../../../transcoder/model/source/media-probe.ts';
import { redub } from '../../../transcoder/operations/redub/redub.ts';
import { redubTts } from '../../../transcoder/operations/redub/redub-tts.ts';
import { closed } from './plan-graph.ts';
import { means, source } from './sources.ts';

const url = 'https://media.example.com/a';
const voice: MediaProbe = { ...source, format: 'wav', container: 'wav', video: null };
const speaking: Means = { ...means, engines: new Set([...means.engines, 'flite']) };

const kindsOf = ({ steps }: { steps: { kind: string }[] }) => steps.map(({ kind }) => kind);

describe('another sound over a video', () => {
  test('is mixed as samples, and the picture is copied beside it', () => {
    const input = operations.redub.input.parse({ video_url: url, audio_url: url });
    const plan = closed(redub.plan({ input, probes: [source, voice], facts: {}, ...means }));
    expect(kindsOf(plan)).toEqual(['render', 'level', 'render']);
    expect(plan).toMatchObject({ duration: 10, width: 1280, height: 720 });
  });

  const noisy = { rms: new Float32Array(1000).fill(0.02), peak: new Float32Array(1000).fill(0.05) };
  const quiet = { rms: new Float32Array(1000).fill(0.0001), peak: new Float32Array(1000).fill(0.0005) };
  const over = { video_url: url, audio_url: url };
  const mixed = (request: object) => operations.redub.input.parse({ ...over, mode: 'mix', ...request });
  const kinds = (input: ReturnType<typeof mixed>, levels: typeof noisy) => [
    ...redub.analyses(input, [source, voice], means).map(({ kind }) => kind),
    ...(
      redub.again?.({ input, probes: [source, voice], facts: { sources: [{}, { levels }] }, ...means }) ?? []
    ).map(({ kind }) => kind),
  ];

  test('is searched for voices only if its noise would keep a background lowered', () => {
    expect(kinds(mixed({}), noisy)).toEqual(['survey', 'levels', 'voice']);
    expect(kinds(mixed({}), quiet)).toEqual(['survey', 'levels']);
    expect(kinds(mixed({ duck: false }), noisy)).toEqual(['survey']);
    expect(kinds(mixed({ mode: 'replace' }), noisy)).toEqual(['survey']);
  });

  test.each(['audio', 'shortest'])(
    'ends with its sound, not with its pictures (length_policy: %s)',
    (policy) => {
      const input = operations.redub.input.parse({ ...over, length_policy: policy });
      const brief = { ...source, audio: source.audio && { ...source.audio, duration: 4 } };
      const plan = closed(redub.plan({ input, probes: [source, brief], facts: {}, ...means }));
      expect(plan.duration).toBe(4);
    },
  );

  test('in mono keeps its level where the result is stereo', () => {
    const mono = { ...voice, audio: source.audio && { ...source.audio, channels: 1, layout: 'mono' } };
    const widened = (mode: string, spoken: MediaProbe) => {
      const input = mixed({ mode });
      const { steps } = closed(redub.plan({ input, probes: [source, spoken], facts: {}, ...means }));
      return JSON.stringify(steps).includes('stereo|c0=c0|c1=c0');
    };
    expect(widened('mix', mono)).toBe(true);
    expect(widened('replace', mono)).toBe(false);
    expect(widened('mix', voice)).toBe(false);
  });

  test('over a background in mono lets it keep its level', () => {
    const mono = (probe: MediaProbe) => {
      const audio = probe.audio && { ...probe.audio, channels: 1, layout: 'mono' };
      return { ...probe, audio } as MediaProbe;
    };
    const widened = (input: object, probes: MediaProbe[]) => {
      const { steps } = closed(redub.plan({ input: mixed(input), probes, facts: {}, ...means }));
      return JSON.stringify(steps).includes('stereo|c0=c0|c1=c0');
    };
    expect(widened({}, [mono(source), voice])).toBe(true);
    expect(widened({ when_video_shorter: 'loop' }, [mono(source), { ...voice, duration: 60 }])).toBe(true);
    const bg = { mode: 'replace', bg_source: 'external', bg_url: 'https://media.example.com/bg' };
    expect(widened(bg, [source, voice, mono(voice)])).toBe(true);
    expect(widened(bg, [source, voice, voice])).toBe(false);
  });

  test('that is repeated lowers the background in each repetition', () => {
    const input = mixed({ when_audio_shorter: 'loop', offset: 1 });
    const probability = new Float32Array(94).fill(0.9, 31, 62);
    const facts: Facts = {
      sources: [
        {},
        { levels: { rms: noisy.rms.subarray(0, 300), peak: noisy.peak }, voice: { probability } },
      ],
    };
    const startsOf = (spoken: MediaProbe) => {
      const { steps } = closed(redub.plan({ input, probes: [source, spoken], facts, ...means }));
      const starts = [...JSON.stringify(steps).matchAll(/between\(t,([\d.]+)/g)];
      return starts.map(([, start]) => Number(start));
    };
    expect(startsOf({ ...voice, duration: 3 })).toEqual([1.89, 4.89, 7.89]);
    // The pictures of a video are not repeated with it, nor is the time before its sound.
    const late = source.audio && { ...source.audio, startTime: 0.5, duration: 2.5 };
    expect(startsOf({ ...source, audio: late })).toEqual([1.89, 4.39, 6.89, 9.39]);
  });
});

describe('a script over a video', () => {
  const input = operations.redub_tts.input.parse({
    video_url: url,
    segments: [
      { start: 1, text: 'Hello there.' },
      { start: 4, text: 'And again.' },
    ],
  });

  test('is spoken before anything is planned', () => {
    const spoken = redubTts.analyses(input, [source], speaking).find(({ kind }) => kind === 'speech');
    expect(spoken).toMatchObject({ lines: [{ text: 'Hello there.' }, { text: 'And again.' }] });
  });

  const laidBy = (asked: typeof input) => {
    const analyses = redubTts.analyses(asked, [source], speaking);
    const lines = analyses.flatMap((analysis) => (analysis.kind === 'speech' ? analysis.lines : []));
    const files = lines.map(
      ({ id }) =>
        [id, { file: `${id}.raw`, sampleRate: 16_000, samples: 16_000, hurry: 1, speed: 1 }] as const,
    );
    const facts: Facts = {
      speech: { engine: 'flite', sampleRate: 16_000, files: Object.fromEntries(files) },
    };
    const request = { input: asked, probes: [source], facts, ...speaking };
    return closed(redubTts.plan(request), { facts, analyses });
  };

  test('is laid at the starts of its segments, sample for sample', () => {
    const plan = laidBy(input);
    expect(plan.steps.find(({ kind }) => kind === 'place')).toMatchObject({
      parts: [{ at: 16_000 }, { at: 64_000 }],
    });
    expect(plan.duration).toBe(10);
  });

  test('says which captions without a duration begin when the video has ended', () => {
    const script =
      '00:00:01,000 --> 00:00:02,000\nHello.\n\n00:00:10,000 --> 00:00:10,000\nThanks for watching!\n';
    const { steps, warnings } = laidBy(operations.redub_tts.input.parse({ video_url: url, script }));
    expect(steps.find(({ kind }) => kind === 'place')).toMatchObject({ parts: [{ at: 16_000 }] });
    expect(warnings).toMatchObject([
      {
        code: 'captions_dropped',
        detail:
          '1 caption without a duration starts when the video has ended, at 10 s, and cannot be spoken.',
      },
    ]);
  });

  test('keeps its level where the result is stereo', () => {
    const widened = (asked: typeof input) =>
      JSON.stringify(laidBy(asked).steps).includes('stereo|c0=c0|c1=c0');
    expect(widened({ ...input, bg_source: 'keep' })).toBe(true);
    expect(widened(input)).toBe(false);
  });
});
