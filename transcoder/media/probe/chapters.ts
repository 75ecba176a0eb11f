import { z } from 'zod';
import { type Chapter, MOST_CHAPTERS } from '../../model/source/contents.ts';
import { lineOf } from './line-of.ts';

/** As ffprobe prints them; those with malformed times are left out. */
const printed = z.object({
  start_time: z.coerce.number(),
  end_time: z.coerce.number().catch(Number.NEGATIVE_INFINITY),
  tags: z
    .object({ title: z.string().default('') })
    .default({ title: '' })
    .catch({ title: '' }),
});
export const printedChapters = z
  .array(printed.nullable().catch(null))
  .default([])
  .transform((all) => all.flatMap((one) => one ?? []));
export type PrintedChapters = z.output<typeof printedChapters>;

/** Chapters by start, at most one more than are kept. A chapter without an end lasts until the next one or until `end`. */
export function chaptersOf(found: PrintedChapters, end: number): Chapter[] {
  const sorted = found.toSorted((a, b) => a.start_time - b.start_time).slice(0, MOST_CHAPTERS + 1);
  return sorted.map(({ start_time: start, end_time: stated, tags: { title } }) => {
    const next = sorted.find((other) => other.start_time > start)?.start_time ?? end;
    return { start, end: stated > start ? stated : Math.max(start, next), title: lineOf(title) ?? '' };
  });
}
