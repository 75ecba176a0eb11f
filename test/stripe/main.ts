/** Run by `npm start`: the stand-in for Stripe, whose settings come from the environment. It prints its origin when it is ready. */
import { z } from 'zod';
import { startStripe } from './stand-in.ts';

const settings = z.object({
  PORT: z.coerce.number().int(),
  STRIPE_SECRET_KEY: z.string().min(1),
  STRIPE_WEBHOOK_SECRET: z.string().min(1),
  WEBHOOK_URL: z.url(),
  STATE_FILE: z.string().min(1),
});

const { PORT, STRIPE_SECRET_KEY, STRIPE_WEBHOOK_SECRET, WEBHOOK_URL, STATE_FILE } = settings.parse(
  process.env,
);
const stripe = await startStripe({
  port: PORT,
  secretKey: STRIPE_SECRET_KEY,
  webhook: { url: WEBHOOK_URL, secret: STRIPE_WEBHOOK_SECRET },
  file: STATE_FILE,
});
console.log(stripe.origin);
