/** Largest reorder depth of a stream (H.264 A.3.1). */
const MOST_HELD = 16;

/**
 * A decoding time for each packet in decoding order: strictly rising, never later than the packet's presentation time. Decoding
 * times before the earliest presentation time are `frame` ticks apart. All in ticks.
 */
export function decodingTimes(pts: ArrayLike<number>, frame: number): Float64Array {
  const depth = reorderDepth(pts);
  // Pictures that are decoded behind the first one may be shown before it.
  let first = pts[0] ?? 0;
  for (let index = 1; index < pts.length; index++) first = Math.min(first, pts[index] ?? first);
  const waiting = Array.from({ length: depth }, (_, index) => first - (depth - index) * frame);
  return Float64Array.from(pts, (time) => {
    let at = waiting.length;
    while (at > 0 && (waiting[at - 1] ?? 0) > time) at -= 1;
    waiting.splice(at, 0, time);
    return waiting.shift() ?? time;
  });
}

/** Largest number of packets that precede a packet but are shown after it. */
function reorderDepth(pts: ArrayLike<number>): number {
  let depth = 0;
  for (let index = 0; index < pts.length; index++) {
    const time = pts[index] ?? 0;
    let later = 0;
    for (let before = index - 1; before >= Math.max(0, index - 2 * MOST_HELD); before--) {
      if ((pts[before] ?? 0) > time) later += 1;
    }
    depth = Math.max(depth, later);
  }
  return depth;
}
