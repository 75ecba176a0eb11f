import { writeSync } from 'node:fs';
import { drawer } from './draw.ts';
import { drawing } from './scene.ts';
import { openSound } from './sound.ts';

/** A process that is told once what to draw, writes the frames to its stdout and ends; earlier where nobody reads on. */

const STDOUT = 1;

process.on('disconnect', () => process.exit(0));
process.once('message', (message) => {
  const { scene, sound } = drawing.parse(message);
  const draw = drawer(scene, openSound(sound));
  try {
    for (let frame = 0; frame < scene.frames; frame++) writeWhole(draw(frame));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
  process.exit(0);
});

function writeWhole(pixels: Uint8Array): void {
  let written = 0;
  while (written < pixels.length) written += writeSync(STDOUT, pixels, written);
}
