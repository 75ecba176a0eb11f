import { z } from 'zod';
import { photoFrames } from './photo-layers.ts';
import { scene } from './visual-scene.ts';

/** Frames that a child process draws while ffmpeg reads them; files are in the job's directory. */
export const drawing = z.discriminatedUnion('kind', [
  /** `sound`: raw 32-bit float stereo. */
  z.object({ kind: z.literal('visual'), scene, sound: z.string() }),
  photoFrames,
]);
export type Drawing = z.output<typeof drawing>;

/** Format of its frames; pixel format as ffmpeg names it. */
export function formOf(drawing: Drawing): {
  pixels: 'gray' | 'yuv420p';
  width: number;
  height: number;
  rate: readonly [number, number];
} {
  if (drawing.kind === 'visual') {
    const { width, height, rate } = drawing.scene;
    return { pixels: 'gray', width, height, rate };
  }
  const { width, height, rate, layers } = drawing;
  return { pixels: 'yuv420p', width, height: height * layers.length, rate };
}
