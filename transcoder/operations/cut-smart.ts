import type { OperationInput } from '../../schema/operations/index.ts';
import type { Analysis, Plan, WhyRendered } from '../media/plan.ts';
import { type AudioStream, type MediaProbe, timeUnit } from '../media/probe.ts';
import { audibleIn, type CutRequest } from './cut-range.ts';
import { movingOf, only } from './source.ts';
import { placed, rangePiece, splicePlan } from './splice.ts';
import type { Span } from './timeline.ts';

/** Sound that is copied, and how many packets its decoder takes to settle. */
const settling: Partial<Record<string, number>> = { aac: 1, ac3: 1, mp3: 3 };

/** Why a precise cut of video is rendered, as far as request and source tell; null where packets may be copied. */
function whyRendered(
  input: OperationInput<'cut'>,
  probe: MediaProbe,
  spans: readonly Span[],
): WhyRendered | null {
  const { video } = movingOf(probe);
  if (probe.format !== 'mov') return 'container';
  if (video.codec !== 'h264' || (input.codec !== 'auto' && input.codec !== 'h264')) return 'codec';
  if (input.format !== 'mp4' && input.format !== 'mov') return 'format';
  if (input.quality !== 'match_source') return 'quality';
  if (input.fade_in > 0 || input.fade_out > 0) return 'fades';
  if (spans.length !== 1) return 'several_ranges';
  const sound = input.audio === 'keep' ? audibleIn(probe, spans) : null;
  return sound && !copiedSound(probe, sound) ? 'sound' : null;
}

function copiedSound(probe: MediaProbe, { index, codec }: AudioStream): boolean {
  const profile = probe.streams.find((stream) => stream.index === index)?.profile;
  return settling[codec] !== undefined && (codec !== 'aac' || profile === 'LC');
}

/** What has to be known of the packets around the range. */
export function surveys(input: OperationInput<'cut'>, probe: MediaProbe, spans: readonly Span[]): Analysis[] {
  const [span] = spans;
  if (!span || whyRendered(input, probe, spans) !== null) return [];
  const { video } = movingOf(probe);
  const unit = timeUnit(video);
  const margin = 16 * video.frameDuration;
  const from = Math.floor((probe.origin + span.start - margin) / unit);
  const to = Math.ceil((probe.origin + span.end + margin) / unit);
  return [{ kind: 'survey', source: 0, ranges: [[from, to]] }];
}

/** One range: packets are copied where the source allows it, and only the frames around them rendered. */
export function planSmart(request: CutRequest, spans: readonly Span[], full: Plan): Plan {
  const { input, probes, facts } = request;
  const probe = only(probes);
  const [span] = spans;
  const why = whyRendered(input, probe, spans);
  if (why !== null || !span) return { ...full, ...(why ? { rendered_because: why } : {}) };
  const converted = ['size_reduced', 'hdr_tonemapped'];
  if (full.warnings.some(({ code }) => converted.includes(code))) {
    return { ...full, rendered_because: 'converted' };
  }
  if (!facts.survey) return { ...full, rendered_because: 'engine_unavailable' };
  if (facts.survey.unfit) return { ...full, rendered_because: facts.survey.unfit };
  const { video } = movingOf(probe);
  const range = rangePiece({ probe, video, span, survey: facts.survey, input: 0 });
  if (typeof range === 'string') return { ...full, rendered_because: range };
  const { frames, copied, copiedSeconds } = range;
  if (full.expect.media[0]?.video?.frames !== frames) return { ...full, rendered_because: 'frames_differ' };
  const sound = input.audio === 'keep' ? audibleIn(probe, [span]) : null;
  const inputs = [{ source: 0, stream: video.index }];
  return splicePlan(full, {
    ...{ codec: 'h264', model: video, before: [], frames, copied, copiedSeconds },
    inputs: sound ? [...inputs, { source: 0, stream: sound.index }] : inputs,
    pieces: placed([{ range, video, out: 0 }], video),
    sound: sound?.codec ?? null,
    audio: sound && {
      input: 1,
      start: Math.round((probe.origin + span.start) * sound.sampleRate),
      end: Math.round((probe.origin + span.end) * sound.sampleRate),
      settle: settling[sound.codec] ?? 1,
    },
  });
}
