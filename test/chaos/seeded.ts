/** Choices that are the same at every run with this seed, as long as they are asked for in the same order. */
export class Seeded {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to 1 (mulberry32). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  between(from: number, to: number): number {
    return from + (to - from) * this.next();
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  pick<T>(values: readonly T[]): T {
    const value = values[Math.floor(this.next() * values.length)];
    if (value === undefined) throw new Error('there is nothing to choose from');
    return value;
  }

  /** One of them, each as often as its weight says. */
  weighted<T>(values: readonly (readonly [weight: number, value: T])[]): T {
    let at = this.next() * values.reduce((sum, [weight]) => sum + weight, 0);
    for (const [weight, value] of values) {
      at -= weight;
      if (at < 0) return value;
    }
    return this.pick(values)[1];
  }

  /** Another sequence that does not depend on how far this one is asked. */
  fork(): Seeded {
    return new Seeded(Math.floor(this.next() * 2 ** 32));
  }
}
