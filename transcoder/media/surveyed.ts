import type { Packet } from './plan.ts';
import { timeUnit, type VideoStream } from './probe.ts';
import type { Surveyed, SurveyedPacket } from './worker/protocol.ts';

/** The packets of a survey in seconds, without those that an edit list hides; null where it lists none. */
export function packetsOf(survey: Surveyed | null | undefined, video: VideoStream): Packet[] | null {
  if (!survey || survey.unfit) return null;
  const unit = timeUnit(video);
  return distinct(survey.parts)
    .filter(({ hidden }) => !hidden)
    .map(({ pts, dts, duration, key }) => ({
      ...{ pts: pts * unit, dts: dts * unit, duration: duration * unit, key },
    }));
}

/** Parts of a survey may overlap, where one range begins in the group of pictures in which another ends. */
function distinct(parts: readonly SurveyedPacket[][]): SurveyedPacket[] {
  const [only] = parts;
  if (parts.length === 1 && only) return only;
  return [...new Map(parts.flat().map((packet) => [packet.dts, packet])).values()];
}
