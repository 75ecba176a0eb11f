import { z } from 'zod';

/** Queue message: send this mail. The content is sealed, because it contains links and codes that sign somebody in. */
export const mailMessage = z.object({
  v: z.literal(1),
  id: z.string(),
  sealed: z.string(),
  /** When the mail becomes pointless, epoch ms. */
  expires_at: z.number(),
});
export type MailMessage = z.output<typeof mailMessage>;
