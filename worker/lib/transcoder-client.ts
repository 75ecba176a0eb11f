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
      /** How many more tasks the machine could start now; null: it does not say (wire version N−1). */
      free: number | null;
      /** It has put the task into its own line. */
      lined: boolean;
    }
  /**
   * - `busy`: it has no room.
   * - `away`: the address does not answer, so the job was not sent.
   * - `unreachable`: something answers there, but no machine behind it.
   * - `unsure`: the job may have arrived, and no answer came.
   * - `refused`: it does not take this job.
   */
  | { outcome: 'busy' | 'away' | 'unreachable' | 'unsure' | 'refused'; why: string };

const TIMEOUT_MS = 30_000;
const PREFLIGHT_MS = 5000;

/** Answers of load balancers and of Cloudflare that say that no machine was reached. */
const NOT_REACHED = new Set([401, 403, 404, 405, 421, 502, 521, 522, 523, 525, 526, 530]);
/** Answers to a job that is not to the machine's liking. */
const REFUSED = new Set([400, 413, 415, 422]);
const BUSY = new Set([429, 503]);
/** Tells a Transcoder how long to stay warm after this dispatch. */
export const WARM_HEADER = 'x-spool-warm-seconds';

/** How long a fleet is waited for, and for how long its answer is good. */
const FLEET = { waitMs: 3000, goodMs: 5000, silentMs: 1000 };
/** For how long what containers have written is good. */
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
   * Asks the address for any answer at all before a job is sent there: only then does a failure to connect mean for certain that
   * the job has not arrived. A container says so by itself. @returns why it is not reached, else null
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
    /** Hands a job to a slot. Does not throw. */
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

    /** Tells the slot to stop an attempt; resolves as soon as it has heard. */
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
     * What a transcoder last said of itself: a fleet some seconds ago, a container when it was awake, for asking would start
     * one. Null where nothing is known.
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
  if (REFUSED.has(status) || (status === 500 && isOurs(text))) return { outcome: 'refused', why };
  return { outcome: 'unsure', why };
}

/** Whether a transcoder has written this problem, rather than something in front of it. */
function isOurs(text: string): boolean {
  try {
    return errorCode.safeParse(JSON.parse(text).code).success;
  } catch {
    return false;
  }
}

/** The local runtime answers in place of an address that does not. */
const isNoAnswer = (status: number, text: string) =>
  status === 500 && text.startsWith('TypeError: fetch failed');
