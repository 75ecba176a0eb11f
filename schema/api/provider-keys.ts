import { z } from 'zod';
import type { EngineId } from '../media/engines.ts';

/** The header in which a caller's own key of a provider comes. */
export const providerKeyHeaders = {
  elevenlabs: 'X-ElevenLabs-Key',
} as const satisfies Partial<Record<EngineId, string>>;

export type ProviderId = keyof typeof providerKeyHeaders;

export const providerKey = z
  .string()
  .regex(/^[\x21-\x7e]{8,200}$/, { error: 'Expected 8 to 200 printable ASCII characters' });

/** What a key is sealed about on its way to one attempt, so that it opens for no other. */
export const attemptOfKey = (taskId: string, attempt: number) => `provider_key|${taskId}|${attempt}`;
