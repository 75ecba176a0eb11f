import type { Expected, Metering } from '../../schema/task/wire.ts';
import { expectedOf, learnt, type Pace } from './pace.ts';

const KEY = 'paces';

/** How long each kind of work of an account has taken, a few numbers a kind. */
export class Paces {
  readonly #kv: SyncKvStorage;
  #paces: Readonly<Record<string, Pace>>;

  constructor(kv: SyncKvStorage) {
    this.#kv = kv;
    this.#paces = kv.get<Record<string, Pace>>(KEY) ?? {};
  }

  /** Null while nothing is known of such work. */
  expected(work: string): Expected | null {
    const pace = this.#paces[work];
    return pace ? expectedOf(pace) : null;
  }

  learn(work: string, { source_seconds, processing_seconds }: Metering): void {
    this.#paces = { ...this.#paces, [work]: learnt(this.#paces[work], source_seconds, processing_seconds) };
    this.#kv.put(KEY, this.#paces);
  }
}
