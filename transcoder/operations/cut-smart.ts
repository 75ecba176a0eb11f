import { codecFits } from '../../schema/fields.ts';
import type { OperationInput } from '../../schema/operations/index.ts';
import { isSpliced } from '../media/bitstream/codecs.ts';
import type { Analysis, Plan, WhyRendered } from '../media/plan.ts';
import { type MediaProbe, timeUnit } from '../media/probe.ts';
import { audibleIn, type CutRequest } from './cut-range.ts';
import { movingOf, only } from './source.ts';
import { placed, rangePiece, splicePlan } from './splice.ts';
import { splicedSound } from './splice-sound.ts';
import type { Span } from './timeline.ts';

/** Why a precise cut of video is rendered, as far as request and source tell; null where packets may be copied. */
function whyRendered(
  input: OperationInput<'cut'>,
  probe: MediaProbe,
  spans: readonly Span[],
): WhyRendered | null {
  const { video } = movingOf(probe);
  if (probe.format !== 'mov' && probe.format !== 'matroska') return 'container';
  if (!isSpliced(video.codec) || (input.codec !== 'auto' && input.codec !== video.codec)) return 'codec';
  if (!codecFits(input.format, video.codec)) return 'format';
  if (input.quality !== 'match_source') return 'quality';
  if (input.fade_in > 0 || input.fade_out > 0) return 'fades';
  return spans.length === 1 ? null : 'several_ranges';
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
  if (!isSpliced(video.codec)) return full;
  const audio = input.audio === 'keep' ? audibleIn(probe, [span]) : null;
  const sound = audio && splicedSound(probe, audio, [span], input.format);
  const inputs = [{ source: 0, stream: video.index }];
  return splicePlan(full, {
    ...{ codec: video.codec, model: video, before: sound?.before ?? [], frames, copied, copiedSeconds },
    inputs: sound ? [...inputs, sound.input] : inputs,
    pieces: placed([{ range, video, out: 0 }], video),
    sound: sound?.codec ?? null,
    audio: sound && { input: 1, ...sound.trim },
  });
}
