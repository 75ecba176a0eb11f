import { least } from '../../../../model/numbers/min-max.ts';

/** Times of a packet, in ticks. */
export interface Stamp {
  pts: number;
  dts: number;
}

/**
 * The tick to write as 0 at the latest, if `zero` is wanted. libav's mp4 muxer begins the edit of a track by the smallest delay between
 * decoding and presentation of all packets that are decoded before 0; its demuxer takes what is left before the first picture for
 * nothing. Where an encoder states a longer delay than it needs, the picture would come as much too early; then, no packet is decoded
 * before 0.
 * @param packets The first ones, in decoding order.
 */
export function firstTick(packets: readonly Stamp[], zero: number): number {
  const [first] = packets;
  const shown = least(packets.map(({ pts }) => pts));
  if (!first || first.pts !== shown || shown <= zero) return zero;
  const before = packets.filter(({ dts }) => dts <= zero);
  const delay = least(before.map(({ pts, dts }) => pts - dts));
  return delay < first.pts - first.dts ? first.dts : zero;
}
