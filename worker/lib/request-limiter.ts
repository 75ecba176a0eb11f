import type { PlanName } from '../../schema/api/plans.ts';
import {
  type AccountLimit,
  type AddressLimit,
  accountRequests,
  addressLimits,
  REPORTS_PER_ATTEMPT,
  UNCHECKED_AFTER,
} from '../../schema/api/request-limits.ts';
import { type Env, pollLimiter } from '../bindings.ts';
import { errorText, log } from './log.ts';
import { RequestWindow } from './request-window.ts';

/** Maximum number of key hashes remembered as valid; see `keyWasValid`. */
const MAX_VALID_KEYS = 10_000;

/** Counts requests by account, address and attempt against the limits of schema/api/request-limits.ts. */
export function requestLimiter(env: Env) {
  const window = new RequestWindow();
  const validKeys = new Set<string>();
  const addressBindings = { public: env.ADDRESS_PUBLIC, refused: env.ADDRESS_REFUSED };

  const allows = async (key: string, limit: number, binding: RateLimit, shared: string): Promise<boolean> => {
    const verdict = window.count(key, limit, Date.now());
    if (verdict !== 'ask') return verdict === 'allow';
    try {
      const { success } = await binding.limit({ key: shared });
      if (!success) window.close(key, limit, Date.now());
      return success;
    } catch (error) {
      // The count of this isolate still applies.
      log('warn', 'limiter_unavailable', { error: errorText(error) });
      return true;
    }
  };

  return {
    account(plan: PlanName, accountId: string, kind: AccountLimit): Promise<boolean> {
      const shared = kind === 'polls' ? accountId : `${accountId}/${kind}`;
      return allows(`account/${shared}`, accountRequests(plan), pollLimiter(env, plan), shared);
    },

    address(kind: AddressLimit, address: string): Promise<boolean> {
      const { requests } = addressLimits[kind];
      return allows(`${kind}/${address}`, requests, addressBindings[kind], address);
    },

    /** Whether so many keys from an address were refused that further unknown keys are not looked up. */
    guesses(address: string): boolean {
      return window.countOf(`refused/${address}`, Date.now()) >= UNCHECKED_AFTER;
    },

    /** Reports of one attempt may reach several isolates; the count of each is a sufficient limit. */
    report(taskId: string, attempt: number): boolean {
      return window.count(`report/${taskId}/${attempt}`, REPORTS_PER_ATTEMPT, Date.now()) !== 'refuse';
    },

    /**
     * Whether a key was valid in this isolate before. This does not authenticate the key: it only decides whether the database
     * is still asked while somebody else at the same address guesses keys.
     */
    keyWasValid: (hash: string): boolean => validKeys.has(hash),

    noteValidKey(hash: string): void {
      if (validKeys.size >= MAX_VALID_KEYS) validKeys.clear();
      validKeys.add(hash);
    },
  };
}
