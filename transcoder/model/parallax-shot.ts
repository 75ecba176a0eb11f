import { z } from 'zod';

/** A photo that is moved by its depth: where it is seen from, frame by frame. */
export const shot = z.object({
  /** Pixels of a frame; even. */
  width: z.number().int().min(16),
  height: z.number().int().min(16),
  /** Frames a second, as a fraction. */
  rate: z.tuple([z.number().int().min(1), z.number().int().min(1)]),
  /** Pixels of the map of depths. */
  depth: z.object({ width: z.number().int().min(1), height: z.number().int().min(1) }),
  /**
   * For each frame the part of the picture that is seen, as parts of its sides, and by what part of them the nearest moves to
   * the left and up against the farthest.
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
