import type { EngineId } from '../../schema/media/engines.ts';

/** An engine's speed changes with the load of the machine or of the provider, so only its latest uses count. */
const LATEST = 20;

interface Use {
  /** Seconds of sound that were heard, spoken or changed. */
  sound: number;
  /** Seconds that this took. */
  work: number;
}

/** How fast engines have been since this transcoder started. */
export class EngineSpeeds {
  #uses = new Map<EngineId, Use[]>();
  #now: () => number;

  /** @param now A clock in milliseconds. */
  constructor(now = () => performance.now()) {
    this.#now = now;
  }

  /** Runs `work` and counts it unless it fails. @param soundOf Seconds of sound in its result. */
  async measure<T>(id: EngineId, soundOf: (result: T) => number, work: () => Promise<T>): Promise<T> {
    const from = this.#now();
    const result = await work();
    const use = { sound: soundOf(result), work: (this.#now() - from) / 1000 };
    if (use.sound > 0 && use.work > 0)
      this.#uses.set(id, [...(this.#uses.get(id) ?? []), use].slice(-LATEST));
    return result;
  }

  /** Seconds of sound per second of work, rounded to two digits; null if the engine has not been used. */
  of(id: EngineId): number | null {
    const uses = this.#uses.get(id);
    if (!uses) return null;
    const sum = (key: keyof Use) => uses.reduce((all, use) => all + use[key], 0);
    return Number((sum('sound') / sum('work')).toPrecision(2));
  }
}

/** Measures `work` if there are engines. */
export function measured<T>(
  engines: { speeds: EngineSpeeds } | null,
  ...use: Parameters<typeof EngineSpeeds.prototype.measure<T>>
): Promise<T> {
  const [, , work] = use;
  return engines ? engines.speeds.measure(...use) : work();
}
