import type { Packet } from './plan.ts';
import type { Surveyed, SurveyedPacket } from './splice.ts';
import { timeUnit, type VideoStream } from './video-stream.ts';

/**
 * Removes the packets that no decoder shows: leading pictures before the first HEVC keyframe, which reference frames that are
 * not in the file.
 */
export function shownPackets<P extends { pts: number }>(packets: P[], video: VideoStream): P[] {
  if (video.codec !== 'hevc') return packets;
  return packets.filter(({ pts }) => pts > video.startTime - video.frameDuration / 2);
}

/** The packets of a survey in seconds, without those that an edit list hides; null where it lists none. */
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

/** Parts of a survey may overlap, where one range begins in the group of pictures in which another ends. */
function distinct(parts: readonly SurveyedPacket[][]): SurveyedPacket[] {
  const [only] = parts;
  if (parts.length === 1 && only) return only;
  return [...new Map(parts.flat().map((packet) => [packet.dts, packet])).values()];
}
