import type { Modification } from './h264-commands.ts';

/** A frame that is kept for reference, by its frame_num in one stream. */
export interface Reference {
  frameNum: number;
  /** Picture order count. */
  order: number;
}

/** The picture that refers to others. */
export interface Current extends Reference {
  /** One more than the greatest frame_num (MaxFrameNum). */
  wrap: number;
}

/** An entry of a reference list; null if it is no known picture. */
export type Entries<R> = readonly (R | null)[];

/** FrameNumWrap, which is PicNum for frames (H.264 8.2.4.1). */
export const picNum = ({ frameNum }: Reference, current: Current): number =>
  frameNum > current.frameNum ? frameNum - current.wrap : frameNum;

/** The initial lists of a slice of a frame: one for P, two for B (H.264 8.2.4.2.1 and 8.2.4.2.3). */
export function initialLists<R extends Reference>(
  known: readonly R[],
  current: Current,
  bipredicted: boolean,
): R[][] {
  if (!bipredicted) return [known.toSorted((a, b) => picNum(b, current) - picNum(a, current))];
  const before = known.filter(({ order }) => order < current.order).sort((a, b) => b.order - a.order);
  const after = known.filter(({ order }) => order > current.order).sort((a, b) => a.order - b.order);
  const lists: [R[], R[]] = [
    [...before, ...after],
    [...after, ...before],
  ];
  const [first, second, ...rest] = lists[1];
  if (first && second && (before.length === 0 || after.length === 0)) lists[1] = [second, first, ...rest];
  return lists;
}

/** Modifies an initial list (H.264 8.2.4.3.1). Long-term pictures are not known. */
export function modifiedList<R extends Reference>(
  initial: Entries<R>,
  { known, current, count }: { known: readonly R[]; current: Current; count: number },
  commands: readonly Modification[],
): Entries<R> {
  let list: (R | null)[] = Array.from({ length: count }, (_, index) => initial[index] ?? null);
  let predicted = current.frameNum;
  for (const [at, { kind, value }] of commands.entries()) {
    const moved = kind === 2 ? null : predicted + (kind === 0 ? -1 : 1) * (value + 1);
    if (moved !== null) predicted = (moved + current.wrap) % current.wrap;
    const named = predicted > current.frameNum ? predicted - current.wrap : predicted;
    const found = (moved !== null && known.find((each) => picNum(each, current) === named)) || null;
    const others = list.slice(at).filter((each) => each === null || each !== found);
    list = [...list.slice(0, at), found, ...others].slice(0, count);
  }
  return list;
}

/** Commands that make a list of exactly these pictures, whatever it was initially. */
export function commandsFor(list: readonly Reference[], current: Current): Modification[] {
  let predicted = current.frameNum;
  return list.map(({ frameNum }) => {
    const forward = (frameNum - predicted + current.wrap) % current.wrap;
    predicted = frameNum;
    // The same picture again is a whole turn away.
    const back = (current.wrap - forward) % current.wrap || current.wrap;
    return forward > 0 && forward < back ? { kind: 1, value: forward - 1 } : { kind: 0, value: back - 1 };
  });
}
