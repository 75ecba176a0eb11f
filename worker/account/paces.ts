import type { Expected, Metering } from '../../schema/task/wire.ts';
import { expectedOf, type Pace, withTask } from './pace.ts';

const KEY = 'paces';

/** How long each kind of work takes for an account, stored as a few numbers per kind. */
export class Paces {
  readonly #kv: SyncKvStorage;
  #paces: Readonly<Record<string, Pace>>;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
    this.#paces = kv.get<Record<string, Pace>>(KEY) ?? {};
  }

  /** Null until a task of this kind has ended. */
  expected(work: string): Expected | null {
    const pace = this.#paces[work];
    return pace ? expectedOf(pace) : null;
  }

  learn(work: string, { source_seconds, processing_seconds }: Metering): void {
    this.#paces = { ...this.#paces, [work]: withTask(this.#paces[work], source_seconds, processing_seconds) };
    this.#kv.put(KEY, this.#paces);
  }
}
