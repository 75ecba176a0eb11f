import { writeSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Drawing, drawing } from '../../model/drawing.ts';
import { openShot } from '../parallax/draw.ts';
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
    for (let frame = 0; frame < frames; frame++) writeWhole(draw(frame));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPIPE') throw error;
  }
  process.exit(0);
});

function drawn(asked: Drawing, directory: string): { frames: number; draw: (frame: number) => Uint8Array } {
  if (asked.kind === 'visual') {
    const { scene, sound } = asked;
    return { frames: scene.frames, draw: drawer(scene, openSound(join(directory, sound))) };
  }
  const { shot, picture, depth } = asked;
  return {
    frames: shot.views.length,
    draw: openShot(shot, join(directory, picture), join(directory, depth)),
  };
}

function writeWhole(pixels: Uint8Array): void {
  let written = 0;
  while (written < pixels.length) written += writeSync(STDOUT, pixels, written);
}
