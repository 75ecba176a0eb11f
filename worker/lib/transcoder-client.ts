import { signatureHeaders } from '../../schema/signature.ts';
import type { TranscoderState } from '../../schema/transcoder-state.ts';
import { accepted, type Job, transcoderReady, WIRE_VERSION } from '../../schema/wire.ts';
import type { Env } from '../bindings.ts';
import type { Config } from '../env.ts';
import { errorText, log } from './log.ts';
import { sharedAnswer } from './shared-answer.ts';

export type DispatchOutcome =
  | { outcome: 'accepted' }
  /** It has no room: try again after so many seconds. */
  | { outcome: 'busy'; retryAfterSeconds: number }
  | { outcome: 'unreachable' };

const TIMEOUT_MS = 30_000;

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
  const post = async (instance: string, path: string, id: string, body: unknown): Promise<Response> => {
    const text = JSON.stringify(body);
    const headers = await signatureHeaders(config.TRANSCODER_SECRET, id, text);
    return send(instance, path, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: text,
    });
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
    /** Hands a job to a slot. Throws where the transcoder refuses the job itself. */
    async dispatch(accountId: string, slot: number, job: Job): Promise<DispatchOutcome> {
      let response: Response;
      try {
        response = await post(instanceOf(accountId, slot), '/tasks', `${job.task_id}.${job.attempt}`, job);
      } catch (error) {
        log('warn', 'transcoder_unreachable', { task_id: job.task_id, error: errorText(error) });
        return { outcome: 'unreachable' };
      }
      if (response.status === 202) {
        accepted.parse(await response.json());
        return { outcome: 'accepted' };
      }
      const text = (await response.text()).slice(0, 500);
      if (response.status === 503) {
        const after = Number(response.headers.get('retry-after'));
        return { outcome: 'busy', retryAfterSeconds: after >= 1 && after <= 60 ? after : 2 };
      }
      throw new Error(`transcoder refused the job: ${response.status} ${text}`);
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
