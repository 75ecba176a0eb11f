import { attemptOfKey, providerKey, providerKeyHeaders } from '../../../schema/api/provider-keys.ts';
import { sealer } from '../../../schema/api/seal.ts';
import type { OperationName } from '../../../schema/operations/index.ts';
import { operations } from '../../../schema/operations/index.ts';
import type { Context } from '../../context.ts';
import { Problem } from '../../lib/problem.ts';

const about = (accountId: string) => `provider_key|${accountId}`;

/** The header with a provider key that an operation accepts; null if it accepts none. */
export function keyHeaderOf(name: OperationName): string | null {
  const operation = operations[name];
  return operation.keyOf ? providerKeyHeaders[operation.keyOf] : null;
}

/** The caller's provider key, sealed immediately; null if none was sent. @throws Problem validation_failed */
export async function sealedKeyOf(
  { sealer: own }: Context,
  accountId: string,
  name: OperationName,
  headers: Headers,
): Promise<string | null> {
  const header = keyHeaderOf(name);
  const given = header && headers.get(header);
  if (!header || !given) return null;
  return own.seal(checkedKey(header, given), about(accountId));
}

/** A key that a header can have. @throws Problem validation_failed */
export function checkedKey(header: string, given: string): string {
  const key = providerKey.safeParse(given);
  if (key.success) return key.data;
  throw new Problem('validation_failed', `The header ${header} ${key.error.issues[0]?.message}.`);
}

/** The key of a live task, sealed again for the transcoder and this attempt only; null if there is none. */
export async function keyForAttempt(
  context: Context,
  { accountId, taskId, attempt }: { accountId: string; taskId: string; attempt: number },
): Promise<string | null> {
  const sealed = await context.account(accountId).providerKey(taskId);
  if (sealed === null) return null;
  const key = await context.sealer.open(sealed, about(accountId));
  return sealer(context.config.TRANSCODER_SECRET).seal(key, attemptOfKey(taskId, attempt));
}
