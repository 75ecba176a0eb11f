/** When samples are composed, in ticks of their media. */
export interface ComposedSpan {
  first: number;
  /** When the last one is composed. */
  last: number;
  /** How long the sample that is decoded last is decoded. */
  frame: number;
}

const ENTRY = 8;

/**
 * By the entries of `stts` alone, where samples are composed when they are decoded. The last one counts as long as those before it at
 * most: some muxers give it whatever is left of a length.
 */
export function decodedSpan(durations: Buffer): ComposedSpan | null {
  let [last, frame, time] = [Number.NEGATIVE_INFINITY, 0, 0];
  for (let run = 0; run + ENTRY <= durations.length; run += ENTRY) {
    const [count, duration] = [durations.readUInt32BE(run), durations.readUInt32BE(run + 4)];
    if (count === 0) continue;
    const isOther = count === 1 && Number.isFinite(last);
    frame = isOther ? Math.min(frame, duration) : duration;
    last = time + (count - 1) * duration;
    time += count * duration;
  }
  return Number.isFinite(last) ? { first: 0, last, frame } : null;
}

/**
 * By the entries of `stts` and `ctts` (ISO/IEC 14496-12 section 8.6.1): runs of samples with a duration, and with what is added to
 * their decoding times. Null if they are not for the same number of samples.
 */
export function composedSpan(durations: Buffer, offsets: Buffer): ComposedSpan | null {
  let [first, last, frame] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 0];
  let [time, left, offset, at] = [0, 0, 0, 0];
  for (let run = 0; run + ENTRY <= durations.length; run += ENTRY) {
    const duration = durations.readUInt32BE(run + 4);
    for (let count = durations.readUInt32BE(run); count > 0; ) {
      for (; left === 0; at += ENTRY) {
        if (at + ENTRY > offsets.length) return null;
        left = offsets.readUInt32BE(at);
        offset = offsets.readInt32BE(at + 4);
      }
      const alike = Math.min(count, left);
      first = Math.min(first, time + offset);
      last = Math.max(last, time + (alike - 1) * duration + offset);
      frame = duration;
      time += alike * duration;
      left -= alike;
      count -= alike;
    }
  }
  return Number.isFinite(first) && left === 0 && at === offsets.length ? { first, last, frame } : null;
}
