import { decimal } from '../numbers/decimal.ts';
import type { Filter } from '../steps.ts';

/** A video stream whose container states decoding times but no presentation times. */
interface DecodingOrder {
  /** Packets that a decoder reads before it outputs the first frame. Each frame gets the time of the packet read last. */
  decodeDelay: number;
  /** Whether a muxer wrote decoding times in place of presentation times. */
  timedByDecoding?: boolean;
  /** Time of the first packet in seconds, and whether nothing can be decoded of it. */
  startTime: number;
  withinGroup?: boolean;
}

/** A tick may be a whole frame, and times are rounded to ticks. Cutting between two frames, and adding up their durations, needs finer ones. */
const FINER: Filter = { name: 'settb', options: { expr: 'intb/1024' } };

/**
 * Gives each frame the time of the packet read `decodeDelay` packets earlier. A decoder outputs one frame per packet in
 * presentation order, so that is its presentation time. Gaps between packets are kept. The first frames have no
 * earlier packet: the very first one gets the time of the first packet, the others stand before the next one at the frame rate.
 *
 * Where decoding times stand in for presentation times, ffmpeg has none for the last frames; they follow at its frame rate.
 * @param seeks Whether decoding does not begin with the first packet.
 */
export function presentationFilters(
  { decodeDelay, timedByDecoding, startTime, withinGroup }: DecodingOrder,
  seeks: boolean,
): Filter[] {
  if (timedByDecoding) {
    const next = 'PREV_OUTPTS+1/(FRAME_RATE*TB)';
    return [FINER, { name: 'setpts', options: { expr: `if(lte(PTS,PREV_OUTPTS),${next},PTS)` } }];
  }
  if (decodeDelay === 0) return [];
  const moved = (first: string): Filter => ({
    name: 'setpts',
    options: { expr: `if(isnan(PREV_INPTS),${first},PREV_INPTS)` },
  });
  const before = 'PTS-1/(FRAME_RATE*TB)';
  const begin = seeks || withinGroup ? before : `round(${decimal(startTime)}/TB)`;
  return [FINER, ...Array.from({ length: decodeDelay - 1 }, () => moved(before)), moved(begin)];
}
