import type { Span } from '../model/source/byte-ranges.ts';

interface Waiting {
  position: number;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** A response body on its way into the file, and the readers waiting for it. */
export class Flight {
  /** Position of the next byte. */
  at: number;
  /** End position; null if the origin does not state it. */
  to: number | null;
  /** Resolves when the transfer has ended, successfully or not; never rejects. */
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

  /** Whether the byte at this position is still to come. */
  brings(position: number): boolean {
    return this.at <= position && (this.to === null || position < this.to);
  }

  /** Resolves when everything before `position` has arrived or the transfer has ended; rejects if it failed. */
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
