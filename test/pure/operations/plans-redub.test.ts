import { describe, expect, test } from 'vitest';
import { operations } from '../../../schema/operations/index.ts';
import type { MediaProbe } from '../../../transcoder/model/media-probe.ts';
import type { Facts, Means } from '../../../transcoder/model/plan.ts';
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

  test('is laid at the starts of its segments, sample for sample', () => {
    const analyses = redubTts.analyses(input, [source], speaking);
    const lines = analyses.flatMap((analysis) => (analysis.kind === 'speech' ? analysis.lines : []));
    const files = lines.map(
      ({ id }) => [id, { file: `${id}.raw`, sampleRate: 16_000, samples: 16_000, hurry: 1 }] as const,
    );
    const facts: Facts = {
      speech: { engine: 'flite', sampleRate: 16_000, files: Object.fromEntries(files) },
    };
    const plan = closed(redubTts.plan({ input, probes: [source], facts, ...speaking }), { facts, analyses });
    expect(plan.steps.find(({ kind }) => kind === 'place')).toMatchObject({
      parts: [{ at: 16_000 }, { at: 64_000 }],
    });
    expect(plan.duration).toBe(10);
  });
});
