import { signatureIsValid } from '../../schema/signature.ts';
import { report as reportSchema } from '../../schema/wire.ts';
import type { Context } from '../context.ts';
import { Problem } from '../problem.ts';
import { type AttemptName, callbackSecret } from './dispatch.ts';

/**
 * Takes a signed report of the transcoder about one attempt.
 * @throws Problem not_found (not signed for this attempt), validation_failed, stale_attempt
 */
export async function takeReport(
  context: Context,
  about: AttemptName,
  header: (name: string) => string | undefined,
  body: string,
): Promise<void> {
  const secret = await callbackSecret(context, about);
  if (!(await signatureIsValid(secret, header, body))) throw new Problem('not_found');
  const parsed = reportSchema.safeParse(JSON.parse(body));
  if (!parsed.success) throw new Problem('validation_failed', 'The report has another shape.');
  const prefix = `t/${about.taskId}/${about.attempt}/`;
  if (
    parsed.data.type === 'completed' &&
    parsed.data.result.files.some((file) => !file.key.startsWith(prefix))
  ) {
    throw new Problem('validation_failed', `Every file must lie under ${prefix}`);
  }
  const current = await context.account(about.accountId).report(about.taskId, about.attempt, parsed.data);
  if (!current) throw new Problem('stale_attempt');
}
