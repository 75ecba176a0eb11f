export interface Ticket {
  /** Resolves when this ticket gets a slot; never if it is released before. */
  ready: Promise<void>;
  /** Returns the slot, or the place in the line. Further calls have no effect. */
  release(): void;
}

/** Admission control: a fixed number of slots with a short bounded line. */
export class Slots {
  readonly size: number;
  readonly #line: number;
  #busy = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(size: number, line: number) {
    this.size = size;
    this.#line = line;
  }

  get busy(): number {
    return this.#busy;
  }

  get free(): number {
    return this.size - this.#busy;
  }

  /** @returns null if every slot is taken and the line is full. */
  acquire(): Ticket | null {
    if (this.#busy < this.size) {
      this.#busy++;
      return { ready: Promise.resolve(), release: once(() => this.#leave()) };
    }
    if (this.#waiting.length >= this.#line) return null;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push(resolve);
    const release = once(() => {
      const place = this.#waiting.indexOf(resolve);
      if (place >= 0) this.#waiting.splice(place, 1);
      else this.#leave();
    });
    return { ready: promise, release };
  }

  #leave(): void {
    const next = this.#waiting.shift();
    if (next) next();
    else this.#busy--;
  }
}

function once(action: () => void): () => void {
  let done = false;
  return () => {
    if (done) return;
    done = true;
    action();
  };
}
