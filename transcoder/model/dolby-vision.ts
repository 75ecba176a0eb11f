import type { Analysis, Plan } from './plan.ts';
import type { MediaProbe } from './source/media-probe.ts';
import type { Render, Splice, SpliceInput, Step } from './steps.ts';
import { TaskFailure } from './task-failure.ts';

/** Refuses analyses that draw or look at pictures that need a decoder of Dolby Vision. Throws `codec_unsupported`. */
export function admitLooks(analyses: readonly Analysis[], probes: readonly MediaProbe[]): void {
  for (const analysis of analyses) {
    if (analysis.kind !== 'pictures' && analysis.kind !== 'subject') continue;
    const profile = probes[analysis.source]?.video?.dolbyVisionOnly;
    if (profile !== undefined) throw undrawn(profile, analysis.source);
  }
}

/** Refuses a plan that decodes such pictures, and leaves out fallbacks that do. Throws `codec_unsupported`. */
export function admitColors(plan: Plan, probes: readonly MediaProbe[]): Plan {
  for (const step of plan.steps) {
    for (const { source, stream } of decodedBy(step)) {
      const found = probes[source]?.streams.find(({ index }) => index === stream);
      const profile = found?.video?.dolbyVisionOnly;
      if (profile !== undefined) throw undrawn(profile, source);
    }
  }
  const { otherwise, ...first } = plan;
  if (!otherwise) return plan;
  try {
    return { ...first, otherwise: admitColors(otherwise, probes) };
  } catch (error) {
    if (!(error instanceof TaskFailure)) throw error;
    return first;
  }
}

interface Decoded {
  source: number;
  stream: number;
}

function decodedBy(step: Step): Decoded[] {
  if (step.kind === 'splice') return splicedBy(step);
  return step.kind === 'render' ? renderedBy(step) : [];
}

function renderedBy({ inputs, chains, outputs }: Render): Decoded[] {
  const written = outputs.flatMap((output) => {
    if ('from' in output) return [output.from];
    return output.video && !('copy' in output.video.encode) ? [output.video.from] : [];
  });
  return [...chains.flatMap(({ from }) => from), ...written].flatMap((label) => {
    const [, input, stream] = /^(\d+):(\d+)$/.exec(label) ?? [];
    const read = inputs[Number(input)];
    return read && 'source' in read ? [{ source: read.source, stream: Number(stream) }] : [];
  });
}

function splicedBy({ inputs, pieces }: Splice): Decoded[] {
  const rendered = pieces.flatMap((piece): number[] => {
    if (piece.kind === 'drawn') return piece.feeds.map(({ input }) => input);
    return piece.kind === 'range' && (piece.head || piece.tail) ? [piece.input] : [];
  });
  return rendered.flatMap((input) => {
    const read: SpliceInput | undefined = inputs[input];
    return read && 'source' in read ? [read] : [];
  });
}

const undrawn = (profile: number, sourceIndex: number) =>
  new TaskFailure(
    'codec_unsupported',
    `The video of the source is Dolby Vision profile ${profile}, whose colors are green and purple without a decoder of Dolby Vision, so it cannot be drawn or re-encoded. Use /remux into mp4 or mkv, or \`mode: keyframe\` of /cut with one range and one of these formats, which copy it, or give a version of it in HDR10, HLG or SDR.`,
    { sourceIndex },
  );
