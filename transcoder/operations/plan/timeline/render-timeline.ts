import type { Warning } from '../../../../schema/task/task.ts';
import type { Plan, PlanRequest } from '../../../model/plan.ts';
import type { Step } from '../../../model/steps.ts';
import { placeOf, type Size } from '../geometry.ts';
import { type MediaRun, planMedia } from '../output.ts';
import { type Canvas, type Look, partSteps, partsOf } from './parts.ts';
import { type Clip, clipsIn, type Timeline } from './timeline.ts';
import type { TimelineSound } from './timeline-sound.ts';

/** Where each clip is visible in the output. */
const placesOf = (clips: readonly Clip[], size: Size, { fit }: Look) =>
  Object.fromEntries(
    clips.map(({ source, video }) => {
      const display = { width: video.displayWidth, height: video.displayHeight };
      return [source, placeOf(display, size, fit)];
    }),
  );

/** Renders each part of the picture and the sound separately, and joins them without re-encoding. */
export function renderTimeline(
  { input }: PlanRequest<Look>,
  timeline: Timeline,
  canvas: Canvas,
  sound: TimelineSound | null,
  warnings: Warning[],
): Plan {
  const { format } = input;
  const { rate } = timeline;
  const clips = clipsIn(timeline);
  const { size } = canvas;
  const parts = partsOf(timeline);
  const duration = timeline.frames / rate.fps;
  const entries = parts.map((part, index) => ({
    file: part.file,
    seconds: index === parts.length - 1 ? null : part.frames / rate.fps,
  }));
  const mixed = sound?.mix(sound.target, 1);
  const run: MediaRun = {
    container: format,
    inputs: [{ list: 'parts.txt' }, ...(mixed?.inputs ?? [])],
    chains: mixed?.chains ?? [],
    picture: {
      ...{ from: '0:0', encode: { copy: { codec: canvas.target.codec, packets: null } } },
      ...{ codec: canvas.target.codec, ...size, frames: timeline.frames },
    },
    sound: sound && { from: 'a', encode: sound.target.encoding },
    ...{ duration, tolerance: 1 / rate.fps, endsTogether: true, weight: duration / 10 },
    identity: {
      heard: sound?.heard ?? true,
      places: placesOf(clips, size, input),
      grid: clips
        .filter(({ video, rate: own }) => video.pace !== 'constant' || own !== 1)
        .map(({ source }) => source),
    },
  };
  const before: Step[] = [
    ...parts.flatMap((part) => partSteps(timeline, canvas, part)),
    { kind: 'list', file: 'parts.txt', entries },
    ...(sound?.steps ?? []),
  ];
  const shows = clips.map(({ source, probe, zero, rate: own, frames, at }) => {
    const start = zero - probe.origin;
    return {
      ...{ source, start, end: start + (frames / rate.fps) * own },
      ...{ out: at / rate.fps, outEnd: (at + frames) / rate.fps },
    };
  });
  return planMedia(before, run, { fps: rate.fps, shows, copied: 0, warnings });
}
