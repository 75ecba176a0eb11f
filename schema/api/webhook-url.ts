import { z } from 'zod';

/** The address of a receiver of webhooks: called by the service, so it must be public HTTPS. */
export function webhookUrl(description: string) {
  return z
    .string()
    .min(1)
    .max(2048)
    .refine((text) => URL.canParse(text), { error: 'Expected an absolute https:// URL' })
    .meta({ description, format: 'uri' });
}
