/** The samples of each channel. */
export type Planes = Float32Array<ArrayBuffer>[];

export interface Stretch {
  sampleRate: number;
  channels: number;
  /** Seconds of the source at which the result begins. */
  from: number;
  /** Where it ends; Infinity: with the sound. */
  to: number;
}

/** Timestamps are rounded, in some containers to milliseconds; what is closer than this to the end of what came before continues it. */
const CONTINUES = 0.02;

/**
 * Lays decoded sound on one gapless line of samples that begins at `from`: what is before is dropped, what is missing is
 * silent, what is there twice counts once. A click stays where a player of the source has it.
 */
export class Timeline {
  /** Samples so far. */
  written = 0;
  readonly #stretch: Stretch;
  readonly #end: number;

  constructor(stretch: Stretch) {
    this.#stretch = stretch;
    this.#end = Math.round((stretch.to - stretch.from) * stretch.sampleRate);
  }

  get isComplete(): boolean {
    return this.written >= this.#end;
  }

  /** @param timestamp in seconds of the source */
  *place(timestamp: number, planes: Planes): Generator<Planes> {
    const { sampleRate, from } = this.#stretch;
    const length = planes[0]?.length ?? 0;
    const wanted = Math.round((timestamp - from) * sampleRate);
    const continues = this.written > 0 && Math.abs(wanted - this.written) <= CONTINUES * sampleRate;
    const start = continues ? this.written : wanted;
    yield* this.#silence(Math.min(start, this.#end));
    const skip = Math.max(this.written - start, 0);
    const keep = Math.min(length - skip, this.#end - this.written);
    if (keep <= 0) return;
    this.written += keep;
    yield skip === 0 && keep === length ? planes : planes.map((plane) => plane.subarray(skip, skip + keep));
  }

  *#silence(until: number): Generator<Planes> {
    const { sampleRate, channels } = this.#stretch;
    while (this.written < until) {
      const count = Math.min(until - this.written, sampleRate);
      this.written += count;
      yield Array.from({ length: channels }, () => new Float32Array(count));
    }
  }
}
