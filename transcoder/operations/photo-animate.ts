import type { Warning } from '../../schema/task.ts';
import type { Render, Step } from '../ffmpeg/step.ts';
import type { Plan, Planner } from '../media/plan.ts';
import { drawnTarget } from './drawn-video.ts';
import { demuxerFor, videoFile } from './files.ts';
import { type FrameRate, frameRate } from './frame-rate.ts';
import { evenDown, evenNear, type Size } from './geometry.ts';
import { type PhotoInput, photoChains } from './photo-canvas.ts';
import { musicOf, repeats } from './photo-sound.ts';
import {
  musicSeconds,
  type Photo,
  type PhotoRequest,
  photosOf,
  secondsOf,
  timelineOf,
} from './photo-timeline.ts';
import { probedCodec } from './sound.ts';
import { checkSide, micros } from './source.ts';
import { stillInput, stillOf } from './still-picture.ts';
import { drawingOf, jointChains } from './transitions.ts';
import type { VideoTarget } from './video.ts';

export const photoAnimate: Planner<PhotoInput> = {
  analyses: (input, probes) => {
    musicSeconds({ input, probes });
    return photosOf(input).map((_, source) => {
      const probe = probes[source];
      if (!probe) throw new Error(`photo ${source} has no source`);
      stillOf(probe, source, undefined);
      return { kind: 'orientation', source };
    });
  },

  plan: (request) => {
    const { input, limits, capabilities } = request;
    const size = sizeOf(input);
    checkSide(size, limits.output_side_px);
    const rate = frameRate(input.fps);
    const warnings: Warning[] = [];
    const photos = timelineOf(request, size, rate, warnings);
    const target = drawnTarget(input, size, rate, capabilities);
    return planParts(request, photos, { size, rate, target, warnings });
  },
};

/** Shorter and longer side where neither is asked for. */
const [SHORT, LONG] = [1080, 1920];

export function sizeOf(input: PhotoInput): Size {
  const [w = 16, h = 9] = input.aspect_ratio.split(':').map(Number);
  const { width, height } = input;
  if (width !== undefined && height !== undefined)
    return { width: evenDown(width), height: evenDown(height) };
  if (width !== undefined) return { width: evenDown(width), height: evenNear((width * h) / w) };
  if (height !== undefined) return { width: evenNear((height * w) / h), height: evenDown(height) };
  const scale = Math.min(SHORT / Math.min(w, h), LONG / Math.max(w, h));
  return { width: evenNear(w * scale), height: evenNear(h * scale) };
}

interface Stage {
  size: Size;
  rate: FrameRate;
  target: VideoTarget;
  warnings: Warning[];
}

interface Part {
  file: string;
  frames: number;
  steps: Step[];
}

/** Photos and the transitions between them, each encoded by itself and joined as they are. */
function planParts(request: PhotoRequest, photos: readonly Photo[], stage: Stage): Plan {
  const { input } = request;
  const { size, rate, target, warnings } = stage;
  const parts = photos.flatMap((photo, index) => partsOf(request, photos, index, photo, stage));
  const last = photos.at(-1);
  const frames = (last?.at ?? 0) + (last?.frames ?? 0);
  const duration = frames / rate.fps;
  const music = musicOf(request, duration);
  const file = videoFile(input.format);
  const entries = parts.map((part, index) => ({
    file: part.file,
    seconds: index === parts.length - 1 ? null : part.frames / rate.fps,
  }));
  const joined: Render = {
    kind: 'render',
    inputs: [
      { list: 'parts.txt' },
      ...(music ? [{ source: music.source, seek: null, loop: repeats(input) }] : []),
    ],
    chains: music?.chains ?? [],
    outputs: [
      {
        file: file.file,
        container: input.format,
        video: { from: '0:0', encode: { copy: { codec: target.codec, packets: null } } },
        audio: music ? { from: 'a', encode: music.target.encoding } : null,
      },
    ],
    seconds: duration / 10,
    lead: 0,
  };
  return {
    steps: [...parts.flatMap(({ steps }) => steps), { kind: 'list', file: 'parts.txt', entries }, joined],
    files: [file],
    expect: {
      pictures: [],
      media: [
        {
          file: file.file,
          format: demuxerFor(input.format),
          video: { codec: target.codec, ...size, frames },
          audio: music && { codec: probedCodec[music.target.encoding.encoder] },
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
      timeline: photos.map(({ index, preset, at, frames: own }) => ({
        photo: index,
        preset,
        start: secondsOf(at, rate),
        end: secondsOf(at + own, rate),
      })),
    },
    time_map: [],
    warnings,
  };
}

/** What a photo is seen in alone, and its transition to the next. */
function partsOf(
  request: PhotoRequest,
  photos: readonly Photo[],
  index: number,
  photo: Photo,
  stage: Stage,
): Part[] {
  const { input, capabilities } = request;
  const { size, rate, target } = stage;
  const { pixelFormat } = target.encoding;
  const chainsOf = (one: Photo, from: number, to: number, at: number, label: string) =>
    photoChains({ ...one, from, to }, { size, rate, pixelFormat, input }, at, label);
  const head = photos[index - 1]?.overlap ?? 0;
  const tail = photo.frames - photo.overlap;
  const parts: Part[] = [];
  if (tail > head) {
    const file = `photo${index}.mp4`;
    const render = partRender(file, stage, tail - head, {
      inputs: [stillInput(photo.picture)],
      chains: chainsOf(photo, head, tail, 0, 'v'),
    });
    parts.push({ file, frames: tail - head, steps: [render] });
  }
  const next = photos[index + 1];
  if (!next || photo.overlap === 0 || input.transition === 'none') return parts;
  const [file, map] = [`joint${index}.mp4`, `map${index}.pgm`];
  const frames = photo.overlap;
  const drawing = drawingOf(input.transition, frames, capabilities.transitions);
  const render = partRender(file, stage, frames, {
    inputs: [
      stillInput(photo.picture),
      stillInput(next.picture),
      ...(drawing.kind === 'map' ? [{ map }] : []),
    ],
    chains: [
      ...chainsOf(photo, tail, photo.frames, 0, 'a'),
      ...chainsOf(next, 0, frames, 1, 'b'),
      ...jointChains({ drawing, frames, rate, pixelFormat }, '2:0'),
    ],
  });
  const drawn: Step[] =
    drawing.kind === 'map' ? [{ kind: 'map', file: map, shape: drawing.shape, ...size }] : [];
  parts.push({ file, frames, steps: [...drawn, render] });
  return parts;
}

function partRender(
  file: string,
  { rate, target }: Stage,
  frames: number,
  { inputs, chains }: Pick<Render, 'inputs' | 'chains'>,
): Render {
  return {
    kind: 'render',
    inputs,
    chains,
    outputs: [{ file, container: 'mp4', video: { from: 'v', encode: target.encoding }, audio: null }],
    seconds: frames / rate.fps,
    lead: 0,
  };
}
