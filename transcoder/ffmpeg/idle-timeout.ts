/** Idle timeout, paused while work is in flight. `heard` restarts it. */
export class Patience {
  #ms: number;
  #late: () => void;
  #timer: NodeJS.Timeout | undefined;
  #works = 0;
  #ended = false;

  constructor(ms: number, late: () => void) {
    this.#ms = ms;
    this.#late = late;
    this.heard();
  }

  heard(): void {
    clearTimeout(this.#timer);
    if (this.#works === 0 && !this.#ended) this.#timer = setTimeout(this.#late, this.#ms);
  }

  async during(work: Promise<void>): Promise<void> {
    this.#works += 1;
    clearTimeout(this.#timer);
    try {
      await work;
    } finally {
      this.#works -= 1;
      this.heard();
    }
  }

  end(): void {
    this.#ended = true;
    clearTimeout(this.#timer);
  }
}
