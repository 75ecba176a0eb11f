import type { Context } from '../context.ts';
import type { AccountState } from './account-state.ts';
import type { LifeEvent } from './lifecycle.ts';
import type { Step } from './live-state.ts';
import type { Paces } from './paces.ts';
import type { ProviderKeys } from './provider-keys.ts';
import type { Watches } from './watches.ts';
import type { WriteOrder } from './write-order.ts';

/** What the parts of an Account share. */
export interface Shell {
  readonly context: Context;
  readonly state: AccountState;
  readonly paces: Paces;
  readonly writes: WriteOrder;
  readonly watches: Watches;
  readonly providerKeys: ProviderKeys;
  /** Takes one step of the life cycle, saves it and starts its effects. */
  apply(event: LifeEvent, now: number): Step;
  /** Lets work continue after the call that started it has returned. */
  waitUntil(work: Promise<unknown>): void;
}
