import { describe, expect, it } from 'vitest';
import type { RenderedSpan } from '../../../schema/operations/fields/spans.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import type { Task } from '../../../transcoder/task/job.ts';
import { nameOf } from '../../../transcoder/task/upload.ts';
import { located } from '../../../worker/http/docs/pages/located.ts';

const samples = Object.fromEntries(
  ['video', 'photo', 'speech', 'speaker', 'music', 'song'].map((kind) => [kind, `https://here/${kind}`]),
);

const secondsOf = (spans: RenderedSpan[], copied: boolean): number =>
  spans.filter((span) => span.copied === copied).reduce((sum, { out }) => sum + out[1] - out[0], 0);

describe.each(operationNames)('the examples of %s', (name) => {
  const { data, examples, exampleResult } = operations[name];

  it('begin with one that works as pasted, on samples of the service', () => {
    const site = { url: 'https://here', samples } as unknown as Parameters<typeof located>[1];
    expect(located(JSON.stringify(examples[0]?.input), site)).not.toContain('media.example.com');
  });

  it('show the file name that the transcoder gives the result of the first', () => {
    const { file_name, role } = exampleResult;
    const file = { role, extension: file_name.split('.').at(-1) ?? '' };
    const output_name = examples[0]?.input.output_name ?? name;
    expect(file_name).toBe(nameOf({ output_name } as Task, [file], file));
  });

  it('show how each part of a video was made, where the operation says it', () => {
    if (!('spans' in data.shape) || exampleResult.role !== 'video') return;
    const shown = exampleResult.data as Record<string, unknown>;
    const spans = shown.spans as RenderedSpan[];
    expect(spans[0]?.out[0]).toBe(0);
    for (const [i, { out, frames, copied, rendered_because }] of spans.entries()) {
      expect(out[1]).toBe(spans[i + 1]?.out[0] ?? exampleResult.duration);
      expect(frames).toBe(Math.round((out[1] - out[0]) * (exampleResult.fps ?? Number.NaN)));
      expect(copied).toBe(rendered_because === null);
    }
    expect(secondsOf(spans, true)).toBeCloseTo(Number(shown.copied_seconds));
    expect(secondsOf(spans, false)).toBeCloseTo(Number(shown.rendered_seconds));
  });
});
