import type { ClipItem, Item } from '../../../schema/otio/timeline.ts';
import { framesAtRate, type Played } from '../plan/compile/clips.ts';
import { type Document, isAsLong, isSamePart, type TimelineInput } from './document.ts';
import { edgeOf, isSameRate, type MediaClock, spanOf } from './media-clock.ts';

/** A clip of a document whose sound, if it is heard, follows its pictures. */
export interface Followed {
  item: ClipItem;
  muted: boolean;
}

/**
 * The clips of a document that shows parts of one source one after another, with their sound. Null for any other, and if
 * the request changes the size or the frame rate.
 */
export function followedClips({ width, height, fps }: TimelineInput, document: Document): Followed[] | null {
  const { picture, sound } = document.timeline;
  const [heard, ...others] = sound;
  if (!picture || others.length > 0 || width !== undefined || height !== undefined || fps !== undefined)
    return null;
  const [first] = document.clips;
  if (!first) return null;
  const clips = picture.items.map((item, index): Followed | null => {
    if (item.kind !== 'clip' || item.rate === 0) return null;
    if (document.sourceOf(item) !== document.sourceOf(first)) return null;
    const muted = heard ? isMuted(item, heard.items[index], document) : false;
    return muted === null ? null : { item, muted };
  });
  if (heard && heard.items.length !== picture.items.length) return null;
  return clips.every((clip) => clip !== null) ? clips : null;
}

/** Whether a clip is silent; null if other sound is heard. */
function isMuted(item: ClipItem, sound: Item | undefined, { sourceOf }: Document): boolean | null {
  if (sound?.kind === 'gap') return isAsLong(item, sound) ? true : null;
  return sound?.kind === 'clip' && isSamePart(item, sound, sourceOf) ? false : null;
}

/** Largest distance of a length from whole frames, in frames. */
const ODD = 0.02;

/**
 * The spans of the source that the clips play. Null if their lengths are no whole frames of the source, or are not reached by
 * playing whole frames of it at their rates: frames would then move from where the document has them.
 */
export function playedOf(clock: MediaClock, clips: readonly Followed[]): Played[] | null {
  const played: Played[] = [];
  for (const { item, muted } of clips) {
    const span = spanOf(clock, item);
    const due = framesDue(clock, item);
    if (due !== null && Math.abs(due - Math.round(due)) > Math.max(ODD, due * ROUNDED)) return null;
    const next = { start: edgeOf(clock, span.start), end: edgeOf(clock, span.end), rate: item.rate, muted };
    if (due !== null && clock.grid && item.rate !== 1) {
      const { shown } = framesAtRate(clock.grid.step, next.end - next.start, item.rate);
      if (shown !== Math.round(due)) return null;
    }
    const last = played.at(-1);
    if (last && last.end === next.start && last.rate === 1 && next.rate === 1 && last.muted === muted) {
      last.end = next.end;
    } else if (next.end > next.start) played.push(next);
  }
  return played;
}

/** Frames of the source that a clip lasts in its track; null if it has no length, or the source no constant frame rate. */
function framesDue({ grid }: MediaClock, { duration }: ClipItem): number | null {
  if (!grid || grid.uneven || !duration) return null;
  // A rounded rate would add up over a long clip.
  if (isSameRate(duration.rate, 1 / grid.step)) return duration.value;
  return duration.value / duration.rate / grid.step;
}

/** Relative rounding of frame rates in documents, such as 29.97 for 30000/1001. */
const ROUNDED = 0.0004;
