import type { Span } from '../model/byte-ranges.ts';

interface Waiting {
  position: number;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** Bytes of one answer on their way into the file, and who waits for them. */
export class Flight {
  /** Where the next byte goes. */
  at: number;
  /** Where it ends; null where the origin does not say. */
  to: number | null;
  /** Resolves when nothing of it moves any more; never rejects. */
  readonly landed: Promise<void>;
  #land: () => void;
  #waiting: Waiting[] = [];
  #failed: { error: unknown } | null = null;

  constructor([from, to]: Span) {
    this.at = from;
    this.to = to;
    const { promise, resolve } = Promise.withResolvers<void>();
    [this.landed, this.#land] = [promise, resolve];
  }

  /** Whether a byte is still to come with it. */
  brings(position: number): boolean {
    return this.at <= position && (this.to === null || position < this.to);
  }

  /** Resolves when everything before `position` has come, or all that comes; rejects with what went wrong. */
  async reaches(position: number): Promise<void> {
    if (this.#failed) throw this.#failed.error;
    if (this.at >= position) return;
    await new Promise<void>((resolve, reject) => this.#waiting.push({ position, resolve, reject }));
  }

  advance(bytes: number): void {
    this.at += bytes;
    const reached = this.#waiting.filter(({ position }) => position <= this.at);
    this.#waiting = this.#waiting.filter(({ position }) => position > this.at);
    for (const { resolve } of reached) resolve();
  }

  end(failed: { error: unknown } | null): void {
    this.#failed = failed;
    const waiting = this.#waiting.splice(0);
    for (const { resolve, reject } of waiting) failed ? reject(failed.error) : resolve();
    this.#land();
  }
}
