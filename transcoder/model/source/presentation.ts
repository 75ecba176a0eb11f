import type { Filter } from '../steps.ts';

/** A video stream whose container states decoding times but no presentation times. */
interface DecodingOrder {
  /** Packets that a decoder reads before it outputs the first frame. Each frame gets the time of the packet read last. */
  decodeDelay: number;
  /** Whether a muxer wrote decoding times in place of presentation times. */
  timedByDecoding?: boolean;
}

/** A tick may be a whole frame, and times are rounded to ticks. Cutting between two frames, and adding up their durations, needs finer ones. */
const FINER: Filter = { name: 'settb', options: { expr: 'intb/1024' } };

/**
 * Gives each frame the time of the packet read `decodeDelay` packets earlier. A decoder outputs one frame per packet in
 * presentation order, so that is its presentation time. Gaps between packets are kept.
 *
 * Where decoding times stand in for presentation times, ffmpeg has none for the last frames; they follow at its frame rate.
 */
export function presentationFilters({ decodeDelay, timedByDecoding }: DecodingOrder): Filter[] {
  if (timedByDecoding) {
    const next = 'PREV_OUTPTS+1/(FRAME_RATE*TB)';
    return [FINER, { name: 'setpts', options: { expr: `if(lte(PTS,PREV_OUTPTS),${next},PTS)` } }];
  }
  const expr = 'if(isnan(PREV_INPTS),PTS-1/(FRAME_RATE*TB),PREV_INPTS)';
  if (decodeDelay === 0) return [];
  return [FINER, ...Array.from({ length: decodeDelay }, () => ({ name: 'setpts', options: { expr } }))];
}
