import { operations } from '../../schema/operations/index.ts';
import { planOf } from '../../schema/plans.ts';
import { deriveSecret } from '../../schema/signature.ts';
import {
  type DispatchMessage,
  type Failure,
  type Job,
  LEASE_SECONDS,
  taskLimits,
  WIRE_VERSION,
} from '../../schema/wire.ts';
import type { Context } from '../context.ts';
import { safeFileName } from '../lib/file-name.ts';
import { log } from '../lib/log.ts';
import { keyForAttempt } from './provider-key.ts';
import { storedSources } from './task-sources.ts';

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

/**
 * Starts an attempt at its slot. A transcoder that is full is no failure: the account sends the task again later.
 * @returns false where the transcoder could not be reached and the message has to come again.
 */
export async function dispatch(context: Context, message: DispatchMessage): Promise<boolean> {
  const { task_id: taskId, account_id: accountId, attempt, slot } = message;
  const found = await context.accounts.taskWithPlan(accountId, taskId);
  if (!found || found.task.status === 'completed' || found.task.status === 'failed') {
    await context.account(accountId).settled(taskId);
    return true;
  }
  const { task, plan } = found;
  const { PUBLIC_URL, CALLBACK_URL } = context.config;
  const stored = await storedSources(context, task);
  if ('gone' in stored) {
    const failure: Failure = {
      code: 'source_gone',
      detail: 'The task whose output is the source was deleted',
      stage: 'waiting',
      source_index: stored.gone,
    };
    await context.account(accountId).report(taskId, attempt, { v: WIRE_VERSION, type: 'failed', failure });
    return true;
  }
  // Where the end is told is no business of a machine that opens other people's media.
  const { callback_url: _, dry_run: dry, ...input } = task.input;
  const given = input.output_name;
  const job: Job = {
    v: WIRE_VERSION,
    task_id: taskId,
    attempt,
    request_id: message.request_id,
    operation: task.operation,
    // A transcoder of before refuses what it does not know, so it is only sent what was asked for.
    input: dry === true ? { ...input, dry_run: true } : input,
    stored_sources: stored.keys,
    time_maps: stored.timeMaps,
    expected: message.expected,
    limits: taskLimits.parse(planOf(plan)),
    output_prefix: `t/${taskId}/${attempt}/`,
    output_name: safeFileName(typeof given === 'string' ? given : operations[task.operation].name),
    callback_url: `${CALLBACK_URL || PUBLIC_URL}/internal/accounts/${accountId}/tasks/${taskId}/attempts/${attempt}`,
    callback_secret: await callbackSecret(context, { accountId, taskId, attempt }),
  };
  const key = operations[task.operation].keyOf
    ? await keyForAttempt(context, { accountId, taskId, attempt })
    : null;
  if (key !== null) job.provider_key = key;
  const answer = await context.transcoder.dispatch(accountId, slot, job);
  if (answer.outcome === 'unreachable') return false;
  if (answer.outcome === 'busy')
    log('info', 'dispatch_busy', { task_id: taskId, request_id: message.request_id });
  // One that has taken it says so itself; where it dies before that, the task is sent again.
  const seconds = answer.outcome === 'busy' ? answer.retryAfterSeconds : LEASE_SECONDS;
  await context.account(accountId).deferred(taskId, attempt, seconds);
  return true;
}
