import type { Packet } from './plan.ts';
import { timeUnit, type VideoStream } from './probe.ts';
import type { Surveyed } from './worker/protocol.ts';

/** The packets of a survey in seconds, without those that an edit list hides; null where it lists none. */
export function packetsOf(survey: Surveyed | null | undefined, video: VideoStream): Packet[] | null {
  if (!survey || survey.unfit) return null;
  const unit = timeUnit(video);
  return survey.parts
    .flat()
    .filter(({ hidden }) => !hidden)
    .map(({ pts, dts, duration, key }) => ({
      ...{ pts: pts * unit, dts: dts * unit, duration: duration * unit, key },
    }));
}
