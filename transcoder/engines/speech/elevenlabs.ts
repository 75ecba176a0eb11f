import { z } from 'zod';
import { parseRetryAfter } from '../../model/retry-pause.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import { type Outcome, tried } from './cloud/tries.ts';
import { neverArrived } from './cloud/trusted-post.ts';
import type { Utterance } from './programs.ts';
import type { Sound } from './wave.ts';

/** https://elevenlabs.io/docs/api-reference/text-to-speech/convert */
interface Provider {
  /** The caller's key. */
  key: string;
  /** Origin of the API. */
  url: string;
  model: string;
}

/** "George", available to every account. */
export const DEFAULT_VOICE = 'JBFqnCBsd6RMkjVDRZzb';
/** Model for voice conversion. */
export const CONVERSION_MODEL = 'eleven_multilingual_sts_v2';
export const CONVERSION_RATE = 16_000;
const SAMPLE_RATE = 22_050;
const TIMEOUT_MS = 120_000;
const MAX_BYTES = 64 * 1024 * 1024;

const answerOf = z.object({ audio_base64: z.string().max(MAX_BYTES) });

/**
 * Speaks a text with ElevenLabs. Throws `provider_rejected_key` if the key is refused and `engine_failed` for any other
 * reason, without quoting the response; or the reason of `signal`.
 */
export async function byElevenLabs(
  { text, voice, speed }: Utterance,
  { key, url, model }: Provider,
  signal?: AbortSignal,
): Promise<Sound> {
  const address = `${url}/v1/text-to-speech/${encodeURIComponent(voice)}/with-timestamps?output_format=pcm_${SAMPLE_RATE}`;
  const request = {
    headers: { 'xi-api-key': key, 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({
      text,
      model_id: model,
      voice_settings: { speed },
    }),
  };
  return asked(address, request, signal, async (response) => {
    const { audio_base64 } = answerOf.parse(await response.json());
    return pcm(Buffer.from(audio_base64, 'base64'));
  });
}

/**
 * Converts speech to a voice of ElevenLabs. Throws as `byElevenLabs` does.
 * https://elevenlabs.io/docs/api-reference/speech-to-speech/convert
 * @param speech At 16 kHz.
 */
export async function convertedByElevenLabs(
  speech: Float32Array,
  voice: string,
  { key, url }: Pick<Provider, 'key' | 'url'>,
  signal?: AbortSignal,
): Promise<Sound> {
  const address = `${url}/v1/speech-to-speech/${encodeURIComponent(voice)}?output_format=pcm_${SAMPLE_RATE}`;
  const body = new FormData();
  body.set('audio', new Blob([pcmBytes(speech)]), 'speech.pcm');
  body.set('model_id', CONVERSION_MODEL);
  body.set('file_format', 'pcm_s16le_16');
  return asked(address, { headers: { 'xi-api-key': key }, body }, signal, async (response) => {
    const bytes = Buffer.from(await response.arrayBuffer());
    if (bytes.length > MAX_BYTES) throw new Error('the response is longer than the requested sound');
    return pcm(bytes);
  });
}

function asked(
  address: string,
  request: Pick<RequestInit, 'headers' | 'body'>,
  signal: AbortSignal | undefined,
  read: (response: Response) => Promise<Sound>,
): Promise<Sound> {
  return tried(() => once(address, request, signal, read), signal);
}

async function once(
  address: string,
  request: Pick<RequestInit, 'headers' | 'body'>,
  signal: AbortSignal | undefined,
  read: (response: Response) => Promise<Sound>,
): Promise<Outcome<Sound>> {
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  try {
    const response = await fetch(address, {
      ...request,
      method: 'POST',
      redirect: 'error',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    if (response.ok) return { value: await read(response) };
    const reason = await reasonOf(response);
    const retryAfter = parseRetryAfter(response.headers.get('retry-after'));
    const again = response.status === 429 || (response.status === 503 && retryAfter !== undefined);
    return { failure: refusal(response.status, reason, retryAfter), again };
  } catch (cause) {
    signal?.throwIfAborted();
    const detail = 'ElevenLabs did not send a valid response.';
    return { failure: new TaskFailure('engine_failed', detail, { cause }), again: neverArrived(cause) };
  }
}

/** Reasons that the status alone does not tell: a key whose credits are used up is answered 401, as a wrong one is. */
const reasons = {
  quota_exceeded:
    'The ElevenLabs account of X-ElevenLabs-Key has not enough credits for this text. Add credits there, or choose another engine.',
  max_character_limit_exceeded:
    'The text is longer than ElevenLabs takes in one request. Divide it into shorter sentences, captions or segments.',
} as const;
type Reason = keyof typeof reasons;

const refused = z.object({ detail: z.object({ status: z.enum(Object.keys(reasons) as Reason[]) }) });
/** Bytes of a refusal that are read. */
const MOST_REFUSAL = 16 * 1024;

/** The reason that a refusal names, if it is one that we know. */
async function reasonOf({ body }: Response): Promise<Reason | null> {
  let text = '';
  try {
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      text += chunk;
      if (text.length > MOST_REFUSAL) return null;
    }
    return refused.parse(JSON.parse(text)).detail.status;
  } catch {
    return null;
  }
}

function refusal(status: number, reason: Reason | null, retryAfter?: number): TaskFailure {
  if (reason !== null)
    return new TaskFailure(
      reason === 'quota_exceeded' ? 'provider_rejected_key' : 'engine_unavailable',
      reasons[reason],
    );
  if (status === 401 || status === 403) {
    return new TaskFailure('provider_rejected_key', 'ElevenLabs rejected the key in X-ElevenLabs-Key.');
  }
  if (status === 404 || status === 400 || status === 422) {
    return new TaskFailure(
      'engine_unavailable',
      'ElevenLabs does not have this voice or does not support the text or its language.',
    );
  }
  if (status === 429) {
    return new TaskFailure(
      'engine_failed',
      'ElevenLabs limits the requests with this key (status 429). Try again later.',
      {
        retryAfter,
      },
    );
  }
  return new TaskFailure('engine_failed', `ElevenLabs returned an error (status ${status}).`, { retryAfter });
}

function pcm(bytes: Buffer): Sound {
  const samples = new Float32Array(Math.floor(bytes.length / 2));
  for (let index = 0; index < samples.length; index++) samples[index] = bytes.readInt16LE(2 * index) / 32_768;
  return { samples, sampleRate: SAMPLE_RATE };
}

function pcmBytes(samples: Float32Array): Uint8Array<ArrayBuffer> {
  const bytes = Buffer.alloc(2 * samples.length);
  for (const [index, value] of samples.entries()) {
    bytes.writeInt16LE(Math.round(32_767 * Math.max(-1, Math.min(1, value))), 2 * index);
  }
  return new Uint8Array(bytes);
}
