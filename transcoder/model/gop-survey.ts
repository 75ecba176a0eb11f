import type { Packet } from './plan.ts';
import type { Surveyed } from './splice.ts';
import type { SurveyedPacket } from './surveyed-packets.ts';
import { timeUnit, type VideoStream } from './video-stream.ts';

/**
 * Removes packets that decoders drop: leading pictures before the first HEVC keyframe, which reference frames that are not in
 * the file.
 */
export function shownPackets<P extends { pts: number }>(packets: P[], video: VideoStream): P[] {
  if (video.codec !== 'hevc') return packets;
  return packets.filter(({ pts }) => pts > video.startTime - video.frameDuration / 2);
}

/** A survey's packets in seconds, without those hidden by an edit list; null if it lists none. */
export function packetsOf(survey: Surveyed | null | undefined, video: VideoStream): Packet[] | null {
  if (!survey || survey.unfit) return null;
  const unit = timeUnit(video);
  const packets = distinct(survey.parts)
    .filter(({ hidden }) => !hidden)
    .map(({ pts, dts, duration, key }) => ({
      ...{ pts: pts * unit, dts: dts * unit, duration: duration * unit, key },
    }));
  return shownPackets(packets, video);
}

/** Parts of a survey overlap if one range begins in the GOP in which another ends. */
function distinct(parts: readonly SurveyedPacket[][]): SurveyedPacket[] {
  const [only] = parts;
  if (parts.length === 1 && only) return only;
  return [...new Map(parts.flat().map((packet) => [packet.dts, packet])).values()];
}
