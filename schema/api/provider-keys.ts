import { z } from 'zod';
import type { EngineId } from '../media/engines.ts';

/** Headers that carry the caller's own provider keys. */
export const providerKeyHeaders = {
  elevenlabs: 'X-ElevenLabs-Key',
} as const satisfies Partial<Record<EngineId, string>>;

export type ProviderId = keyof typeof providerKeyHeaders;

export const providerKey = z
  .string()
  .regex(/^[\x21-\x7e]{8,200}$/, { error: 'must be 8 to 200 printable ASCII characters' });

/** Binds a sealed key to one attempt; it cannot be opened for another. */
export const attemptOfKey = (taskId: string, attempt: number) => `provider_key|${taskId}|${attempt}`;

/** Headers that carry the caller's own speech API. Only the URL is required. */
export const speechApiHeaders = {
  url: 'X-Speech-Api-Url',
  key: 'X-Speech-Api-Key',
  model: 'X-Speech-Api-Model',
} as const;

/** A caller's own OpenAI-compatible speech API. Its URL is judged by the address guard. */
export const speechApi = z.object({
  url: z
    .string()
    .max(2000)
    .regex(/^[\x21-\x7e]+$/, { error: 'must be an https:// URL of at most 2000 ASCII characters' })
    .refine((url) => !/[?#]/.test(url), { error: 'must be a URL without a query or fragment' }),
  key: z
    .string()
    .regex(/^[\x21-\x7e]{1,1000}$/, { error: 'must be 1 to 1000 printable ASCII characters without spaces' })
    .nullable(),
  model: z
    .string()
    .regex(/^[\x21-\x7e]{1,200}$/, { error: 'must be 1 to 200 printable ASCII characters without spaces' })
    .nullable(),
});
export type SpeechApi = z.output<typeof speechApi>;

/** What a caller sent for providers with one request. Kept sealed until the task ends. */
export const callerProviders = z.object({
  elevenlabs: providerKey.nullable(),
  speechApi: speechApi.nullable(),
});

/** As `attemptOfKey`, for a speech API. */
export const attemptOfSpeechApi = (taskId: string, attempt: number) => `speech_api|${taskId}|${attempt}`;

/** Model names that a speech API most likely has, where none is given. */
export const speechApiModels = { transcription: 'whisper-1', speech: 'tts-1' } as const;

/** The part of a speech API's URL before `/v1`, which many give as part of it. */
export function speechApiBase(url: string): string {
  let end = url.length;
  while (url[end - 1] === '/') end -= 1;
  const base = url.slice(0, end);
  return base.endsWith('/v1') ? base.slice(0, -3) : base;
}
