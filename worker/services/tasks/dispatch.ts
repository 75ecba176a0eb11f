import { type PlanName, planOf, warmSeconds } from '../../../schema/api/plans.ts';
import { deriveSecret } from '../../../schema/api/signature.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import { isLive, type TimeMap } from '../../../schema/task/task.ts';
import {
  type DispatchMessage,
  type Failure,
  type Job,
  taskLimits,
  WIRE_VERSION,
} from '../../../schema/task/wire.ts';
import type { Dispatched } from '../../account/account-rpc.ts';
import type { Context } from '../../context.ts';
import type { Observation } from '../../fleet/fleet-state.ts';
import { errorText, log } from '../../lib/log.ts';
import { outputName } from '../../lib/text/output-name.ts';
import type { DispatchOutcome } from '../../lib/transcoder-client.ts';
import { withoutDefaults } from '../../lib/without-defaults.ts';
import type { TaskRow } from '../../repos/task-row.ts';
import { providersForAttempt } from './provider-key.ts';
import { storedSources } from './stored-sources.ts';

export interface AttemptName {
  accountId: string;
  taskId: string;
  attempt: number;
}

/** The secret that signs the reports of one attempt, and of no other. */
export function callbackSecret(context: Context, about: AttemptName): Promise<string> {
  const { accountId, taskId, attempt } = about;
  return deriveSecret(context.config.SIGNING_SECRET, `callback|${accountId}|${taskId}|${attempt}`);
}

/** How long a task waits after a failure in the Worker itself, or for machines of its release. */
const FAULT_PAUSE_MS = 10_000;
/** For how long after its creation a task waits for machines of the Worker's release. */
const ROLLOUT_MS = 3600_000;

/**
 * Hands an attempt to a machine, and reports the outcome to its account. Whatever fails, the attempt ends up either on a
 * machine or back in the account's line. @throws if the account itself does not answer; the message must then be delivered
 * again.
 */
export async function dispatch(context: Context, message: DispatchMessage): Promise<void> {
  const { task_id: taskId, account_id: accountId, attempt, slot } = message;
  const account = context.account(accountId);
  // If a message arrives twice, only one copy goes on.
  if (!(await account.claim(taskId, attempt, slot))) return;
  let prepared: Prepared | null;
  try {
    prepared = await prepare(context, message);
  } catch (error) {
    log('error', 'dispatch_not_prepared', { task_id: taskId, error: errorText(error) });
    return handBack(context, message);
  }
  if (prepared) await send(context, message, prepared);
}

/** Returns a task whose message no consumer could process. An attempt that is being sent is left alone. */
export async function undelivered(context: Context, message: DispatchMessage): Promise<void> {
  const { task_id: taskId, account_id: accountId, attempt, slot } = message;
  if (await context.account(accountId).claim(taskId, attempt, slot)) await handBack(context, message);
}

/** Puts the task of a claimed message back into its account's line after a short pause. */
async function handBack(context: Context, message: DispatchMessage): Promise<void> {
  const { task_id: taskId, account_id: accountId, attempt } = message;
  await context.account(accountId).dispatched(taskId, attempt, { type: 'returned', pauseMs: FAULT_PAUSE_MS });
}

async function send(
  context: Context,
  message: DispatchMessage,
  { job, plan, createdAt }: Prepared,
): Promise<void> {
  const { task_id: taskId, account_id: accountId, attempt, slot, request_id: requestId } = message;
  const account = context.account(accountId);
  const answer = await context.transcoder.dispatch(accountId, slot, job, warmSeconds[plan]);
  const { outcome } = answer;
  if (outcome !== 'accepted')
    log('warn', 'dispatch_not_accepted', {
      task_id: taskId,
      request_id: requestId,
      outcome,
      why: answer.why,
    });
  // Before the permit is returned, so that the fleet knows why.
  await context.fleet.observe({ account: accountId, slot, ...seen(answer) });
  const isOld = Date.now() - createdAt > ROLLOUT_MS;
  const dispatched = dispatchedAs[outcome === 'outdated' && isOld ? 'refused' : outcome];
  await account.dispatched(taskId, attempt, dispatched);
}

const dispatchedAs: Record<DispatchOutcome['outcome'], Dispatched> = {
  accepted: { type: 'accepted' },
  busy: { type: 'returned', pauseMs: 0 },
  away: { type: 'returned', pauseMs: 0 },
  unreachable: { type: 'returned', pauseMs: 0 },
  unsure: { type: 'unsure' },
  outdated: { type: 'returned', pauseMs: FAULT_PAUSE_MS },
  refused: { type: 'failed' },
};

/** What the outcome of a dispatch says about the machines. */
function seen(answer: DispatchOutcome): Omit<Observation, 'account' | 'slot'> {
  const unknown = { free: null, lined: false };
  switch (answer.outcome) {
    case 'accepted':
      return { outcome: 'accepted', free: answer.free, lined: answer.lined };
    case 'unsure':
      return { ...unknown, outcome: 'unreachable' };
    case 'outdated':
    case 'refused':
      // The machine answers, so only the job is the problem.
      return { ...unknown, outcome: 'accepted', lined: true };
    default:
      return { ...unknown, outcome: answer.outcome };
  }
}

interface Prepared {
  job: Job;
  plan: PlanName;
  createdAt: number;
}

/** @returns null if the task has ended, or ends here because a source cannot be read. */
async function prepare(context: Context, message: DispatchMessage): Promise<Prepared | null> {
  const { task_id: taskId, account_id: accountId, attempt } = message;
  const account = context.account(accountId);
  const found = await context.accounts.taskWithPlan(accountId, taskId);
  if (!found || !isLive(found.task)) {
    await account.settled(taskId);
    return null;
  }
  const { task, plan } = found;
  // Now, because the account may learn another plan while a machine is asked.
  await account.planIs(plan);
  const failed = async (failure: Failure): Promise<null> => {
    await account.report(taskId, attempt, { v: WIRE_VERSION, type: 'failed', failure });
    return null;
  };
  if (!operationNames.includes(task.operation)) {
    const detail = `The service no longer has the operation \`${task.operation}\`.`;
    return failed({ code: 'internal_error', detail, stage: 'waiting', retryable: false });
  }
  const stored = await storedSources(context, task);
  if ('missing' in stored) {
    const { code, detail, index } = stored.missing;
    return failed({ code, detail, stage: 'waiting', source_index: index });
  }
  const { keyOf, speechApi } = operations[task.operation];
  const sealed = keyOf || speechApi ? await account.providerKey(taskId) : null;
  try {
    const job = await jobOf(context, message, { task, plan, stored, sealed });
    return { job, plan, createdAt: task.createdAt };
  } catch (error) {
    // Nothing was asked of another part, so it would not go better next time.
    log('error', 'job_not_made', { task_id: taskId, error: errorText(error) });
    return failed({ code: 'internal_error', detail: 'The task could not be prepared.', stage: 'waiting' });
  }
}

interface Parts {
  task: TaskRow;
  plan: PlanName;
  stored: { keys: Record<string, string>; timeMaps: Record<string, TimeMap> };
  /** The caller's providers; null if there are none. */
  sealed: string | null;
}

async function jobOf(
  context: Context,
  message: DispatchMessage,
  { task, plan, stored, sealed }: Parts,
): Promise<Job> {
  const { task_id: taskId, account_id: accountId, attempt } = message;
  const about = { accountId, taskId, attempt };
  const { PUBLIC_URL, CALLBACK_URL } = context.config;
  // A machine that decodes untrusted media must not learn the webhook URL.
  const { callback_url: _, ...input } = task.input;
  const { name, received, speechApi } = operations[task.operation];
  const given = input.output_name;
  const job: Job = {
    v: WIRE_VERSION,
    task_id: taskId,
    attempt,
    request_id: message.request_id,
    operation: task.operation,
    // An older transcoder rejects a task only if that uses a field which it does not know.
    input: withoutDefaults(received, input) as Job['input'],
    stored_sources: stored.keys,
    time_maps: stored.timeMaps,
    expected: message.expected,
    limits: taskLimits.parse(planOf(plan)),
    output_prefix: `t/${taskId}/${attempt}/`,
    output_name: typeof given === 'string' ? outputName(given) : name,
    callback_url: `${CALLBACK_URL || PUBLIC_URL}/internal/accounts/${accountId}/tasks/${taskId}/attempts/${attempt}`,
    callback_secret: await callbackSecret(context, about),
  };
  if (sealed !== null) Object.assign(job, await providersForAttempt(context, sealed, about));
  if (speechApi && context.workersAi) job.workers_ai = true;
  return job;
}
