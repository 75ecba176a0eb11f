/** A frame as the decoder outputs it. */
export interface Shown {
  /** Index of its packet in decoding order. */
  packet: number;
  /** Number of repeated fields (`repeat_pict`). */
  repeated: number;
}

/** Timestamps of a packet in ticks; null where the container states none. */
export interface Stamp {
  pts: number | null;
  dts: number | null;
}

export interface Presentation {
  /** For each packet in decoding order; null for a packet without a frame of its own. */
  pts: (number | null)[];
  durations: number[];
}

/**
 * Presentation time of each packet's frame:
 * - if some packets have a presentation time, the others are interpolated by frame durations;
 * - if packets have only decoding times, a frame is shown when the decoder can output it, as in players;
 * - if packets have no times, frames follow one another from 0.
 * @param shown In the order of the decoder's output.
 * @param frame Duration of a frame in ticks.
 */
export function presentationTimes(
  packets: readonly Stamp[],
  shown: readonly Shown[],
  frame: number,
): Presentation {
  const seen = new Set<number>();
  const order = shown.filter(({ packet }) => packet in packets && !seen.has(packet) && seen.add(packet));
  const lengths = order.map(({ repeated }) => ((2 + repeated) * frame) / 2);
  const stamps = order.map(({ packet }) => packets[packet] ?? { pts: null, dts: null });
  const times = anchored(stamps, lengths) ?? asDecoded(packets, order, frame) ?? following(lengths);
  const made: Presentation = { pts: packets.map(() => null), durations: packets.map(() => 0) };
  for (const [index, { packet }] of order.entries()) {
    const at = Math.round(times[index] ?? 0);
    made.pts[packet] = at;
    made.durations[packet] = Math.round(times[index + 1] ?? at + (lengths[index] ?? frame)) - at;
  }
  return made;
}

function following(lengths: readonly number[]): number[] {
  let at = 0;
  return lengths.map((length) => {
    at += length;
    return at - length;
  });
}

/** Null if no packet has a presentation time. Ignores times that go backwards. */
function anchored(stamps: readonly Stamp[], lengths: readonly number[]): number[] | null {
  const nominal = following(lengths);
  const anchors: { index: number; pts: number }[] = [];
  for (const [index, { pts }] of stamps.entries()) {
    if (pts !== null && pts > (anchors.at(-1)?.pts ?? Number.NEGATIVE_INFINITY)) anchors.push({ index, pts });
  }
  const [first] = anchors;
  if (!first) return null;
  let next = 0;
  return nominal.map((time, index) => {
    while ((anchors[next]?.index ?? Number.POSITIVE_INFINITY) <= index) next += 1;
    const [before, after] = [anchors[next - 1] ?? first, anchors[next]];
    const since = time - (nominal[before.index] ?? 0);
    if (!after || after === before) return before.pts + since;
    const nominally = (nominal[after.index] ?? 0) - (nominal[before.index] ?? 0);
    return before.pts + (since * (after.pts - before.pts)) / nominally;
  });
}

/** Null if a packet has no decoding time. */
function asDecoded(packets: readonly Stamp[], order: readonly Shown[], frame: number): number[] | null {
  const decoded = order.map(({ packet }) => packet).sort((a, b) => a - b);
  const ranks = new Map(decoded.map((packet, rank) => [packet, rank]));
  let depth = 0;
  for (const [index, { packet }] of order.entries())
    depth = Math.max(depth, (ranks.get(packet) ?? 0) - index);
  const dts: number[] = [];
  for (const packet of decoded) {
    const at = packets[packet]?.dts ?? null;
    if (at === null) return null;
    dts.push(at);
  }
  const last = dts.at(-1) ?? 0;
  return order.map((_, index) => {
    const rank = index + depth;
    return dts[rank] ?? last + (rank - dts.length + 1) * frame;
  });
}
