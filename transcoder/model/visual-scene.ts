import { z } from 'zod';
import { visualStyleNames } from '../../schema/media/visual-styles.ts';

/** Everything that the frames of a visualizer depend on beside the sound: the same scene and sound give the same bytes. */
export const scene = z.object({
  style: z.enum(visualStyleNames),
  /** Pixels of a frame, the margin among them. */
  width: z.number().int().min(16),
  height: z.number().int().min(16),
  /** Pixels at every edge that glow alone reaches into. */
  margin: z.number().int().min(0),
  /** Frames a second, as a fraction. */
  rate: z.tuple([z.number().int().min(1), z.number().int().min(1)]),
  frames: z.number().int().min(1),
  bars: z.number().int().min(8).max(256),
  /** 0 for what the sound does at every moment, 1 for slow movements. */
  smoothing: z.number().min(0).max(1),
  /** Decibels by which the sound is raised before it is drawn. */
  gainDb: z.number(),
  /** 0 … 1. */
  opacity: z.number().min(0).max(1),
  sampleRate: z.number().int().min(8000),
});
export type Scene = z.output<typeof scene>;
