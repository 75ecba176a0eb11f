import type { Warning } from '../../../schema/task/task.ts';
import type { Chain, Input, Render, Step, VideoEncoding } from '../../model/steps.ts';
import type { FrameRate } from '../plan/frame-rate.ts';
import type { Size } from '../plan/geometry.ts';
import { counted, stillInput } from '../plan/still-image.ts';
import { drawingOf, jointChains } from '../plan/transitions.ts';
import type { VideoTarget } from '../plan/video-target.ts';
import { photoChains } from './ken-burns-filters.ts';
import { depthFrames } from './parallax.ts';
import type { Photo, PhotoRequest } from './timeline.ts';

export interface Stage {
  size: Size;
  rate: FrameRate;
  target: VideoTarget;
  warnings: Warning[];
}

/** A separately rendered part of the output: a photo alone, or a transition between two. */
interface Part {
  file: string;
  frames: number;
  steps: Step[];
}

/** CRF of the intermediate file for transitions with a depth photo, low enough to be visually lossless. */
const INTERMEDIATE_CRF = 6;

/** The part in which a photo is shown alone, and its transition to the next photo. */
export function partsOf(
  request: PhotoRequest,
  photos: readonly Photo[],
  index: number,
  photo: Photo,
  stage: Stage,
): Part[] {
  const { input, capabilities } = request;
  const { size, rate, target } = stage;
  const { pixelFormat, color } = target.encoding;
  const head = photos[index - 1]?.overlap ?? 0;
  const tail = photo.frames - photo.overlap;
  const parts: Part[] = [];
  if (tail > head) {
    const file = `photo${index}.mp4`;
    const alone = framesOf(request, photo, stage, head, tail);
    parts.push({ file, frames: tail - head, steps: [partRender(file, stage, tail - head, alone)] });
  }
  const next = photos[index + 1];
  if (!next || photo.overlap === 0 || input.transition === 'none') return parts;
  const [file, map] = [`joint${index}.mp4`, `map${index}.pgm`];
  const frames = photo.overlap;
  const drawing = drawingOf(input.transition, frames, capabilities.transitions);
  const before = inJoint(request, photo, stage, tail, photo.frames, { at: 0, label: 'a' });
  const after = inJoint(request, next, stage, 0, frames, { at: 1, label: 'b' });
  const render = partRender(file, stage, frames, {
    inputs: [before.input, after.input, ...(drawing.kind === 'map' ? [{ map }] : [])],
    chains: [
      ...before.chains,
      ...after.chains,
      ...jointChains({ drawing, frames, size, rate, pixelFormat, color }, '2:0'),
    ],
  });
  const drawn: Step[] =
    drawing.kind === 'map' ? [{ kind: 'map', file: map, shape: drawing.shape, ...size }] : [];
  parts.push({ file, frames, steps: [...before.steps, ...after.steps, ...drawn, render] });
  return parts;
}

/** Frames of one photo, from input 0 to `v`. */
function framesOf(
  { input }: PhotoRequest,
  photo: Photo,
  { size, rate, target }: Stage,
  from: number,
  to: number,
): Pick<Render, 'inputs' | 'chains'> {
  if (photo.preset === 'parallax') return depthFrames(photo, { size, rate, input }, from, to);
  const shown = { size, rate, pixelFormat: target.encoding.pixelFormat, input };
  return {
    inputs: [stillInput(photo.picture)],
    chains: photoChains({ ...photo, from, to }, shown, 0, 'v'),
  };
}

/**
 * Frames of a photo as one of two inputs. Photos with depth are rendered to a file first, because a run can read frames
 * from only one process.
 */
function inJoint(
  request: PhotoRequest,
  photo: Photo,
  stage: Stage,
  from: number,
  to: number,
  { at, label }: { at: number; label: string },
): { input: Input; chains: Chain[]; steps: Step[] } {
  const { size, rate, target } = stage;
  const { pixelFormat } = target.encoding;
  if (photo.preset !== 'parallax') {
    const shown = { size, rate, pixelFormat, input: request.input };
    return {
      input: stillInput(photo.picture),
      chains: photoChains({ ...photo, from, to }, shown, at, label),
      steps: [],
    };
  }
  const name = `deep${photo.index}${label}`;
  const encode = { ...target.encoding, rate: { crf: INTERMEDIATE_CRF, maxKbps: null } };
  const alone = framesOf(request, photo, stage, from, to);
  return {
    input: { list: `${name}.txt` },
    chains: [
      {
        from: [`${at}:0`],
        filters: [...counted(rate), { name: 'format', options: { pix_fmts: pixelFormat } }],
        to: [label],
      },
    ],
    steps: [
      partRender(`${name}.mp4`, stage, to - from, alone, encode),
      { kind: 'list', file: `${name}.txt`, entries: [{ file: `${name}.mp4`, seconds: null }] },
    ],
  };
}

function partRender(
  file: string,
  { rate, target }: Stage,
  frames: number,
  { inputs, chains }: Pick<Render, 'inputs' | 'chains'>,
  encode: VideoEncoding = target.encoding,
): Render {
  return {
    kind: 'render',
    inputs,
    chains,
    outputs: [{ file, container: 'mp4', video: { from: 'v', encode }, audio: null }],
    seconds: frames / rate.fps,
    lead: 0,
  };
}
