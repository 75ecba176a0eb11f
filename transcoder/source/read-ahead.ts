import type { Span } from '../model/source/byte-ranges.ts';

const KIB = 1024;
/** First read for a reader that jumps around, and for one that reads on. */
const FIRST = { looking: 64 * KIB, going: 256 * KIB };
const MOST = 4096 * KIB;
/** A GOP up to this size is fetched in one request. */
const MOST_OF_A_GROUP = 4 * MOST;
/** A reader that skips at most this much counts as reading on. */
const GAP = 256 * KIB;
/** Sound for a keyframe is interleaved at most this far before it. */
const BEFORE_KEYFRAME = 64 * KIB;
const READERS = 8;
/**
 * After each batch of this many requests the smallest read doubles, which bounds the number of requests for any access
 * pattern.
 */
const MANY = 16;

/** Decides how far to read ahead: few requests for sequential readers, little wasted data for readers that jump. */
export class ReadAhead {
  #keyframes: readonly number[];
  /** Where each reader has got to and how much it got, most recent last. */
  #reached: { to: number; step: number }[] = [];
  /** Read-ahead planned for the latest reader. */
  #step = 0;
  #requests = 0;

  /** @param keyframes Ascending file positions at which GOPs begin. */
  constructor(keyframes: readonly number[]) {
    this.#keyframes = keyframes;
  }

  /** @returns how far to read for these bytes. `on` means that the reader will continue from there, not just probe. */
  to([from, to]: Span, on: boolean): number {
    const before = this.#reached.findIndex((reader) => from >= reader.to && from - reader.to <= GAP);
    const [reader] = before < 0 ? [] : this.#reached.splice(before, 1);
    const step = reader ? Math.min(reader.step * 2, MOST) : on ? FIRST.going : FIRST.looking;
    this.#step = step;
    const far = on && !reader ? this.#groupEnd(from) : this.#backToKeyframe(from, from + step);
    const least = FIRST.looking * (2 ** Math.floor(this.#requests / MANY) - 1);
    return Math.max(to, far ?? from + step, from + Math.min(least, MOST));
  }

  /** Records how far was actually read. */
  brought([from, to]: Span): void {
    this.#requests += 1;
    this.#reached.push({ to, step: Math.min(Math.max(this.#step, to - from), MOST) });
    if (this.#reached.length > READERS) this.#reached.shift();
  }

  /** Null if no keyframes are known. */
  #groupEnd(from: number): number | null {
    if (this.#keyframes.length === 0) return null;
    const next = this.#keyframes.find((offset) => offset > from + BEFORE_KEYFRAME);
    return Math.min(next ?? Number.POSITIVE_INFINITY, from + MOST_OF_A_GROUP);
  }

  #backToKeyframe(from: number, to: number): number {
    return this.#keyframes.findLast((offset) => offset <= to && offset > from + BEFORE_KEYFRAME) ?? to;
  }
}
