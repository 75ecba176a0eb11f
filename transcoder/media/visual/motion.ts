/** How quickly drawn levels follow the sound, independent of the frame rate. */
interface Pace {
  /** Duration of a frame in seconds. */
  frame: number;
  /** 0 … 1, see Scene. */
  smoothing: number;
}

/** Time constants in seconds: attack for rising levels, decay for falling ones. */
const attackSeconds = (smoothing: number) => 0.06 * smoothing ** 2;
const decaySeconds = (smoothing: number) => 0.03 + 0.42 * smoothing ** 1.6;

const reached = (seconds: number, frame: number) => (seconds <= 0 ? 1 : 1 - Math.exp(-frame / seconds));

/** Peaks hold for this long, then fall with increasing speed. */
const HOLD_SECONDS = 0.4;
const GRAVITY = 2.4;

/** Smoothed levels with a fast attack and a slow decay, and the peaks above them. */
export class Motion {
  readonly levels: Float32Array;
  readonly peaks: Float32Array;
  readonly #hold: Float32Array;
  readonly #speed: Float32Array;
  readonly #attack: number;
  readonly #decay: number;
  readonly #frame: number;

  constructor(count: number, { frame, smoothing }: Pace) {
    this.levels = new Float32Array(count);
    this.peaks = new Float32Array(count);
    this.#hold = new Float32Array(count);
    this.#speed = new Float32Array(count);
    this.#attack = reached(attackSeconds(smoothing), frame);
    this.#decay = reached(decaySeconds(smoothing), frame);
    this.#frame = frame;
  }

  follow(wanted: Float32Array): void {
    for (let index = 0; index < this.levels.length; index++) {
      const level = this.levels[index] ?? 0;
      const target = wanted[index] ?? 0;
      const next = level + (target - level) * (target > level ? this.#attack : this.#decay);
      this.levels[index] = next < 1e-4 ? 0 : next;
      this.#drop(index);
    }
  }

  #drop(index: number): void {
    const level = this.levels[index] ?? 0;
    if (level >= (this.peaks[index] ?? 0)) {
      this.peaks[index] = level;
      this.#hold[index] = HOLD_SECONDS;
      this.#speed[index] = 0;
      return;
    }
    this.#hold[index] = (this.#hold[index] ?? 0) - this.#frame;
    if ((this.#hold[index] ?? 0) > 0) return;
    this.#speed[index] = (this.#speed[index] ?? 0) + GRAVITY * this.#frame;
    this.peaks[index] = Math.max(level, (this.peaks[index] ?? 0) - (this.#speed[index] ?? 0) * this.#frame);
  }
}
