import type { Warning } from '../../../schema/task/task.ts';
import type { Render, Step } from '../../model/steps.ts';
import type { FrameRate } from '../plan/frame-rate.ts';
import type { Size } from '../plan/geometry.ts';
import { pictureOutput } from '../plan/joined-parts.ts';
import { drawingOf, jointChains } from '../plan/transitions.ts';
import type { VideoTarget } from '../plan/video-target.ts';
import { canvasSteps, drawnAlone, drawnPair, layerOf } from './layers.ts';
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

/** The part in which a photo is shown alone, and its transition to the next photo. */
export function partsOf(
  { input, capabilities }: PhotoRequest,
  photos: readonly Photo[],
  index: number,
  photo: Photo,
  stage: Stage,
): Part[] {
  const { size, rate, target } = stage;
  const { pixelFormat, color } = target.encoding;
  const shown = { size, input };
  const head = photos[index - 1]?.overlap ?? 0;
  const tail = photo.frames - photo.overlap;
  const parts: Part[] = [];
  const prepared = head === 0 ? canvasSteps(photo, shown) : [];
  if (tail > head) {
    const file = `photo${index}.mp4`;
    const drawn = drawnAlone(layerOf(photo, shown, head, tail), stage);
    const steps = [...prepared, partRender(file, stage, tail - head, drawn)];
    parts.push({ file, frames: tail - head, steps });
  }
  const next = photos[index + 1];
  if (!next || photo.overlap === 0 || input.transition === 'none') return parts;
  const [file, map] = [`joint${index}.mp4`, `map${index}.pgm`];
  const frames = photo.overlap;
  const drawing = drawingOf(input.transition, frames, capabilities.transitions, size);
  const pair = drawnPair([layerOf(photo, shown, tail, photo.frames), layerOf(next, shown, 0, frames)], stage);
  const render = partRender(file, stage, frames, {
    inputs: [...pair.inputs, ...(drawing.kind === 'map' ? [{ map }] : [])],
    chains: [...pair.chains, ...jointChains({ drawing, frames, size, rate, pixelFormat, color }, '1:0')],
  });
  const drawn: Step[] =
    drawing.kind === 'map' ? [{ kind: 'map', file: map, shape: drawing.shape, ...size }] : [];
  parts.push({ file, frames, steps: [...canvasSteps(next, shown), ...drawn, render] });
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
    outputs: [pictureOutput(file, target.encoding)],
    seconds: frames / rate.fps,
    lead: 0,
  };
}
