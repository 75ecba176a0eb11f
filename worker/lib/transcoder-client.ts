import { signatureHeaders } from '../../schema/signature.ts';
import {
  accepted,
  type Job,
  type TranscoderReady,
  transcoderReady,
  WIRE_VERSION,
} from '../../schema/wire.ts';
import type { Env } from '../bindings.ts';
import type { Config } from '../env.ts';
import { errorText, log } from './log.ts';

export type DispatchOutcome =
  | { outcome: 'accepted' }
  /** It has no room: try again after so many seconds. */
  | { outcome: 'busy'; retryAfterSeconds: number }
  | { outcome: 'unreachable' };

const TIMEOUT_MS = 30_000;

/** For how long an answer about the engines is good, and how long one is waited for. */
const ENGINE = { knownMs: 300_000, unknownMs: 10_000, waitMs: 2000 };

/** What runs the operations, and the engines beside it, as a transcoder says. */
export type EnginesSaid = Pick<TranscoderReady, 'engine' | 'engines'>;

/** The transcoder behind `TRANSCODER_URL`, or the container instance of an account's slot. */
export function transcoderClient(env: Env, config: Config) {
  const send = async (
    instance: string,
    path: string,
    init: RequestInit,
    timeoutMs = TIMEOUT_MS,
  ): Promise<Response> => {
    const signal = AbortSignal.timeout(timeoutMs);
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
  const ready = async (timeoutMs?: number): Promise<TranscoderReady> => {
    const response = await send('readyz', '/readyz', { method: 'GET' }, timeoutMs);
    return transcoderReady.parse(await response.json());
  };
  let asked: { said: EnginesSaid | null; until: number } = { said: null, until: 0 };
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

    /** What a transcoder says of itself. Throws where none answers. */
    ready: () => ready(),

    /** What a transcoder has said in the last minutes of the engines that it has; null where none has answered. */
    async engines(): Promise<EnginesSaid | null> {
      const left = asked.until - Date.now();
      // A clock that was set back makes no answer good for longer.
      if (left > 0 && left <= ENGINE.knownMs) return asked.said;
      try {
        const { engine, engines } = await ready(ENGINE.waitMs);
        asked = { said: { engine, engines }, until: Date.now() + ENGINE.knownMs };
      } catch (error) {
        log('warn', 'engine_unknown', { error: errorText(error) });
        asked = { said: null, until: Date.now() + ENGINE.unknownMs };
      }
      return asked.said;
    },
  };
}
