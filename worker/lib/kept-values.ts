/**
 * Values that are made when they are first needed, and then kept. Only what was made to its end is kept: the runtime drops the work of
 * a request whose caller disconnects, and a failure may have passed when the next request comes.
 */
export class KeptValues<Key, Value> {
  readonly #known = new Map<Key, { value: Value; until: number }>();

  /** @param keptMs How long the value is kept, in milliseconds; for good by default. */
  async get(key: Key, make: () => Value | Promise<Value>, keptMs = Number.POSITIVE_INFINITY): Promise<Value> {
    const before = this.#known.get(key);
    if (before && Date.now() < before.until) return before.value;
    const value = await make();
    this.#known.set(key, { value, until: Date.now() + keptMs });
    return value;
  }
}
