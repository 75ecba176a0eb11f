/** A frame as the decoder gives it out. */
export interface Shown {
  /** Number of the packet that it comes from, in decoding order. */
  packet: number;
  /** Fields that are shown again (`repeat_pict`). */
  repeated: number;
}

/** What a container says of a packet, in ticks; null where it says nothing. */
export interface Stamp {
  pts: number | null;
  dts: number | null;
}

export interface Presentation {
  /** For each packet in decoding order; null for one without a frame of its own. */
  pts: (number | null)[];
  durations: number[];
}

/**
 * When the frame of each packet is shown. Where some packets say it, the others are spread between them by the lengths of
 * the frames; where they say only when they are decoded, a frame is shown when the decoder can give it out, as players do it;
 * where they say nothing, frames follow one another from 0 on.
 * @param shown In the order in which the decoder gives them out.
 * @param frame Ticks that a frame lasts.
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

/** Null where no packet says when it is shown. One that goes back in time is not believed. */
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

/** Null where a packet does not say when it is decoded. */
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
