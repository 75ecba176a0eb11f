import { z } from 'zod';

/** URL of a webhook receiver. The service calls it, so it must be public HTTPS. */
export function webhookUrl(description: string) {
  return z
    .string()
    .min(1)
    .max(2048)
    .refine((text) => URL.canParse(text), { error: 'must be an absolute https:// URL' })
    .meta({ description, format: 'uri' });
}
