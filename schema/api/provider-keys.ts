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
