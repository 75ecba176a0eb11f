import { least } from '../model/numbers/min-max.ts';
import type { Marking, Modification } from './h264-commands.ts';
import {
  type Current,
  commandsFor,
  type Entries,
  initialLists,
  modifiedList,
  picNum,
  type Reference,
} from './h264-lists.ts';
import type { Slice } from './h264-slice.ts';

/** A reference frame of the source and its counterpart in the copy. */
interface Twin extends Reference {
  copy: Reference & { of: Twin };
}

interface Limits {
  /** MaxFrameNum. */
  wrap: number;
  /** Reference frames that a decoder holds: max_num_ref_frames, but at least one. */
  most: number;
}

/** A picture of the source. */
export interface Picture extends Reference {
  slices: readonly Slice[];
}

/** What is written instead of a picture's own numbers and commands. */
interface Rewritten {
  frameNum: number;
  /** For each slice. */
  references: { modifications: Modification[][]; marking: Marking[] | null }[];
}

const UNMARK = 1;
/** Removes long-term pictures, and there are none after an entry. */
const harmless: readonly number[] = [2, 4];
const B = 1;

/**
 * Follows the reference pictures of a stream that is entered at an intra picture, and of a copy of it that begins there and lacks
 * the leading pictures. The copy holds the same pictures as the source at any time, except those from before the entry and the
 * leading ones, and each entry of its reference lists is the same picture, or one that is not used.
 */
export class CopiedReferences {
  #limits: Limits;
  /** Whether every entry of a list must be known, because the stream does not promise that others are not used. */
  #strict: boolean;
  #source: Reference[];
  #copy: Twin['copy'][];
  /** frame_num of the last reference picture in the source, and of the next picture in the copy. */
  #last: number;
  #next = 1;

  constructor(entry: Reference, limits: Limits, strict: boolean) {
    const twin = twinOf(entry, 0);
    this.#limits = limits;
    this.#strict = strict;
    this.#source = [twin];
    this.#copy = [twin.copy];
    this.#last = entry.frameNum;
  }

  /** A picture that the copy lacks. */
  leave(picture: Picture): void {
    this.#checkNumber(picture);
    const [slice] = picture.slices;
    if (slice && isReference(slice)) this.#mark(picture, slice.marking, picture);
  }

  /** A picture of the copy. Throws RangeError if it uses what cannot be followed. */
  keep(picture: Picture): Rewritten {
    this.#checkNumber(picture);
    const { wrap } = this.#limits;
    const frameNum = this.#next;
    const copied = { frameNum, order: picture.order, wrap };
    const modifications = picture.slices.map((slice) => this.#lists(slice, { ...picture, wrap }, copied));
    const [slice] = picture.slices;
    let marking: Marking[] | null = null;
    if (slice && isReference(slice)) {
      const twin = twinOf(picture, frameNum);
      this.#mark(picture, slice.marking, twin);
      marking = this.#marking(slice, { ...picture, wrap }, copied);
      const known = new Set(this.#source);
      this.#copy = [...this.#copy.filter(({ of }) => known.has(of)), twin.copy];
      this.#next = (frameNum + 1) % wrap;
    }
    return { frameNum, references: modifications.map((lists) => ({ modifications: lists, marking })) };
  }

  #checkNumber({ frameNum }: Picture): void {
    if (frameNum !== (this.#last + 1) % this.#limits.wrap) throw new RangeError('frames are missing');
  }

  /** @param becomes What stands for the picture from now on. */
  #mark(picture: Picture, marking: readonly Marking[] | null, becomes: Reference): void {
    const current = { ...picture, wrap: this.#limits.wrap };
    if (marking === null) {
      if (this.#source.length === this.#limits.most) this.#source.splice(oldest(this.#source, current), 1);
    } else {
      for (const { operation, values } of marking) {
        if (harmless.includes(operation)) continue;
        if (operation !== UNMARK) throw new RangeError('long-term reference pictures are not followed');
        const named = picture.frameNum - (values[0] ?? 0) - 1;
        this.#source = this.#source.filter((each) => picNum(each, current) !== named);
      }
    }
    this.#source.push(becomes);
    if (this.#source.length > this.#limits.most) throw new RangeError('too many reference pictures');
    this.#last = picture.frameNum;
  }

  /** Commands after which the copy holds of its pictures only those that the source still holds. */
  #marking({ marking }: Slice, current: Current, copied: Current): Marking[] | null {
    const known = new Set(this.#source);
    const gone = this.#copy.filter(({ of }) => !known.has(of));
    const full = this.#copy.length === this.#limits.most;
    const slides = full
      ? gone.length === 1 && this.#copy[oldest(this.#copy, copied)] === gone[0]
      : gone.length === 0;
    if (slides && marking === null) return null;
    const unmark = (each: Reference) => ({
      operation: UNMARK,
      values: [copied.frameNum - picNum(each, copied) - 1],
    });
    const named = (marking ?? []).flatMap(({ operation, values }) => {
      const number = current.frameNum - (values[0] ?? 0) - 1;
      return operation === UNMARK ? gone.filter(({ of }) => picNum(of, current) === number) : [];
    });
    return [...named, ...gone.filter((each) => !named.includes(each))].map(unmark);
  }

  #lists({ active, modifications, type }: Slice, current: Current, copied: Current): Modification[][] {
    if (active.length === 0) return [];
    const bipredicted = type % 5 === B;
    const unclear = this.#source.length < Math.min(2, this.#limits.most);
    if (bipredicted && unclear && !modifications.every(({ length }) => length > 0)) {
      throw new RangeError('the order of a list depends on pictures before the entry');
    }
    const initial = initialLists(this.#source, current, bipredicted);
    const own = initialLists(this.#copy, copied, bipredicted);
    return active.map((count, index) => {
      const commands = modifications[index] ?? [];
      const found = modifiedList(initial[index] ?? [], { known: this.#source, current, count }, commands);
      const about = { known: this.#copy, current: copied, count };
      const wanted = found.map((each) => this.#copy.find(({ of }) => of === each) ?? null);
      if (this.#strict && wanted.includes(null)) throw new RangeError('a list has pictures before the entry');
      if (bipredicted && wanted[0] === null) throw new RangeError('a list begins before the entry');
      const fits = (tried: readonly Modification[]) =>
        modifiedList(own[index] ?? [], about, tried).every(
          (each, at) => each !== null && (wanted[at] ?? each) === each,
        );
      if (fits(commands)) return commands;
      return fits([]) ? [] : commandsFor(filled(wanted, this.#copy), copied);
    });
  }
}

const isReference = ({ head }: Slice): boolean => ((head >> 5) & 3) !== 0;

function twinOf({ frameNum, order }: Reference, copied: number): Twin {
  const twin = { frameNum, order } as Twin;
  twin.copy = { frameNum: copied, order, of: twin };
  return twin;
}

/** Index of the picture that a sliding window removes. */
function oldest(known: readonly Reference[], current: Current): number {
  const numbers = known.map((each) => picNum(each, current));
  return numbers.indexOf(least(numbers));
}

/** Entries that are not used repeat the one before them. */
function filled<R>(wanted: Entries<R>, known: readonly R[]): R[] {
  let last = wanted.find((each) => each !== null) ?? known[0];
  return wanted.flatMap((each) => {
    last = each ?? last;
    return last === undefined ? [] : [last];
  });
}
