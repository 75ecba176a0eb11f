import type { Span } from '../model/byte-ranges.ts';

const KIB = 1024;
/** What a reader gets at first who looks around, and one who goes on from here. */
const FIRST = { looking: 64 * KIB, going: 256 * KIB };
const MOST = 4096 * KIB;
/** A group of pictures is brought at once up to this size. */
const MOST_OF_A_GROUP = 4 * MOST;
/** A reader who jumps over so little goes on. */
const GAP = 256 * KIB;
/** Sound of the same moment lies so close before its keyframe. */
const BEFORE_KEYFRAME = 64 * KIB;
const READERS = 8;
/** After so many requests the least that is read doubles, so that no way of reading makes too many of them. */
const MANY = 16;

/** Decides how far beyond what is wanted to read, so that who reads on asks seldom, and who jumps gets little. */
export class ReadAhead {
  #keyframes: readonly number[];
  /** Where readers were brought to and how much they got, the latest last. */
  #reached: { to: number; step: number }[] = [];
  /** What the latest reader was to get. */
  #step = 0;
  #requests = 0;

  /** @param keyframes Where groups of pictures begin, in rising order. */
  constructor(keyframes: readonly number[]) {
    this.#keyframes = keyframes;
  }

  /** @returns how far to read for a reader who wants these bytes and will go `on` from there, or only looks around. */
  to([from, to]: Span, on: boolean): number {
    const before = this.#reached.findIndex((reader) => from >= reader.to && from - reader.to <= GAP);
    const [reader] = before < 0 ? [] : this.#reached.splice(before, 1);
    const step = reader ? Math.min(reader.step * 2, MOST) : on ? FIRST.going : FIRST.looking;
    this.#step = step;
    const far = on && !reader ? this.#groupEnd(from) : this.#backToKeyframe(from, from + step);
    const least = FIRST.looking * (2 ** Math.floor(this.#requests / MANY) - 1);
    return Math.max(to, far ?? from + step, from + Math.min(least, MOST));
  }

  /** Says how far was read for a reader. */
  brought([from, to]: Span): void {
    this.#requests += 1;
    this.#reached.push({ to, step: Math.min(Math.max(this.#step, to - from), MOST) });
    if (this.#reached.length > READERS) this.#reached.shift();
  }

  /** Null where no keyframes are known. */
  #groupEnd(from: number): number | null {
    if (this.#keyframes.length === 0) return null;
    const next = this.#keyframes.find((offset) => offset > from + BEFORE_KEYFRAME);
    return Math.min(next ?? Number.POSITIVE_INFINITY, from + MOST_OF_A_GROUP);
  }

  #backToKeyframe(from: number, to: number): number {
    return this.#keyframes.findLast((offset) => offset <= to && offset > from + BEFORE_KEYFRAME) ?? to;
  }
}
