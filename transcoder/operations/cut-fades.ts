import type { Render } from '../ffmpeg/step.ts';
import type { Fitting } from '../media/bitstream/codec.ts';
import { type Fades, videoFades, videoSpan } from './chains.ts';
import type { CutRequest } from './cut-range.ts';
import { movingOf, only } from './source.ts';
import { type Kept, type Span, seekBefore } from './timeline.ts';
import { briefRate, videoTarget } from './video.ts';

/** A part of a span that fades, or does not, and where it begins in the output. */
export interface Shot {
  span: Span;
  out: number;
  faded: boolean;
}

/** Divides spans where fades end and begin, a frame away from them. All in seconds. */
export function shotsOf(spans: readonly Span[], fades: Fades, frame: number): Shot[] {
  const total = spans.reduce((sum, { start, end }) => sum + end - start, 0);
  const [clearFrom, clearTo] = [
    fades.in > 0 ? fades.in + frame : 0,
    fades.out > 0 ? total - fades.out - frame : total,
  ];
  const cuts = clearFrom < clearTo ? [clearFrom, clearTo] : [];
  let out = 0;
  return spans.flatMap(({ start, end }) => {
    const begin = out;
    out += end - start;
    const inside = cuts.filter((cut) => cut > begin + frame / 2 && cut < out - frame / 2);
    const edges = [begin, ...inside, out];
    return inside.concat(out).map((to, index) => {
      const from = edges[index] ?? begin;
      const middle = (from + to) / 2;
      const faded = (fades.in > 0 || fades.out > 0) && !(middle > clearFrom && middle < clearTo);
      return { span: { start: start + from - begin, end: start + to - begin }, out: from, faded };
    });
  });
}

interface Fading {
  shot: Shot;
  kept: Kept;
  file: string;
  fitting: Fitting;
  /** Seconds of output. */
  total: number;
}

/** Renders a shot that fades to a file that can be spliced in, turned as the source is coded. */
export function fadedShot(request: CutRequest, { shot, kept, file, fitting, total }: Fading): Render {
  const { input, probes, capabilities } = request;
  const probe = only(probes);
  const { video } = movingOf(probe);
  const size = { width: video.displayWidth, height: video.displayHeight };
  const { codec, encoding } = videoTarget(video, input, size, capabilities);
  const { span, out } = shot;
  const first = out + (kept.first ?? 0) - (probe.origin + span.start);
  return {
    kind: 'render',
    inputs: [
      { source: 0, seek: seekBefore(probe, Math.min(kept.from, probe.origin + span.start)), coded: true },
    ],
    chains: [
      {
        from: [`0:${video.index}`],
        filters: [
          ...videoSpan(probe, video, span, kept),
          { name: 'setpts', options: { expr: `PTS-STARTPTS+${Math.max(0, first).toFixed(6)}/TB` } },
          ...videoFades({ in: input.fade_in, out: input.fade_out }, total),
          { name: 'setpts', options: { expr: 'PTS-STARTPTS' } },
        ],
        to: ['v'],
      },
    ],
    outputs: [
      {
        ...{ file, container: 'mp4', audio: null },
        video: { from: 'v', encode: { ...encoding, reorder: false, fitting, rate: briefRate(codec) } },
      },
    ],
    seconds: span.end - span.start,
    lead: seekBefore(probe, kept.from) === null ? span.start : 1,
  };
}
