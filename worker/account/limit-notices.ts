import { type NoticedLimit, reachedPercent } from '../../schema/api/noticed-limits.ts';
import { planOf } from '../../schema/api/plans.ts';
import { errorText, log } from '../lib/log.ts';
import { rateState } from './rate.ts';
import type { Shell } from './shell.ts';

/** Notes when an account comes close to a limit of its plan; the sweeper then mails its owners. */
export class LimitNotices {
  readonly #shell: Shell;
  /** Those written by this object, which saves writes. */
  readonly #noted = new Set<string>();

  constructor(shell: Shell) {
    this.#shell = shell;
  }

  /** To be called after every attempt to create a task. */
  check(now: number): void {
    const { state } = this.#shell;
    const plan = planOf(state.planName);
    const { remaining } = rateState(state.live.spent, plan, now);
    this.#check('creations_per_minute', plan.creations_per_minute - remaining, now);
    this.#check('waiting', state.live.tasks.size - plan.running, now);
  }

  #check(limit: NoticedLimit, used: number, now: number): void {
    const { context, state, waitUntil } = this.#shell;
    const percent = reachedPercent(used, planOf(state.planName)[limit]);
    if (percent === null) return;
    const { accountId } = state;
    const month = new Date(now).toISOString().slice(0, 7);
    const name = `${limit} ${month} ${percent}`;
    if (this.#noted.has(name)) return;
    this.#noted.add(name);
    const write = async () => {
      try {
        await context.limitNotices.note({ accountId, limit, month, percent, notedAt: now });
      } catch (error) {
        this.#noted.delete(name);
        log('warn', 'limit_not_noted', { account_id: accountId, error: errorText(error) });
      }
    };
    waitUntil(write());
  }
}
