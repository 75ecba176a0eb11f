import type { Facts } from '../../model/plan.ts';
import { packetsIn } from '../../model/source/gop-survey.ts';
import type { MediaProbe } from '../../model/source/media-probe.ts';
import type { SurveyedPackets } from '../../model/source/surveyed-packets.ts';
import type { VideoStream } from '../../model/source/video-stream.ts';
import { type Frames, framesOf, needsPackets, unevenFrames } from '../plan/frames.ts';

/** Largest difference of frame durations that is due to rounding by the container, in seconds. */
const ROUNDING = 2.5e-3;

/**
 * The frames of a source. A survey lists only the packets around the clips of a document: the frames between them are where a
 * constant frame rate has them.
 * @param facts Without them, the frames of a variable rate are taken as even.
 */
export function sourceGrid(
  probe: MediaProbe,
  video: VideoStream,
  source: number,
  facts: Facts | null,
): Frames {
  if (!needsPackets(video) || !facts) return framesOf(probe, video, undefined);
  const known = facts.sources?.[source];
  const survey = known?.survey ?? (source === 0 ? facts.survey : undefined);
  const listed = known?.packets ?? (source === 0 ? facts.packets : undefined);
  if (!survey || survey.unfit) return framesOf(probe, video, listed);
  const runs = survey.parts.map((part) => completeTimes(part, video));
  const [only, ...others] = runs;
  if (only && others.length === 0 && isWhole(only, video)) return framesOf(probe, video, listed);
  const times = new Float64Array(new Set(runs.flatMap((run) => [...run])))
    .sort()
    .map((time) => time - probe.origin);
  const even = framesOf(probe, video, undefined);
  if (even.uneven || !runs.every((run) => isRegular(run, video))) return unevenFrames(times, even);
  const all = Float64Array.from({ length: even.count }, (_, index) => even.at(index));
  for (const time of times) all[Math.round((time - even.at(0)) / even.step)] = time;
  return { ...even, at: (index) => all[index] ?? even.at(index) };
}

/** Most packets that are decoded ahead of one that is shown before them (H.264, A.3.1). */
const REORDER = 16;

/** When the frames of a part are shown, without those at its end that may have unlisted ones before them. */
function completeTimes(part: SurveyedPackets, video: VideoStream): Float64Array {
  const { shown } = packetsIn([part], video);
  return endsAtEnd(shown, video) ? shown : shown.slice(0, -REORDER);
}

const endsAtEnd = (times: Float64Array, { startTime, duration, frameDuration }: VideoStream) =>
  (times.at(-1) ?? startTime) > startTime + duration - 1.5 * frameDuration;

/** Whether frames that follow one another are all that there are. */
const isWhole = (times: Float64Array, video: VideoStream) =>
  (times[0] ?? Number.POSITIVE_INFINITY) < video.startTime + video.frameDuration / 2 &&
  endsAtEnd(times, video);

/** Whether each frame begins where the frame rate that the container states has one, and none is missing between them. */
function isRegular(times: Float64Array, { startTime, frameDuration }: VideoStream): boolean {
  const number = (time: number) => Math.round((time - startTime) / frameDuration);
  const first = number(times[0] ?? startTime);
  return times.every((time, index) => {
    const due = startTime + (first + index) * frameDuration;
    return Math.abs(time - due) <= ROUNDING;
  });
}
