import { z } from 'zod';
import type { Context } from '../../context.ts';
import { Problem } from '../../lib/problem.ts';
import { isSignedByStripe, presentedStripeSignature } from '../../lib/stripe-signature.ts';
import type { PeopleContext } from '../../people-context.ts';
import { refusal } from '../account/request-limit.ts';
import { refreshBilling } from './refresh.ts';

/** Of the events of a customer, those after which a subscription may be another. */
const REASON =
  /^(customer\.subscription\.|checkout\.session\.(completed|async_)|invoice\.(paid|payment_failed)$)/;

const event = z.object({
  type: z.string(),
  data: z.object({ object: z.object({ customer: z.string().nullish() }) }),
});

/**
 * Takes an event of Stripe. It is only a reason to ask Stripe for the subscription: nothing that it says is believed, so it may
 * come late, twice, or in the wrong order. Throws if Stripe cannot be asked; then it sends the event again.
 * @throws Problem not_found (no billing by Stripe, or not signed by it), rate_limited, request_too_large
 */
export async function takeStripeEvent(
  core: Context,
  people: PeopleContext,
  header: (name: string) => string | undefined,
  readBody: () => Promise<string>,
): Promise<void> {
  const now = Date.now();
  const presented = presentedStripeSignature(header('stripe-signature'), now);
  if (!people.billing || !presented) throw await refusal(core, header, new Problem('not_found'));
  const body = await readBody();
  if (!(await isSignedByStripe(people.config.STRIPE_WEBHOOK_SECRET, presented, body)))
    throw await refusal(core, header, new Problem('not_found'));
  const { data } = event.safeParse(JSON.parse(body));
  const customer = data && REASON.test(data.type) ? data.data.object.customer : null;
  const row = customer ? await people.customers.ofCustomer(customer) : null;
  if (row) await refreshBilling(people, row, now);
}
