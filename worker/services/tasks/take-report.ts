import { z } from 'zod';
import { isSignedWith, presentedSignature } from '../../../schema/api/signature.ts';
import { taskId } from '../../../schema/task/task.ts';
import { report as reportSchema } from '../../../schema/task/wire.ts';
import type { Context } from '../../context.ts';
import { Problem } from '../../lib/problem.ts';
import { countReport, refusal } from '../account/request-limit.ts';
import { type AttemptName, callbackSecret } from './dispatch.ts';

/** The path parameters, validated before anything is computed or read for them. */
const attemptPath = z
  .object({
    account: z.string().regex(/^acct_[\w-]{1,64}$/),
    task: taskId,
    attempt: z.string().regex(/^[1-9]\d{0,3}$/),
  })
  .transform(({ account, task, attempt }) => ({
    accountId: account,
    taskId: task,
    attempt: Number(attempt),
  }));

/**
 * The attempt that a signed message of the transcoder is about, and its body, which is read only if the path and the signature headers
 * are well-formed.
 * @throws Problem not_found (not signed for this attempt), rate_limited, request_too_large
 */
export async function signedByAttempt(
  context: Context,
  path: Record<string, string>,
  header: (name: string) => string | undefined,
  readBody: () => Promise<string>,
): Promise<{ about: AttemptName; body: string }> {
  const about = attemptPath.safeParse(path).data;
  // The secret belongs to one attempt, so old messages are harmless, and a machine's clock may be an hour off.
  const presented = presentedSignature(header, Number(header('webhook-timestamp')) * 1000);
  if (!about || !presented) throw await refusal(context, header, new Problem('not_found'));
  const body = await readBody();
  const secret = await callbackSecret(context, about);
  if (!(await isSignedWith(secret, presented, body)))
    throw await refusal(context, header, new Problem('not_found'));
  countReport(context, about);
  return { about, body };
}

/**
 * Takes a signed report of the transcoder about one attempt.
 * @throws Problem validation_failed, stale_attempt, and what {@link signedByAttempt} throws
 */
export async function takeReport(
  context: Context,
  path: Record<string, string>,
  header: (name: string) => string | undefined,
  readBody: () => Promise<string>,
): Promise<void> {
  const { about, body } = await signedByAttempt(context, path, header, readBody);
  const parsed = reportSchema.safeParse(JSON.parse(body));
  if (!parsed.success) throw new Problem('validation_failed', 'The report does not match its schema.');
  const prefix = `t/${about.taskId}/${about.attempt}/`;
  if (
    parsed.data.type === 'completed' &&
    parsed.data.result.files.some((file) => !file.key.startsWith(prefix))
  ) {
    throw new Problem('validation_failed', `The key of every file must start with ${prefix}`);
  }
  const current = await context.account(about.accountId).report(about.taskId, about.attempt, parsed.data);
  if (!current) throw new Problem('stale_attempt');
}
