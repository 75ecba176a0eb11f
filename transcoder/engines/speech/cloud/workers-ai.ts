import { signatureHeaders } from '../../../../schema/api/signature.ts';
import { auraVoices } from '../../../../schema/media/voices.ts';
import { newId } from '../../../../schema/task/ids.ts';
import { type AiRequest, aiAnswer, MAX_AI_TEXT, WIRE_VERSION } from '../../../../schema/task/wire.ts';
import { NotSent } from '../../../model/post.ts';
import type { WorkersAi } from '../../../model/speech-endpoint.ts';
import { TaskFailure } from '../../../model/task-failure.ts';
import type { Utterance } from '../programs.ts';
import type { Sound } from '../wave.ts';
import { soundOf } from './speech-api.ts';
import type { Transcribe } from './transcribe-pieces.ts';
import { transcriptOf } from './transcript.ts';
import { type Outcome, tried } from './tries.ts';
import { trustedPost } from './trusted-post.ts';

const TIMEOUT_MS = 120_000;
const MOST_BYTES = 64 * 1024 * 1024;

/** Transcribes with Whisper on Workers AI. */
export function transcribeOnWorkersAi(
  route: WorkersAi,
  { language }: { language: string | null },
): Transcribe {
  return (wave, seconds, signal) => {
    const request: AiRequest = {
      ...{ v: WIRE_VERSION, type: 'transcribe', audio: wave.toString('base64') },
      language: language?.split('-')[0] ?? null,
    };
    const read = (answer: unknown) => transcriptOf(answer, seconds);
    return ask(
      route,
      request,
      (answer) => (answer.type === 'heard' ? read(answer.answer) : undefined),
      signal,
    );
  };
}

/** Speaks with Aura 2 on Workers AI, which has one speed. */
export function speakOnWorkersAi(
  route: WorkersAi,
  { text, voice }: Utterance,
  signal?: AbortSignal,
): Promise<Sound> {
  const known = auraVoices.find(({ id }) => id === voice);
  if (!known) {
    const detail = `Aura 2 has no voice \`${voice}\`. \`GET /capabilities\` lists the voices.`;
    throw new TaskFailure('engine_unavailable', detail);
  }
  if (text.length > MAX_AI_TEXT) {
    const detail = `Aura 2 speaks at most ${MAX_AI_TEXT} characters at a time; a line has ${text.length}. Divide it.`;
    throw new TaskFailure('engine_unavailable', detail);
  }
  const request: AiRequest = {
    ...{ v: WIRE_VERSION, type: 'speak', text, speaker: known.speaker },
    language: known.language,
  };
  return ask(
    route,
    request,
    (answer) => (answer.type === 'spoken' ? soundOf(Buffer.from(answer.audio, 'base64')) : undefined),
    signal,
  );
}

type Answer = ReturnType<(typeof aiAnswer)['parse']>;

function ask<T>(
  route: WorkersAi,
  request: AiRequest,
  read: (answer: Answer) => T | undefined,
  signal?: AbortSignal,
): Promise<T> {
  return tried(() => once(route, request, read, signal), signal);
}

async function once<T>(
  { url, secret }: WorkersAi,
  request: AiRequest,
  read: (answer: Answer) => T | undefined,
  signal: AbortSignal | undefined,
): Promise<Outcome<T>> {
  const body = JSON.stringify(request);
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await trustedPost({
      url,
      headers: {
        'content-type': 'application/json',
        ...(await signatureHeaders(secret, newId('event'), body)),
      },
      body: new Uint8Array(Buffer.from(body)),
      mostBytes: MOST_BYTES,
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    if (response.status === 429) return failed('Workers AI is busy. Try again later.', true);
    if (response.status !== 200) return failed(`Workers AI was not reached (status ${response.status}).`);
    const answer = aiAnswer.parse(JSON.parse(response.body.toString('utf8')));
    if (answer.type === 'refused') return refused(answer.reason);
    const value = read(answer);
    return value === undefined ? failed('Workers AI sent another answer than was asked for.') : { value };
  } catch (cause) {
    signal?.throwIfAborted();
    return failed('Workers AI did not send a valid response.', cause instanceof NotSent, cause);
  }
}

function refused(reason: 'busy' | 'quota' | 'input' | 'failed'): Outcome<never> {
  if (reason === 'busy') return failed('Workers AI is busy. Try again later.', true);
  if (reason === 'failed') return failed('Workers AI returned an error.');
  const why =
    reason === 'quota'
      ? 'the allowance of this service is used up'
      : 'it does not support this sound, text or language';
  const detail = `Workers AI is not available: ${why}. Choose another engine.`;
  return { failure: new TaskFailure('engine_unavailable', detail), again: false };
}

const failed = (detail: string, again = false, cause?: unknown): Outcome<never> => ({
  failure: new TaskFailure('engine_failed', detail, { cause }),
  again,
});
