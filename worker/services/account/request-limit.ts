import {
  type AccountLimit,
  type AddressLimit,
  accountRequests,
  addressLimits,
  LIMIT_WINDOW_SECONDS,
  MAX_PENDING_TEST_EVENTS,
  REPORTS_PER_ATTEMPT,
} from '../../../schema/api/request-limits.ts';
import type { Context } from '../../context.ts';
import { callerAddress } from '../../lib/caller-address.ts';
import { Problem } from '../../lib/problem.ts';
import { secondsLeft } from '../../lib/request-window.ts';
import type { Principal } from '../../repos/keys.ts';
import type { AttemptName } from '../tasks/dispatch.ts';

type Headers = (name: string) => string | undefined;

/** Counts a request against the plan. @throws Problem rate_limited */
export async function countRequest(
  context: Context,
  { plan, accountId }: Pick<Principal, 'plan' | 'accountId'>,
  kind: AccountLimit,
): Promise<void> {
  if (await context.limiter.account(plan, accountId, kind)) return;
  const what = kind === 'polls' ? 'requests' : 'attempts to create a task';
  throw limited(kind, accountRequests(plan), `${what} per account on the ${plan} plan`);
}

/** Counts a request without a key. @throws Problem rate_limited */
export async function countAddress(context: Context, header: Headers): Promise<void> {
  if (!(await context.limiter.address('public', callerAddress(header)))) throw addressLimited('public');
}

/** Counts a refused key, link or signature. @returns the problem to answer with: the refusal, or rate_limited after too many */
export async function refusal(context: Context, header: Headers, problem: Problem): Promise<Problem> {
  const allowed = await context.limiter.address('refused', callerAddress(header));
  return allowed ? problem : addressLimited('refused');
}

/**
 * Saves database queries for an address that keeps guessing keys, except for keys that were valid before.
 * @throws Problem rate_limited
 */
export function refuseGuesses(context: Context, header: Headers, keyHash: string): void {
  const { limiter } = context;
  if (!limiter.guesses(callerAddress(header)) || limiter.keyWasValid(keyHash)) return;
  throw addressLimited('refused');
}

/** Counts a signed report. @throws Problem rate_limited */
export function countReport(
  context: Context,
  { taskId, attempt }: Pick<AttemptName, 'taskId' | 'attempt'>,
): void {
  if (context.limiter.report(taskId, attempt)) return;
  throw limited('reports', REPORTS_PER_ATTEMPT, 'reports of one attempt');
}

/** The account has the maximum number of pending test events. */
export function tooManyTests(): Problem {
  const detail = `${MAX_PENDING_TEST_EVENTS} test events are pending. Wait until one of them is delivered or has failed.`;
  return new Problem('rate_limited', detail, {
    headers: {
      'retry-after': String(LIMIT_WINDOW_SECONDS),
      'ratelimit-policy': `"tests";q=${MAX_PENDING_TEST_EVENTS}`,
      ratelimit: '"tests";r=0',
    },
  });
}

function addressLimited(kind: AddressLimit): Problem {
  const what = kind === 'public' ? 'requests without a key' : 'refused requests';
  return limited(kind, addressLimits[kind].requests, `${what} from one address`);
}

/** With the RateLimit headers of the IETF draft (draft-ietf-httpapi-ratelimit-headers). */
function limited(name: string, quota: number, what: string): Problem {
  const seconds = secondsLeft(Date.now());
  const detail = `The limit is ${quota} ${what} per ${LIMIT_WINDOW_SECONDS} s. Try again in ${seconds} s.`;
  return new Problem('rate_limited', detail, {
    headers: {
      'retry-after': String(seconds),
      'ratelimit-policy': `"${name}";q=${quota};w=${LIMIT_WINDOW_SECONDS}`,
      ratelimit: `"${name}";r=0;t=${seconds}`,
    },
  });
}
