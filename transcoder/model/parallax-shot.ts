import { z } from 'zod';

/** A photo animated by its depth: the view of each frame. */
export const shot = z.object({
  /** Frame size in pixels; even. */
  width: z.number().int().min(16),
  height: z.number().int().min(16),
  /** Frame rate as a fraction. */
  rate: z.tuple([z.number().int().min(1), z.number().int().min(1)]),
  /** Size of the depth map in pixels. */
  depth: z.object({ width: z.number().int().min(1), height: z.number().int().min(1) }),
  /**
   * For each frame, the visible region as shares of the picture's sides, and the parallax: how far the nearest point moves left
   * and up relative to the farthest, in the same shares.
   */
  views: z
    .array(
      z.object({
        ...{ x: z.number(), y: z.number(), across: z.number(), down: z.number() },
        ...{ dx: z.number(), dy: z.number() },
      }),
    )
    .min(1),
});
export type Shot = z.output<typeof shot>;
