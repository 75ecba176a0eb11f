import type { Warning } from '../../../../schema/task/task.ts';
import type { Plan, PlanRequest } from '../../../model/plan.ts';
import type { FrameRate } from '../frame-rate.ts';
import { displaySize, placeOf, type Size } from '../geometry.ts';
import { entriesOf, planParts } from '../joined-parts.ts';
import type { Shown } from '../output.ts';
import { type Canvas, type Look, partSteps, partsOf } from './parts.ts';
import { type Clip, clipsIn, type Timeline } from './timeline.ts';
import type { TimelineSound } from './timeline-sound.ts';

/** Where each clip is visible in the output. */
const placesOf = (clips: readonly Clip[], size: Size, { fit }: Look) =>
  Object.fromEntries(clips.map(({ source, video }) => [source, placeOf(displaySize(video), size, fit)]));

/** Renders each part of the picture and the sound separately, and joins them without re-encoding. */
export function renderTimeline(
  { input }: PlanRequest<Look>,
  timeline: Timeline,
  canvas: Canvas,
  sound: TimelineSound | null,
  warnings: Warning[],
): Plan {
  const { rate } = timeline;
  const clips = clipsIn(timeline);
  const { size } = canvas;
  const parts = partsOf(timeline);
  const duration = timeline.frames / rate.fps;
  return planParts(
    {
      pictures: parts.flatMap((part) => partSteps(timeline, canvas, part)),
      sounds: sound?.steps ?? [],
    },
    {
      ...{ container: input.format, entries: entriesOf(parts, rate) },
      picture: { codec: canvas.target.codec, ...size, frames: timeline.frames },
      sound: sound && { target: sound.target, ...sound.mix(sound.target, 1) },
      ...{ duration, tolerance: 1 / rate.fps, endsTogether: true },
      identity: {
        heard: sound?.heard ?? true,
        places: placesOf(clips, size, input),
        grid: clips
          .filter(({ video, rate: own }) => video.pace !== 'constant' || own !== 1)
          .map(({ source }) => source),
      },
    },
    { fps: rate.fps, shows: clips.map((clip) => shownIn(clip, rate)), copied: 0, warnings },
  );
}

function shownIn({ source, probe, zero, rate: own, frames, at }: Clip, { fps }: FrameRate): Shown {
  const start = zero - probe.origin;
  return {
    ...{ source, start, end: start + (frames / fps) * own },
    ...{ out: at / fps, outEnd: (at + frames) / fps },
  };
}
