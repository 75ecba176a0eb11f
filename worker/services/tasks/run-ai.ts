import { type AiAnswer, aiRequest } from '../../../schema/task/wire.ts';
import type { Context } from '../../context.ts';
import { Problem } from '../../lib/problem.ts';
import { signedByAttempt } from './take-report.ts';

/**
 * Runs a model on Workers AI for a live attempt.
 * @throws Problem not_found (not signed for this attempt, or nothing is bound), validation_failed, stale_attempt, rate_limited,
 * request_too_large
 */
export async function runAi(
  context: Context,
  path: Record<string, string>,
  header: (name: string) => string | undefined,
  readBody: () => Promise<string>,
): Promise<AiAnswer> {
  const { about, body } = await signedByAttempt(context, path, header, readBody);
  if (!context.workersAi) throw new Problem('not_found');
  const parsed = aiRequest.safeParse(JSON.parse(body));
  if (!parsed.success) throw new Problem('validation_failed', 'The request does not match its schema.');
  if (!(await context.account(about.accountId).isRunning(about.taskId, about.attempt)))
    throw new Problem('stale_attempt');
  return context.workersAi(parsed.data);
}
