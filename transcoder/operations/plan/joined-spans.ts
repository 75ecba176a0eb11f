import type { AudioStream, MediaProbe } from '../../model/media-probe.ts';
import type { Chain } from '../../model/steps.ts';
import type { AudioTarget } from './audio-target.ts';
import { audioSpan } from './filters.ts';
import type { Span } from './frame-selection.ts';
import type { Shown } from './output.ts';
import { micros } from './require-streams.ts';

/** Where each span begins in the output. */
export function starts(spans: readonly Span[]): number[] {
  let at = 0;
  return spans.map((span) => {
    const here = at;
    at = micros(at + span.end - span.start);
    return here;
  });
}

export const totalOf = (spans: readonly Span[]) =>
  micros(spans.reduce((sum, span) => sum + span.end - span.start, 0));

/** The spans and their places in the output. */
export const placedSpans = (spans: readonly Span[]): Shown[] => {
  const outs = starts(spans);
  return spans.map(({ start, end }, index) => {
    const out = outs[index] ?? 0;
    return { start, end, out, outEnd: out + end - start };
  });
};

export const partSound = (index: number) => `part${index}.raw`;

/**
 * The samples of one range. All ranges but the last get exactly the samples between the rounded start and the rounded
 * end of their place in the output, to keep rounding errors from accumulating.
 */
export function soundPart(
  probe: MediaProbe,
  stream: AudioStream,
  target: AudioTarget,
  spans: readonly Span[],
  index: number,
): Chain {
  const span = spans[index] ?? { start: 0, end: 0 };
  const outStarts = starts(spans);
  const sampleAt = (out: number) => Math.round(out * target.sampleRate);
  const next = outStarts[index + 1];
  const samples = next === undefined ? null : sampleAt(next) - sampleAt(outStarts[index] ?? 0);
  const slack = 2 / target.sampleRate;
  return {
    from: [`0:${stream.index}`],
    filters: [
      ...audioSpan(probe, samples === null ? span : { start: span.start, end: span.end + slack }),
      ...target.after,
      ...(samples === null
        ? []
        : [
            { name: 'apad', options: { whole_len: samples } },
            { name: 'atrim', options: { end_sample: samples } },
          ]),
    ],
    to: ['a'],
  };
}
