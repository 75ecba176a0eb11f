import { z } from 'zod';

/** The visible region as shares of the picture's sides. */
const view = z.object({
  ...{ x: z.number(), y: z.number() },
  ...{ across: z.number().positive(), down: z.number().positive() },
});

/** A photo as it is: the view of each frame. `picture`: PGMYUV, as ffmpeg calls it. */
const flat = z.object({ kind: z.literal('flat'), picture: z.string(), views: z.array(view).min(1) });

/** A photo animated by its depth. */
const deep = z.object({
  kind: z.literal('deep'),
  picture: z.string(),
  /** 32-bit floats. */
  depth: z.object({ file: z.string(), width: z.number().int().min(1), height: z.number().int().min(1) }),
  /** With the parallax: how far the nearest point moves left and up relative to the farthest, in the same shares. */
  views: z.array(view.extend({ dx: z.number(), dy: z.number() })).min(1),
  /** Where the photo ends. Whatever is as near as this point does not move, in each part of the photo that is drawn by itself. */
  still: z.object({ x: z.number(), y: z.number() }),
});

/** Frames with each layer below the one before it, which a filter can take apart. All layers have the same number of views. */
export const photoFrames = z.object({
  kind: z.literal('photos'),
  /** Size of a layer in pixels; even. */
  width: z.number().int().min(16),
  height: z.number().int().min(16),
  /** Frame rate as a fraction. */
  rate: z.tuple([z.number().int().min(1), z.number().int().min(1)]),
  layers: z.array(z.discriminatedUnion('kind', [flat, deep])).min(1),
});
export type PhotoFrames = z.output<typeof photoFrames>;
export type Layer = PhotoFrames['layers'][number];
export type View = z.output<typeof view>;
export type DeepLayer = z.output<typeof deep>;
