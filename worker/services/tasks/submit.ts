import type { z } from 'zod';
import { type GuardRules, judgeUrl } from '../../../guard/url.ts';
import { features, orUpgrade, type PlanName, planOf } from '../../../schema/api/plans.ts';
import type { OperationName, operations } from '../../../schema/operations/index.ts';
import { operations as registry } from '../../../schema/operations/index.ts';
import type { PlanBound, SourceRef } from '../../../schema/operations/operation.ts';
import { newId } from '../../../schema/task/ids.ts';
import { ownSource, sourceAdvice } from '../../../schema/task/source-advice.ts';
import { storedSource } from '../../../schema/task/stored-source.ts';
import type { AccountStub } from '../../account/account-rpc.ts';
import type { Admission, NewTaskRequest, Rate } from '../../account/admission.ts';
import type { Context } from '../../context.ts';
import { guardRules } from '../../lib/guard-rules.ts';
import { isOutage } from '../../lib/outage.ts';
import { fieldProblem, Problem, parseInput } from '../../lib/problem.ts';
import { sharePageProblem } from '../../lib/share-page.ts';
import type { Caller } from '../../repos/keys.ts';
import type { TaskView } from '../../repos/task-row.ts';
import { rateHeaders } from '../account/rate-headers.ts';
import { subscriptionRequired } from '../billing/subscription-required.ts';
import { checkReceiverUrl } from '../webhooks/receiver-url.ts';
import { checkEngines } from './check-engines.ts';
import { idempotencyOf } from './idempotency-key.ts';
import { sealedKeyOf } from './provider-key.ts';
import { checkedSourceIds, sourcesOf } from './stored-sources.ts';

type Parsed = z.output<(typeof operations)[OperationName]['input']>;

function refusalOf(url: string, rules: GuardRules, publicUrl: string) {
  const verdict = judgeUrl(url, rules);
  const own = ownSource(url, publicUrl);
  if (own !== null && (!verdict.allowed || !verdict.url.searchParams.has('signature')))
    return {
      code: 'source_forbidden' as const,
      detail: `The URL belongs to this service. Give \`${own}\` instead.`,
    };
  if (!verdict.allowed) {
    const advice = sourceAdvice(url);
    return { code: verdict.code, detail: advice === null ? verdict.detail : `${verdict.detail} ${advice}` };
  }
  const detail = sharePageProblem(url);
  return detail === null ? null : { code: 'source_is_page' as const, detail };
}

/** Refuses early what the transcoder would refuse anyway, and names each field. */
function checkUrls(context: Context, sources: readonly SourceRef[]): void {
  const rules = guardRules(context.config);
  const errors = sources.flatMap(({ pointer, url }) => {
    const refused = storedSource(url) === null ? refusalOf(url, rules, context.config.PUBLIC_URL) : null;
    return refused ? [{ pointer, ...refused }] : [];
  });
  const [first] = errors;
  if (first) throw fieldProblem(first.code, errors);
}

/** What a task keeps of its request. */
function keptOf(operation: (typeof registry)[OperationName], parsed: Parsed): Parsed {
  if (!('kept' in operation) || !operation.kept) return parsed;
  return (operation.kept as (value: Parsed) => Parsed)(parsed);
}

function checkBound({ pointer, count, limit, what }: PlanBound, plan: PlanName): void {
  const most = planOf(plan)[limit];
  if (count <= most) return;
  const detail = `The request has ${count} ${what}; the ${plan} plan allows ${most}. Use fewer${orUpgrade(plan)}.`;
  throw fieldProblem('validation_failed', [{ pointer, code: 'plan_limit', detail }]);
}

function refusal(admission: Exclude<Admission, { verdict: 'accepted' }>, plan: PlanName): Problem {
  const { creations_per_minute: limit, waiting } = planOf(plan);
  const headers = rateHeaders(plan, admission.rate);
  if (admission.verdict === 'idempotency_conflict')
    return new Problem(admission.verdict, undefined, { headers });
  if (admission.verdict === 'idempotency_in_flight') {
    return new Problem(admission.verdict, undefined, { headers: { ...headers, 'retry-after': '1' } });
  }
  if (admission.verdict === 'rate_limited') {
    const seconds = Math.max(1, admission.rate.nextSeconds);
    return new Problem(
      'rate_limited',
      `The ${plan} plan allows ${limit} task creations per minute. Try again in ${seconds} s.`,
      {
        headers: { ...headers, 'retry-after': String(seconds) },
      },
    );
  }
  return new Problem(
    'queue_full',
    `The ${plan} plan allows ${waiting} queued tasks, and all places are taken. Wait until some of your tasks have ended.`,
    {
      headers: { ...headers, 'retry-after': '10' },
    },
  );
}

/**
 * A repeated request gets its first answer, even if its sources or what is available have changed since.
 * @param check Throws if the task cannot be done now.
 */
async function admit(
  context: Context,
  request: Omit<NewTaskRequest, 'sourceIds'>,
  sources: readonly SourceRef[],
  check: () => Promise<void>,
): Promise<Admission> {
  const { accountId, plan, idempotency } = request;
  const account = context.account(accountId);
  let sourceIds: string[];
  try {
    await check();
    sourceIds = await checkedSourceIds(context, accountId, sources);
  } catch (problem) {
    const replay = idempotency && (await account.replay({ accountId, plan, idempotency }));
    if (replay) return replay;
    throw problem;
  }
  return submitted(account, { ...request, sourceIds });
}

/** Pauses before a call whose answer was lost is repeated. */
const AGAIN_AFTER_MS = [50, 250, 1000];

/** Asks the account for the task, and again where the answer was lost: with the same id, so it is the same task. */
async function submitted(account: AccountStub, request: NewTaskRequest): Promise<Admission> {
  const once = { ...request, taskId: newId('task', Date.now()) };
  let lost: unknown;
  for (const pause of [0, ...AGAIN_AFTER_MS]) {
    if (pause > 0) await new Promise((resolve) => setTimeout(resolve, pause));
    try {
      const admission = await account.submit(lost === undefined ? once : { ...once, again: true });
      if (lost === undefined || admission.verdict !== 'idempotency_in_flight') return admission;
    } catch (error) {
      if (!isOutage(error)) throw error;
      lost = error;
    }
  }
  throw lost;
}

/** subscription_required or plan_feature_required; null if the plan allows the operation. */
function refusedByPlan(
  context: Context,
  { plan, accountId, subscription }: Caller,
  name: OperationName,
): Problem | null {
  if (subscription !== 'active') return subscriptionRequired(context.config, accountId);
  const { feature } = registry[name];
  if ((planOf(plan).features as readonly string[]).includes(feature)) return null;
  return new Problem('plan_feature_required', `The ${plan} plan does not include ${features[feature]}.`);
}

/**
 * Creates a task from a request body.
 * @throws Problem subscription_required, plan_feature_required, validation_failed, source_is_page, source_not_https,
 * source_forbidden, engine_unavailable, idempotency_conflict, idempotency_in_flight, rate_limited, queue_full
 */
export async function submit(
  context: Context,
  caller: Caller,
  name: OperationName,
  body: unknown,
  requestId: string,
  headers: Headers,
): Promise<{ task: TaskView; rate: Rate; replayed: boolean }> {
  const { plan, accountId } = caller;
  const operation = registry[name];
  const refused = refusedByPlan(context, caller, name);
  // A valid request may be a repeated one, which gets its first answer.
  const mayRepeat = () => headers.has('idempotency-key') && operation.input.safeParse(body).success;
  if (refused && !mayRepeat()) throw refused;
  const parsed: Parsed = parseInput<z.ZodType<Parsed>>(operation.input, body);
  const sources = sourcesOf(name, parsed);
  checkUrls(context, sources);
  if (parsed.callback_url !== undefined) checkReceiverUrl(context, '/callback_url', parsed.callback_url);
  const { metadata, ...input } = keptOf(operation, parsed);
  const idempotency = await idempotencyOf(headers.get('idempotency-key') ?? undefined, name, body);
  const sealedKey = await sealedKeyOf(context, accountId, name, headers);
  const request = {
    ...{ accountId, plan, requestId, operation: name, input, metadata },
    ...{ sealedKey, idempotency },
  };
  const check = async () => {
    if (refused) throw refused;
    if ('bound' in operation && operation.bound)
      checkBound((operation.bound as (value: Parsed) => PlanBound)(parsed), plan);
    await checkEngines(context, name, parsed, headers);
  };
  const admission = await admit(context, request, sources, check);
  if (admission.verdict !== 'accepted') throw refusal(admission, plan);
  const task: TaskView = {
    id: admission.taskId,
    accountId,
    seq: admission.seq,
    requestId,
    operation: name,
    status: 'queued',
    stage: 'waiting',
    progressPercent: 0,
    etaSeconds: admission.etaSeconds,
    attempt: 0,
    input,
    metadata,
    expectedSeconds: null,
    result: null,
    plan: null,
    stageTimes: null,
    error: null,
    createdAt: admission.createdAt,
    startedAt: null,
    completedAt: null,
    expiresAt: null,
    leaseExpiresAt: null,
    filesRemovedAt: null,
    queuePosition: admission.queuePosition,
  };
  return { task, rate: admission.rate, replayed: admission.replayed };
}
