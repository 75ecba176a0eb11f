import { readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Drawing, drawing } from '../../model/drawing.ts';
import type { Layer, PhotoFrames } from '../../model/photo-layers.ts';
import { deepDrawer } from '../photo/deep.ts';
import { flatDrawer } from '../photo/flat.ts';
import { planesOf } from '../photo/planes.ts';
import { drawer } from '../visual/draw.ts';
import { openSound } from '../visual/sound.ts';

/** Receives one drawing, writes its frames to stdout and exits; exits early if the reader closes the pipe. */

const STDOUT = 1;

const order = z.object({ drawing, directory: z.string() });

process.on('disconnect', () => process.exit(0));
process.once('message', (message) => {
  const { drawing, directory } = order.parse(message);
  const { frames, draw } = drawn(drawing, directory);
  try {
    for (let frame = 0; frame < frames; frame++) for (const plane of draw(frame)) writeWhole(plane);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
  process.exit(0);
});

/** Draws the planes of a frame in their order. */
type Draw = (frame: number) => Uint8Array[];

function drawn(asked: Drawing, directory: string): { frames: number; draw: Draw } {
  if (asked.kind === 'visual') {
    const { scene, sound } = asked;
    const draw = drawer(scene, openSound(join(directory, sound)));
    return { frames: scene.frames, draw: (frame) => [draw(frame)] };
  }
  const { layers } = asked;
  const drawers = layers.map((layer) => layerDrawer(asked, layer, directory));
  const draw: Draw = (frame) => {
    const drawn = drawers.map((draw) => draw(frame));
    return [0, 1, 2].flatMap((plane) => drawn.flatMap((planes) => planes[plane] ?? []));
  };
  return { frames: layers[0]?.views.length ?? 0, draw };
}

function layerDrawer(size: PhotoFrames, layer: Layer, directory: string): Draw {
  const planes = planesOf(readFileSync(join(directory, layer.picture)));
  if (layer.kind === 'flat') return flatDrawer(size, layer.views, planes);
  const bytes = readFileSync(join(directory, layer.depth.file));
  return deepDrawer(size, layer, planes, new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4));
}

function writeWhole(pixels: Uint8Array): void {
  let written = 0;
  while (written < pixels.length) written += writeSync(STDOUT, pixels, written);
}
