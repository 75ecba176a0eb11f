import type { Warning } from '../../../../schema/task/task.ts';
import type { Plan, PlanRequest } from '../../../model/plan.ts';
import type { Render } from '../../../model/steps.ts';
import { probedCodec } from '../audio-target.ts';
import { placeOf, type Size } from '../geometry.ts';
import { demuxerFor, videoFile } from '../output-files.ts';
import { micros } from '../require-streams.ts';
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
  const file = videoFile(format);
  const seconds = (frames: number) => micros(frames / rate.fps);
  const entries = parts.map((part, index) => ({
    file: part.file,
    seconds: index === parts.length - 1 ? null : part.frames / rate.fps,
  }));
  const mixed = sound?.mix(sound.target, 1);
  const joined: Render = {
    kind: 'render',
    inputs: [{ list: 'parts.txt' }, ...(mixed?.inputs ?? [])],
    chains: mixed?.chains ?? [],
    outputs: [
      {
        file: file.file,
        container: format,
        video: { from: '0:0', encode: { copy: { codec: canvas.target.codec, packets: null } } },
        audio: sound ? { from: 'a', encode: sound.target.encoding } : null,
      },
    ],
    seconds: duration,
    weight: duration / 10,
    lead: 0,
  };
  return {
    steps: [
      ...parts.flatMap((part) => partSteps(timeline, canvas, part)),
      { kind: 'list', file: 'parts.txt', entries },
      ...(sound?.steps ?? []),
      joined,
    ],
    files: [file],
    expect: {
      pictures: [],
      media: [
        {
          file: file.file,
          format: demuxerFor(format),
          video: { codec: canvas.target.codec, ...size, frames: timeline.frames },
          identity: {
            heard: sound?.heard ?? true,
            places: placesOf(clips, size, input),
            grid: clips
              .filter(({ video, rate: own }) => video.pace !== 'constant' || own !== 1)
              .map(({ source }) => source),
          },
          audio: sound ? { codec: probedCodec[sound.target.encoding.encoder] } : null,
          duration,
          tolerance: 1 / rate.fps,
          endsTogether: true,
          slack: 0,
        },
      ],
    },
    duration: micros(duration),
    ...size,
    fps: rate.fps,
    data: {
      copied_seconds: 0,
      rendered_seconds: micros(duration),
    },
    time_map: clips.map(({ source, probe, zero, rate: own, frames, at }) => {
      const start = zero - probe.origin;
      return {
        source,
        in: [micros(start), micros(start + (frames / rate.fps) * own)],
        out: [seconds(at), seconds(at + frames)],
      };
    }),
    warnings,
  };
}
