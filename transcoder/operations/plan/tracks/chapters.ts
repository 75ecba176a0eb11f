import type { VideoContainer } from '../../../../schema/operations/fields/fields.ts';
import type { TimeMap } from '../../../../schema/task/task.ts';
import { greatest, least } from '../../../model/numbers/min-max.ts';
import { type Chapter, MOST_CHAPTERS } from '../../../model/source/contents.ts';
import type { MediaProbe } from '../../../model/source/media-probe.ts';
import { micros } from '../require-streams.ts';

/** Less of a chapter is what rounding to frames leaves of it. Seconds of the source. */
const SHORTEST = 0.04;
/** Parts of a chapter that are closer than this follow one another. Seconds. */
const APART = 0.002;

/** Chapters of the sources in seconds from their start. */
export const chaptersIn = ({ chapters, origin }: MediaProbe): Chapter[] =>
  chapters
    .slice(0, MOST_CHAPTERS)
    .map(({ start, end, title }) => ({ start: start - origin, end: end - origin, title }));

/**
 * The chapters of all sources where they are in the output, also backwards and at other rates. Each begins where it is shown first and
 * ends where it is interrupted or, at the latest, where the next one begins, unless it contains that one.
 * @param sources By source, in seconds from its start.
 */
export function mappedChapters(sources: readonly (readonly Chapter[])[], map: TimeMap): Chapter[] {
  const shown = sources
    .flatMap((chapters, source) => {
      const clips = map.filter((clip) => clip.source === source);
      return chapters.flatMap((chapter) => firstShown(chapter, clips));
    })
    .sort((a, b) => a.start - b.start)
    .slice(0, MOST_CHAPTERS);
  return shown.map((chapter, index) => {
    const next = shown[index + 1];
    const cut = next && next.start > chapter.start && next.end > chapter.end;
    return cut ? { ...chapter, end: Math.min(chapter.end, next.start) } : chapter;
  });
}

/** A chapter from its first shown instant to the first interruption; nothing if it is not shown. */
function firstShown({ start, end, title }: Chapter, clips: TimeMap): Chapter[] {
  const parts = clips
    .flatMap(({ in: [from, to], out: [begin, stop] }) => {
      const [low, high] = [Math.min(from, to), Math.max(from, to)];
      if (Math.min(end, high) - Math.max(start, low) < SHORTEST) return [];
      // The rest of its neighbor is too short to be a chapter.
      const edges = [start - low < SHORTEST ? low : start, high - end < SHORTEST ? high : end];
      const placed = edges.map((time) => micros(begin + ((time - from) * (stop - begin)) / (to - from)));
      return [{ start: least(placed), end: greatest(placed) }];
    })
    .sort((a, b) => a.start - b.start);
  const [first] = parts;
  if (!first) return [];
  let until = first.end;
  for (const part of parts) {
    if (part.start - until > APART) break;
    until = Math.max(until, part.end);
  }
  return [{ start: first.start, end: until, title }];
}

/** The chapter tracks of mp4 and mov have no gaps: a chapter without a title precedes a late first one, and each ends where the next begins. */
export function fitting(format: VideoContainer, chapters: readonly Chapter[]): Chapter[] {
  if (format !== 'mp4' && format !== 'mov') return [...chapters];
  return fromStart(chapters).map((chapter, index, all) => ({
    ...chapter,
    end: all[index + 1]?.start ?? chapter.end,
  }));
}

/** With a chapter without a title before a late first one. */
export function fromStart(chapters: readonly Chapter[]): Chapter[] {
  const [first] = chapters;
  const late = first && first.start > 0;
  return late ? [{ start: 0, end: first.start, title: '' }, ...chapters] : [...chapters];
}
