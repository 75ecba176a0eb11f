import type {
  Configuration,
  Customer,
  Invoice,
  PortalSession,
  Price,
  Session,
  State,
  Subscription,
} from './state.ts';

/** Objects as the API shows them: the fields that somebody may read, named and shaped as at Stripe. */
export const renderings = (state: State, origin: string) => {
  const shown = { livemode: false };

  const customer = ({ card, ...rest }: Customer) => ({
    ...{ object: 'customer', ...rest, ...shown, delinquent: card === 'declined' },
    ...{ balance: 0, currency: null, description: null, phone: null, test_clock: null },
  });

  const price = ({ interval, ...rest }: Price) => ({
    ...{ object: 'price', ...rest, ...shown, type: 'recurring', billing_scheme: 'per_unit' },
    ...{ recurring: { interval, interval_count: 1, usage_type: 'licensed', meter: null } },
    ...{ nickname: null, tax_behavior: 'unspecified', unit_amount_decimal: String(rest.unit_amount) },
  });

  const session = ({ price: _, ...rest }: Session) => ({
    ...{ object: 'checkout.session', ...rest, ...shown, mode: 'subscription' },
    payment_status: rest.status === 'complete' ? 'paid' : 'unpaid',
    url: rest.status === 'open' ? `${origin}/c/pay/${rest.id}` : null,
    ...{ expires_at: rest.created + 24 * 3600, metadata: {} },
  });

  const subscription = (given: Subscription) => {
    const { item, price: priceId, nextPrice, periodStart, periodEnd, ...rest } = given;
    const known = state.prices[priceId];
    const cancelAt = rest.cancel_at_period_end && rest.ended_at === null ? periodEnd : null;
    return {
      ...{ object: 'subscription', ...rest, ...shown, cancel_at: cancelAt, currency: known?.currency },
      ...{ collection_method: 'charge_automatically', metadata: {}, start_date: rest.created },
      ...{ pause_collection: null, pending_update: null, trial_end: null, trial_start: null },
      schedule: nextPrice === null ? null : `sub_sched_${rest.id}`,
      items: listOf(`/v1/subscription_items?subscription=${rest.id}`, [
        {
          ...{ id: item, object: 'subscription_item', created: rest.created, subscription: rest.id },
          ...{ price: known && price(known), quantity: 1, metadata: {} },
          ...{ current_period_start: periodStart, current_period_end: periodEnd },
        },
      ]),
    };
  };

  /** Of a subscription with another price from its next period on. */
  const schedule = (
    { id, price: now, nextPrice, periodStart, periodEnd, ...rest }: Subscription,
    whole: boolean,
  ) => {
    const phase = (priceId: string, start: number, end: number | null) => {
      const known = state.prices[priceId];
      return {
        items: [{ price: whole && known ? price(known) : priceId, quantity: 1, metadata: {} }],
        ...{ start_date: start, end_date: end, metadata: {} },
      };
    };
    return {
      ...{ id: `sub_sched_${id}`, object: 'subscription_schedule', ...shown, created: rest.created },
      ...{ customer: rest.customer, subscription: id, status: 'active', end_behavior: 'release' },
      current_phase: { start_date: periodStart, end_date: periodEnd },
      phases: [phase(now, periodStart, periodEnd), phase(nextPrice ?? now, periodEnd, null)],
    };
  };

  const invoice = ({ subscription, ...rest }: Invoice) => ({
    ...{ object: 'invoice', ...rest, ...shown, amount_due: rest.total, subtotal: rest.total },
    amount_paid: rest.status === 'paid' ? rest.total : 0,
    amount_remaining: rest.status === 'paid' ? 0 : rest.total,
    ...{ collection_method: 'charge_automatically', metadata: {}, attempted: rest.attempt_count > 0 },
    hosted_invoice_url: rest.status === 'draft' ? null : `${origin}/i/${rest.id}`,
    parent: { type: 'subscription_details', subscription_details: { subscription, metadata: {} } },
  });

  const portal = ({ change, ...rest }: PortalSession) => ({
    ...{ object: 'billing_portal.session', ...rest, ...shown, locale: null, on_behalf_of: null },
    flow: change && { type: 'subscription_update_confirm' },
    url: `${origin}/p/session/${rest.id}`,
  });

  const configuration = ({ id, created, metadata, features }: Configuration) => ({
    ...{ object: 'billing_portal.configuration', id, created, updated: created, ...shown },
    ...{ active: true, is_default: false, metadata, features, name: null, default_return_url: null },
  });

  return { customer, price, session, subscription, schedule, invoice, portal, configuration };
};

export function listOf<T>(url: string, data: readonly T[], hasMore = false) {
  return { object: 'list', url, data, has_more: hasMore };
}
