import type { OperationName } from '../../../schema/operations/index.ts';
import type { Context } from '../../context.ts';
import { Problem } from '../../lib/problem.ts';
import { parseJson } from '../../lib/text/parse-json.ts';
import type { Caller } from '../../repos/keys.ts';
import { checkedKey, keyHeaderOf } from '../tasks/provider-key.ts';
import { bytesOf, mostBytesOf } from '../tasks/request-bytes.ts';
import { submit } from '../tasks/submit.ts';

interface Sent {
  /** The request as JSON. */
  text: string;
  /** Only says what the task would do. */
  dry: boolean;
  /** Key of the caller at the provider of the operation; empty for none. */
  providerKey: string;
  /** The same for a form that is sent twice. */
  idempotencyKey: string;
  requestId: string;
}

/**
 * Creates a task as the API does.
 * @returns its id
 * @throws Problem invalid_json, request_too_large, and what {@link submit} throws
 */
export async function sendRequest(
  context: Context,
  caller: Caller,
  name: OperationName,
  { text, dry, providerKey, idempotencyKey, requestId }: Sent,
): Promise<string> {
  if (bytesOf(text) > mostBytesOf(name)) throw new Problem('request_too_large');
  const body = parseJson(text);
  const headers = new Headers({ 'idempotency-key': idempotencyKey });
  const header = keyHeaderOf(name);
  if (header && providerKey !== '') headers.set(header, checkedKey(header, providerKey));
  const { task } = await submit(context, caller, name, dry ? asDryRun(body) : body, requestId, headers);
  return task.id;
}

const asDryRun = (body: unknown) =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? { ...body, dry_run: true } : body;
