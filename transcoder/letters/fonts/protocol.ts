import { z } from 'zod';

/** Messages between the transcoder and the process that opens a font of a caller. */

const fontFile = z.object({
  path: z.string(),
  index: z.number(),
  bold: z.boolean(),
  italic: z.boolean(),
  overhangs: z.boolean().optional(),
});

const part = z.object({
  from: z.number(),
  to: z.number(),
  bold: z.boolean().optional(),
  italic: z.boolean().optional(),
});

export const order = z.union([
  z.object({
    /** The file of the caller. */
    open: z.string(),
    /** File for the font that is drawn. */
    to: z.string(),
    /** Name of its family. */
    family: z.string(),
    /** The other fonts, by family. */
    fonts: z.array(z.tuple([z.string(), z.array(fontFile)])),
  }),
  z.object({
    /** Texts to set, with `bold`, `spacing` and `language` of their typeface, and their styled parts. */
    set: z.array(z.tuple([z.string(), z.boolean(), z.number(), z.string().nullable(), z.array(part)])),
  }),
]);
export type Order = z.output<typeof order>;

/** A length in line heights: large enough for a caption of 1000 letters, so nothing that is planned with it overflows. */
const length = z.number().min(-1e5).max(1e5);
const offset = z.number().int().min(0).max(1e6);

const line = z.object({
  width: length,
  ascent: length,
  descent: length,
  ink: z.object({ above: length, below: length }),
  overhang: length,
  clusters: z.array(
    z.object({
      from: offset,
      to: offset,
      x: length,
      width: length,
      emoji: z.object({ space: length }).nullable(),
    }),
  ),
  runs: z.array(
    z.object({
      ...{ from: offset, to: offset, family: z.string().max(200), size: length },
      ...{ bold: z.boolean(), italic: z.boolean() },
    }),
  ),
  missing: z.array(z.string().max(200)),
});

/** What a process that a font has taken over may say: it is checked like any text of a caller. */
export const answer = z.union([
  z.object({
    opened: z.object({
      em: z.number().positive().max(1e5),
      capitals: z.number().min(0).max(100),
      variable: z.boolean(),
    }),
  }),
  z.object({ lines: z.array(line) }),
  /** Why the font cannot be used. */
  z.object({ refused: z.enum(['unusable', 'failed']), why: z.string().max(500) }),
]);
export type Answer = z.output<typeof answer>;
