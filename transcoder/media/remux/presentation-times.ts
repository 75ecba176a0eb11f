import { isAscending, least } from '../../model/numbers/min-max.ts';

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
  /** Whether an edit list hides its frame. */
  hidden: boolean;
}

export interface Presentation {
  /** For each packet in decoding order; null for a packet without a frame of its own. */
  pts: (number | null)[];
  durations: number[];
}

/** Whether a muxer wrote decoding times in place of presentation times, or frames are shown in decoding order. */
export const statesDecodingTimes = (packets: readonly Stamp[]): boolean =>
  packets.every(({ pts }, at) => pts !== null && pts > (packets[at - 1]?.pts ?? Number.NEGATIVE_INFINITY));

/**
 * Presentation time of each packet's frame:
 * - if presentation times are decoding times, frames keep them until one descends, and from there on a frame is shown when the
 *   decoder can output it, as in libavcodec; the first is shown from the start of the edit or of what can be decoded, and hidden frames
 *   keep their times;
 * - if some packets have a presentation time, the others are interpolated by frame durations;
 * - if these times descend, although decoding times ascend, frames follow one another as decoding times do, from the first frame's time;
 * - if packets have only decoding times, a frame is shown when the decoder can output it, as in players;
 * - if packets have no times, frames follow one another from 0.
 * @param shown In the order of the decoder's output.
 * @param frame Duration of a frame in ticks.
 * @param delay Packets that the decoder reads before it outputs the first frame, as the stream states it; null if the container counts
 * frames as they are shown, so the first frame has the time of the first packet.
 */
export function presentationTimes(
  packets: readonly Stamp[],
  shown: readonly Shown[],
  frame: number,
  delay: number | null,
): Presentation {
  const seen = new Set<number>();
  const order = shown.filter(({ packet }) => packet in packets && !seen.has(packet) && seen.add(packet));
  const lengths = order.map(({ repeated }) => ((2 + repeated) * frame) / 2);
  const stamps = order.map(({ packet }) => packets[packet] ?? UNSTATED);
  const counted = delay === null ? asDecoded(packets, order, frame, null) : null;
  const times =
    counted ??
    corrected(packets, order, frame, delay ?? 0) ??
    misordered(packets, stamps, asDecoded(packets, order, frame, delay)) ??
    anchored(stamps, lengths) ??
    ascending(asDecoded(packets, order, frame, delay ?? 0), lengths) ??
    following(lengths);
  const places = apart(times, (index) => stamps[index]?.hidden === true);
  const made: Presentation = { pts: packets.map(() => null), durations: packets.map(() => 0) };
  let next: number | undefined;
  for (const [index, { packet }] of [...order.entries()].reverse()) {
    const at = places[index] ?? 0;
    made.pts[packet] = at;
    made.durations[packet] = Math.round(next ?? at + (lengths[index] ?? frame)) - at;
    if (!packets[packet]?.hidden) next = at;
  }
  return made;
}

const UNSTATED: Stamp = { pts: null, dts: null, hidden: false };

/** Null if presentation times differ from decoding times. */
function corrected(
  packets: readonly Stamp[],
  order: readonly Shown[],
  frame: number,
  delay: number,
): number[] | null {
  if (!statesDecodingTimes(packets)) return null;
  // libav derives the decoding times of some containers from these.
  const stated = packets.map(({ pts, hidden }) => ({ pts, dts: pts, hidden }));
  const decoded = asDecoded(stated, order, frame, delay) ?? [];
  // Of packets before the first keyframe nothing is shown.
  const entered = packets.slice(least(order.map(({ packet }) => packet)));
  const start = least(entered.flatMap(({ pts, hidden }) => (hidden ? [] : (pts ?? []))));
  let latest: number | null = null;
  let descended = false;
  return order.map(({ packet }, index) => {
    const { pts, hidden } = packets[packet] ?? UNSTATED;
    const own = pts ?? 0;
    if (hidden) return own;
    const first = latest === null;
    descended ||= latest !== null && own <= latest;
    latest = own;
    if (first) return start;
    return descended ? (decoded[index] ?? own) : own;
  });
}

/** Null unless stated times descend and those by decoding ascend. @param stamps In the order of presentation. */
function misordered(
  packets: readonly Stamp[],
  stamps: readonly Stamp[],
  decoded: readonly number[] | null,
): number[] | null {
  const [first] = stamps;
  const stated = stamps.flatMap(({ pts }) => pts ?? []);
  if (!decoded || !first || first.pts === null || packets.some(({ hidden }) => hidden)) return null;
  if (isAscending(stated) || !isAscending(decoded)) return null;
  const later = first.pts - (decoded[0] ?? 0);
  return decoded.map((time) => time + later);
}

/** Times in whole ticks, of which no two that are shown are the same. */
function apart(times: readonly number[], isHidden: (index: number) => boolean): number[] {
  let latest = Number.NEGATIVE_INFINITY;
  return times.map((time, index) => {
    const own = Math.round(time);
    if (isHidden(index)) return own;
    latest = Math.max(own, latest + 1);
    return latest;
  });
}

/** Times of frames that are in a file twice, or whose clock goes back, do not ascend, as times of frames in a row have to. */
function ascending(times: readonly number[] | null, lengths: readonly number[]): readonly number[] | null {
  if (!times || isAscending(times)) return times;
  return anchored(
    times.map((pts) => ({ ...UNSTATED, pts })),
    lengths,
  );
}

function following(lengths: readonly number[]): number[] {
  let at = 0;
  return lengths.map((length) => {
    at += length;
    return at - length;
  });
}

/** Null if no packet has a presentation time. Ignores times that go backwards; of frames with one time, each is a tick later. */
function anchored(stamps: readonly Stamp[], lengths: readonly number[]): number[] | null {
  const nominal = following(lengths);
  const anchors: { index: number; pts: number }[] = [];
  let latest = Number.NEGATIVE_INFINITY;
  for (const [index, { pts }] of stamps.entries()) {
    const before = anchors.at(-1)?.pts ?? Number.NEGATIVE_INFINITY;
    if (pts === null || (pts !== latest && pts <= before)) continue;
    anchors.push({ index, pts: Math.max(pts, before + 1) });
    latest = pts;
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

/**
 * Null if packets at either end, or several in a row, have no decoding time.
 * @param delay At least; frames that come later prove more. Null if frames are shown from the first decoding time on.
 */
function asDecoded(
  packets: readonly Stamp[],
  order: readonly Shown[],
  frame: number,
  delay: number | null,
): number[] | null {
  const decoded = order.map(({ packet }) => packet).sort((a, b) => a - b);
  const ranks = new Map(decoded.map((packet, rank) => [packet, rank]));
  let depth = delay ?? 0;
  for (const [index, { packet }] of delay === null ? [] : order.entries())
    depth = Math.max(depth, (ranks.get(packet) ?? 0) - index);
  const dts: number[] = [];
  for (const packet of decoded) {
    const [before, at, behind] = [-1, 0, 1].map((by) => packets[packet + by]?.dts ?? null);
    const time = at ?? (before == null || behind == null ? null : (before + behind) / 2);
    if (time === null) return null;
    dts.push(time);
  }
  const last = dts.at(-1) ?? 0;
  return order.map((_, index) => {
    const rank = index + depth;
    return dts[rank] ?? last + (rank - dts.length + 1) * frame;
  });
}
