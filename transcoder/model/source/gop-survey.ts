import type { Surveyed } from '../splice.ts';
import { Packets } from './packets.ts';
import type { SurveyedPackets } from './surveyed-packets.ts';
import { timeUnit, type VideoStream } from './video-stream.ts';

/**
 * Removes packets that decoders drop: pictures that are shown before the first keyframe and reference frames that are not in the file.
 */
export function shownPackets<P extends { pts: number }>(packets: P[], video: VideoStream): P[] {
  return packets.filter(({ pts }) => isShown(pts, video));
}

const isShown = (pts: number, { startTime, frameDuration }: VideoStream): boolean =>
  pts > startTime - frameDuration / 2;

/** Cached, because planners look up many spans in one survey. */
const found = new WeakMap<Surveyed, Packets>();

/** A survey's packets, without those hidden by an edit list; null if it lists none. */
export function packetsOf(survey: Surveyed | null | undefined, video: VideoStream): Packets | null {
  if (!survey || survey.unfit) return null;
  const known = found.get(survey);
  if (known) return known;
  const packets = packetsIn(survey.parts, video);
  found.set(survey, packets);
  return packets;
}

/** The same of some of its parts, which overlap if one range begins in the GOP in which another ends. */
export function packetsIn(parts: readonly SurveyedPackets[], video: VideoStream): Packets {
  const unit = timeUnit(video);
  const isTaken = (part: SurveyedPackets, at: number) =>
    !part.isHidden(at) && isShown((part.pts[at] ?? 0) * unit, video);
  let count = 0;
  eachOnce(parts, (part, at) => {
    if (isTaken(part, at)) count += 1;
  });
  const packets = new Packets(count);
  let index = 0;
  eachOnce(parts, (part, at) => {
    if (!isTaken(part, at)) return;
    packets.pts[index] = (part.pts[at] ?? 0) * unit;
    packets.durations[index] = (part.duration[at] ?? 0) * unit;
    packets.keys[index] = part.isKey(at) ? 1 : 0;
    index += 1;
  });
  return packets;
}

/** Visits each packet where it is listed first, as it is listed last: with a longer lead, more frames are known to decode. */
function eachOnce(
  parts: readonly SurveyedPackets[],
  visit: (part: SurveyedPackets, at: number) => void,
): void {
  const [only] = parts;
  if (only && parts.length === 1) {
    for (let at = 0; at < only.length; at++) visit(only, at);
    return;
  }
  const places = new Map<number, { part: SurveyedPackets; at: number }>();
  for (const part of parts) for (const [at, dts] of part.dts.entries()) places.set(dts, { part, at });
  for (const { part, at } of places.values()) visit(part, at);
}
