import { codecFits } from '../../../schema/operations/fields/fields.ts';
import type { OperationInput } from '../../../schema/operations/index.ts';
import type { Analysis, Plan, WhyRendered } from '../../model/plan.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import { isTimedByPackets, timeUnit, type VideoStream } from '../../model/source/video-stream.ts';
import { isSpliced, type SplicedCodec } from '../../model/splice.ts';
import type { Span } from './frames.ts';

/** The fields of a request that decide whether packets can be copied. */
export type Delivered = Pick<OperationInput<'cut'>, 'format' | 'codec' | 'quality'>;

/** The codec whose packets can be copied, or why none can, judged from request and probe alone. */
export function splicedCodec(
  input: Delivered,
  probe: MediaProbe,
  video: VideoStream,
): { codec: SplicedCodec } | { why: WhyRendered } {
  const { codec } = video;
  if (video.deinterlace === 'always') return { why: 'deinterlaced' };
  if (probe.format !== 'mov' && probe.format !== 'matroska') return { why: 'container' };
  if (!isTimedByPackets(video)) return { why: 'container' };
  if (!isSpliced(codec) || (input.codec !== 'auto' && input.codec !== codec)) return { why: 'codec' };
  if (!codecFits(input.format, codec)) return { why: 'format' };
  if (input.quality !== 'match_source') return { why: 'quality' };
  // Only x264 encodes frames that can stand between interlaced packets, and a packet has to hold both fields.
  if (video.interlaced && (codec !== 'h264' || video.singleFields)) return { why: 'interlaced' };
  return { codec };
}

/** Whether a render changes the picture's size or colors. */
export function isConverted({ warnings }: Plan): boolean {
  return warnings.some(({ code }) => code === 'size_reduced' || code === 'hdr_tonemapped');
}

/** Frames around a range that may have to be decoded with it. */
const AROUND = 16;

/** A survey of these spans, with a margin. */
export function surveyOf(
  probe: MediaProbe,
  video: VideoStream,
  source: number,
  spans: readonly Span[],
): Analysis {
  const unit = timeUnit(video);
  const margin = AROUND * video.frameDuration;
  const ranges: [number, number][] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const from = Math.floor((probe.origin + start - margin) / unit);
    const to = Math.ceil((probe.origin + end + margin) / unit);
    const last = ranges.at(-1);
    if (last && from <= last[1]) last[1] = Math.max(last[1], to);
    else ranges.push([from, to]);
  }
  return { kind: 'survey', source, ranges };
}
