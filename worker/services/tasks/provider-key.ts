import { judgeUrl } from '../../../guard/url.ts';
import {
  attemptOfKey,
  attemptOfSpeechApi,
  callerProviders,
  providerKey,
  providerKeyHeaders,
  type SpeechApi,
  speechApi,
  speechApiHeaders,
} from '../../../schema/api/provider-keys.ts';
import { sealer } from '../../../schema/api/seal.ts';
import type { OperationName } from '../../../schema/operations/index.ts';
import { operations } from '../../../schema/operations/index.ts';
import type { Job } from '../../../schema/task/wire.ts';
import type { Context } from '../../context.ts';
import { guardRules } from '../../lib/guard-rules.ts';
import { headerProblem } from '../../lib/problem.ts';

const about = (accountId: string) => `provider_key|${accountId}`;

/** The header with a provider key that an operation accepts; null if it accepts none. */
export function keyHeaderOf(name: OperationName): string | null {
  const operation = operations[name];
  return operation.keyOf ? providerKeyHeaders[operation.keyOf] : null;
}

/** Whether an operation accepts a speech API of the caller. */
export const takesSpeechApi = (name: OperationName) => operations[name].speechApi === true;

/** Whether the request brings a provider of the caller. */
export function bringsProvider(name: OperationName, headers: Headers): boolean {
  const header = keyHeaderOf(name);
  if (header !== null && headers.has(header)) return true;
  return takesSpeechApi(name) && headers.has(speechApiHeaders.url);
}

/**
 * The caller's providers, sealed immediately; null if none were sent.
 * @throws Problem validation_failed
 */
export async function sealedKeyOf(
  context: Context,
  accountId: string,
  name: OperationName,
  headers: Headers,
): Promise<string | null> {
  const header = keyHeaderOf(name);
  const given = header && headers.get(header);
  const providers = {
    elevenlabs: header && given ? checkedKey(header, given) : null,
    speechApi: takesSpeechApi(name) ? speechApiOf(context, headers) : null,
  };
  if (providers.elevenlabs === null && providers.speechApi === null) return null;
  return context.sealer.seal(JSON.stringify(providers), about(accountId));
}

/** A key that a header can have. @throws Problem validation_failed */
export function checkedKey(header: string, given: string): string {
  const key = providerKey.safeParse(given);
  if (key.success) return key.data;
  throw headerProblem(header, `The header ${header} ${key.error.issues[0]?.message}.`);
}

/** @throws Problem validation_failed */
function speechApiOf(context: Context, headers: Headers): SpeechApi | null {
  const of = (name: keyof typeof speechApiHeaders) => headers.get(speechApiHeaders[name]) || null;
  const [url, key, model] = [of('url'), of('key'), of('model')];
  if (url === null) {
    const lone = (['key', 'model'] as const).find((name) => of(name) !== null);
    if (lone === undefined) return null;
    const detail = `The header ${speechApiHeaders[lone]} needs ${speechApiHeaders.url}, the https:// URL of your speech API.`;
    throw headerProblem(speechApiHeaders[lone], detail);
  }
  const parsed = speechApi.safeParse({ url, key, model });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const header = speechApiHeaders[issue?.path[0] as keyof typeof speechApiHeaders];
    throw headerProblem(header, `The header ${header} ${issue?.message}.`);
  }
  const verdict = judgeUrl(url, guardRules(context.config));
  if (!verdict.allowed) {
    const detail = `The URL in the header ${speechApiHeaders.url} is not allowed. ${verdict.detail}`;
    throw headerProblem(speechApiHeaders.url, detail);
  }
  return parsed.data;
}

/** The providers of a live task, each sealed again for the transcoder and this attempt only. Throws if they cannot be opened. */
export async function providersForAttempt(
  context: Context,
  sealed: string,
  { accountId, taskId, attempt }: { accountId: string; taskId: string; attempt: number },
): Promise<Pick<Job, 'provider_key' | 'speech_api'>> {
  const { elevenlabs, speechApi: own } = callerProviders.parse(
    JSON.parse(await context.sealer.open(sealed, about(accountId))),
  );
  const { seal } = sealer(context.config.TRANSCODER_SECRET);
  return {
    ...(elevenlabs === null ? {} : { provider_key: await seal(elevenlabs, attemptOfKey(taskId, attempt)) }),
    ...(own === null
      ? {}
      : { speech_api: await seal(JSON.stringify(own), attemptOfSpeechApi(taskId, attempt)) }),
  };
}
