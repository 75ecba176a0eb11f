import type { ErrorCode } from '../../schema/api/errors.ts';
import { errorCode } from '../../schema/api/problem.ts';
import { signatureHeaders } from '../../schema/api/signature.ts';
import type { TranscoderState } from '../../schema/task/transcoder-state.ts';
import { accepted, type Job, transcoderReady, WIRE_VERSION } from '../../schema/task/wire.ts';
import type { Env } from '../bindings.ts';
import type { Config } from '../env.ts';
import { errorText, log } from './log.ts';
import { sharedAnswer } from './shared-answer.ts';

export type DispatchOutcome =
  | {
      outcome: 'accepted';
      /** How many more tasks the machine could start now; null if it does not report this (wire version N−1). */
      free: number | null;
      /** It has queued the task. */
      lined: boolean;
    }
  /**
   * - `busy`: it has no room.
   * - `away`: the address does not answer, so the job was not sent.
   * - `unreachable`: the address answers, but no machine was reached.
   * - `unsure`: no answer came; the job may have arrived.
   * - `outdated`: it does not know this kind of job. A machine of the Worker's release does.
   * - `refused`: it rejects this job.
   */
  | { outcome: 'busy' | 'away' | 'unreachable' | 'unsure' | 'outdated' | 'refused'; why: string };

const TIMEOUT_MS = 30_000;
const PREFLIGHT_MS = 5000;

/** Status codes of load balancers and Cloudflare that mean that no machine was reached. */
const NOT_REACHED = new Set([401, 403, 404, 405, 421, 502, 521, 522, 523, 525, 526, 530]);
/** Status codes of a machine that rejects a job. */
const REFUSED = new Set([400, 413, 415, 422]);
const BUSY = new Set([429, 503]);
/** What a transcoder says of a job that does not fit its schema or limit. The Worker only sends what fits in its own release. */
const OUTDATED: ReadonlySet<ErrorCode | null> = new Set(['invalid_json', 'request_too_large']);
/** Sets how long a Transcoder stays warm after this dispatch. */
export const WARM_HEADER = 'x-spool-warm-seconds';

/** How long to wait for a fleet's state, and how long its answer is reused. */
const FLEET = { waitMs: 3000, goodMs: 5000, silentMs: 1000 };
/** How long the state written by containers is reused. */
const CONTAINERS = { waitMs: 3000, goodMs: 30_000 };

/** The transcoder behind `TRANSCODER_URL`, or the container instance of an account's slot. */
export function transcoderClient(env: Env, config: Config, written: () => Promise<TranscoderState | null>) {
  const send = async (instance: string, path: string, init: RequestInit): Promise<Response> => {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    if (config.TRANSCODER_URL !== '') return fetch(config.TRANSCODER_URL + path, { ...init, signal });
    return env.TRANSCODER.getByName(instance).fetch(`http://transcoder${path}`, { ...init, signal });
  };
  const post = async (
    instance: string,
    path: string,
    id: string,
    body: unknown,
    more: Record<string, string> = {},
  ): Promise<Response> => {
    const text = JSON.stringify(body);
    const headers = await signatureHeaders(config.TRANSCODER_SECRET, id, text);
    return send(instance, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers, ...more },
      body: text,
    });
  };
  /**
   * Requests any response from the address before a job is sent there: only then does a failure to connect prove that the job
   * did not arrive. A container reports this itself. @returns why it cannot be reached; null if it can
   */
  const preflight = async (): Promise<string | null> => {
    if (config.TRANSCODER_URL === '') return null;
    try {
      const signal = AbortSignal.timeout(PREFLIGHT_MS);
      const response = await fetch(`${config.TRANSCODER_URL}/healthz`, { signal });
      const text = await response.text();
      return isNoAnswer(response.status, text) ? text : null;
    } catch (error) {
      return errorText(error);
    }
  };
  const askFleet = async (): Promise<TranscoderState> => {
    const checkedAt = Date.now();
    try {
      const signal = AbortSignal.timeout(FLEET.waitMs);
      const response = await fetch(`${config.TRANSCODER_URL}/readyz`, { signal });
      if (!response.ok) throw new Error(`the transcoder answered ${response.status}`);
      return { checkedAt, said: transcoderReady.parse(await response.json()) };
    } catch (error) {
      log('warn', 'transcoder_silent', { error: errorText(error) });
      return { checkedAt, said: null };
    }
  };
  const readWritten = async (): Promise<TranscoderState | null> => {
    try {
      return await written();
    } catch (error) {
      log('warn', 'transcoder_unknown', { error: errorText(error) });
      return null;
    }
  };
  const state =
    config.TRANSCODER_URL === ''
      ? sharedAnswer(readWritten, { waitMs: CONTAINERS.waitMs, goodMs: () => CONTAINERS.goodMs })
      : sharedAnswer(askFleet, {
          waitMs: FLEET.waitMs,
          goodMs: ({ said }) => (said ? FLEET.goodMs : FLEET.silentMs),
        });
  const instanceOf = (accountId: string, slot: number) => `${accountId}/${slot}`;

  return {
    /** Sends a job to a slot. Does not throw. */
    async dispatch(accountId: string, slot: number, job: Job, warmSeconds: number): Promise<DispatchOutcome> {
      const away = await preflight();
      if (away !== null) return { outcome: 'away', why: away };
      try {
        const response = await post(
          instanceOf(accountId, slot),
          '/tasks',
          `${job.task_id}.${job.attempt}`,
          job,
          { [WARM_HEADER]: String(warmSeconds) },
        );
        return outcomeOf(response.status, await response.text());
      } catch (error) {
        return { outcome: 'unsure', why: errorText(error) };
      }
    },

    /** Tells the slot to stop an attempt; resolves once the slot has received it. */
    async stop(accountId: string, slot: number, taskId: string, attempt: number): Promise<void> {
      const body = { v: WIRE_VERSION, attempt };
      const response = await post(
        instanceOf(accountId, slot),
        `/tasks/${taskId}/stop`,
        `${taskId}.${attempt}.stop`,
        body,
      );
      await response.body?.cancel();
    },

    /**
     * The last state that a transcoder reported: for a fleet, some seconds old; for a container, from when it was last awake,
     * because asking would start it. Null if none is known.
     */
    state,
  };
}

function outcomeOf(status: number, text: string): DispatchOutcome {
  const why = `${status} ${text.slice(0, 200)}`;
  if (status === 202) {
    const { free, lined } = accepted.parse(JSON.parse(text));
    return { outcome: 'accepted', free: free ?? null, lined: lined ?? false };
  }
  if (BUSY.has(status)) return { outcome: 'busy', why };
  if (NOT_REACHED.has(status)) return { outcome: 'unreachable', why };
  const code = codeOf(text);
  if (OUTDATED.has(code)) return { outcome: 'outdated', why };
  if (REFUSED.has(status) || (status === 500 && code !== null)) return { outcome: 'refused', why };
  return { outcome: 'unsure', why };
}

/** The code of a problem that a transcoder wrote; null if a proxy in front of it did. */
function codeOf(text: string): ErrorCode | null {
  try {
    return errorCode.safeParse(JSON.parse(text).code).data ?? null;
  } catch {
    return null;
  }
}

/** The local runtime answers on behalf of an address that does not answer. */
const isNoAnswer = (status: number, text: string) =>
  status === 500 && text.startsWith('TypeError: fetch failed');
