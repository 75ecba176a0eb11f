/** Every status of a subscription at Stripe: https://docs.stripe.com/api/subscriptions/object#subscription_object-status */
export const subscriptionStatuses = [
  'active',
  'trialing',
  'past_due',
  'unpaid',
  'canceled',
  'paused',
  'incomplete',
  'incomplete_expired',
] as const;

export type SubscriptionStatus = (typeof subscriptionStatuses)[number];
