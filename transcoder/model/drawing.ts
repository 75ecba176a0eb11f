import { z } from 'zod';
import { shot } from './parallax-shot.ts';
import { scene } from './visual-scene.ts';

/** Frames that a child process draws while ffmpeg reads them; files are in the job's directory. */
export const drawing = z.discriminatedUnion('kind', [
  /** `sound`: raw 32-bit float stereo. */
  z.object({ kind: z.literal('visual'), scene, sound: z.string() }),
  /** `picture`: PGMYUV, as ffmpeg calls it. `depth`: 32-bit floats. */
  z.object({ kind: z.literal('parallax'), shot, picture: z.string(), depth: z.string() }),
]);
export type Drawing = z.output<typeof drawing>;

/** Format of its frames; pixel format as ffmpeg names it. */
export function formOf(drawing: Drawing): {
  pixels: 'gray' | 'yuv420p';
  width: number;
  height: number;
  rate: readonly [number, number];
} {
  const { width, height, rate } = drawing.kind === 'visual' ? drawing.scene : drawing.shot;
  return { pixels: drawing.kind === 'visual' ? 'gray' : 'yuv420p', width, height, rate };
}
