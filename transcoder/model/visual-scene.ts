import { z } from 'zod';
import { visualStyleNames } from '../../schema/media/visual-styles.ts';

/** Everything that determines a visualizer's frames, in addition to the sound: equal scenes and sounds give identical bytes. */
export const scene = z.object({
  style: z.enum(visualStyleNames),
  /** Frame size in pixels, margin included. */
  width: z.number().int().min(16),
  height: z.number().int().min(16),
  /** Pixels at every edge reserved for the glow. */
  margin: z.number().int().min(0),
  /** Frame rate as a fraction. */
  rate: z.tuple([z.number().int().min(1), z.number().int().min(1)]),
  frames: z.number().int().min(1),
  bars: z.number().int().min(8).max(256),
  /** 0 follows the sound instantly, 1 moves slowly. */
  smoothing: z.number().min(0).max(1),
  /** Gain applied to the sound before drawing, in decibels. */
  gainDb: z.number(),
  /** 0 … 1. */
  opacity: z.number().min(0).max(1),
  sampleRate: z.number().int().min(8000),
});
export type Scene = z.output<typeof scene>;
