import type { FormFields } from './form.ts';
import { boolean, integer, list, metadata, object, oneOf, parameters, text, url } from './parameters.ts';
import { missing, Refused } from './refused.ts';
import { listOf } from './render.ts';
import type { World } from './world.ts';

/** Answers one request. `id`: what `:id` in its path stands for. */
export type Handler = (world: World, given: FormFields, id: string) => unknown;

const toggle = object({ enabled: boolean }, ['enabled']);
const paging = { limit: integer, starting_after: text };

/** The part of the API that the service uses, with the parameters of it that the stand-in understands. */
export const handlers: Record<string, Handler> = {
  'POST /v1/customers'(world, given) {
    const { email, name, metadata: about } = parameters(given, { email: text, name: text, metadata }, []);
    const shown = { id: world.newId('cus'), created: world.now(), email: email ?? null, name: name ?? null };
    const customer = { ...shown, metadata: about ?? {}, card: null };
    world.state.customers[customer.id] = customer;
    return world.render.customer(customer);
  },

  'GET /v1/customers/:id'(world, given, id) {
    parameters(given, {}, []);
    const customer = world.state.customers[id];
    if (!customer) throw missing('customer', id);
    return world.render.customer(customer);
  },

  'POST /v1/prices'(world, given) {
    const fields = {
      ...{ currency: text, unit_amount: integer, lookup_key: text, transfer_lookup_key: boolean, metadata },
      recurring: object({ interval: oneOf('month', 'year'), interval_count: integer }, ['interval']),
      product_data: object({ name: text, metadata }, ['name']),
    };
    const price = parameters(given, fields, ['currency', 'unit_amount', 'recurring', 'product_data']);
    const { state } = world;
    const known = Object.values(state.prices).find(
      ({ lookup_key: key }) => key !== null && key === price.lookup_key,
    );
    if (known && !price.transfer_lookup_key) {
      throw new Refused(`A price (\`${known.id}\`) already uses that lookup key.`, { param: 'lookup_key' });
    }
    if (known) known.lookup_key = null;
    const created = world.now();
    const product = world.newId('prod');
    state.products[product] = { id: product, created, name: price.product_data.name ?? '' };
    const id = world.newId('price');
    state.prices[id] = {
      ...{ id, created, product, active: true, currency: price.currency, unit_amount: price.unit_amount },
      ...{ interval: price.recurring.interval ?? 'month', lookup_key: price.lookup_key ?? null },
      metadata: price.metadata ?? {},
    };
    return world.render.price(state.prices[id]);
  },

  'GET /v1/prices'(world, given) {
    const fields = { active: boolean, lookup_keys: list(text), ...paging };
    const { active, lookup_keys: keys, ...rest } = parameters(given, fields, []);
    const found = Object.values(world.state.prices).filter(
      (price) =>
        (active === undefined || price.active === active) &&
        (keys === undefined || (price.lookup_key !== null && keys.includes(price.lookup_key))),
    );
    return listed('/v1/prices', found, rest, world.render.price);
  },

  'POST /v1/checkout/sessions'(world, given) {
    const fields = {
      ...{ mode: oneOf('subscription', 'payment', 'setup'), customer: text, client_reference_id: text },
      line_items: list(object({ price: text, quantity: integer }, ['price'])),
      ...{ success_url: url, cancel_url: url, metadata },
    };
    const session = parameters(given, fields, ['mode', 'customer', 'line_items', 'success_url']);
    const [item, ...more] = session.line_items;
    if (session.mode !== 'subscription' || !item || more.length > 0 || item.quantity !== 1) {
      throw new Refused('The stand-in sells one subscription at a time', { param: 'line_items' });
    }
    known(world, 'customer', session.customer, 'customer');
    known(world, 'price', item.price ?? '', 'line_items[0][price]');
    const id = world.newId('cs_test');
    world.state.sessions[id] = {
      ...{ id, created: world.now(), status: 'open', customer: session.customer, price: item.price ?? '' },
      client_reference_id: session.client_reference_id ?? null,
      ...{ success_url: session.success_url, cancel_url: session.cancel_url ?? null, subscription: null },
    };
    return world.render.session(world.state.sessions[id]);
  },

  'GET /v1/checkout/sessions'(world, given) {
    const fields = { customer: text, status: oneOf('open', 'complete', 'expired'), ...paging };
    const { customer, status, ...rest } = parameters(given, fields, []);
    if (customer !== undefined) known(world, 'customer', customer, 'customer');
    const found = Object.values(world.state.sessions).filter((session) =>
      matches(session, { customer, status }),
    );
    return listed('/v1/checkout/sessions', found, rest, world.render.session);
  },

  'POST /v1/checkout/sessions/:id/expire'(world, given, id) {
    parameters(given, {}, []);
    const session = world.state.sessions[id];
    if (!session) throw missing('checkout.session', id, 'session');
    if (session.status !== 'open') {
      throw new Refused(`This Session is not in an expireable state: its status is ${session.status}.`);
    }
    session.status = 'expired';
    return world.render.session(session);
  },

  'GET /v1/subscriptions'(world, given) {
    const statuses = [
      'active',
      'past_due',
      'unpaid',
      'canceled',
      'incomplete',
      'incomplete_expired',
    ] as const;
    const status = oneOf('all', 'ended', 'trialing', 'paused', ...statuses);
    const fields = { customer: text, price: text, status, ...paging };
    const { customer, price, status: wanted, ...rest } = parameters(given, fields, []);
    if (customer !== undefined) known(world, 'customer', customer, 'customer');
    const found = Object.values(world.state.subscriptions).filter((one) => {
      const hasStatus =
        wanted === undefined ? one.status !== 'canceled' : wanted === 'all' || one.status === wanted;
      return hasStatus && matches(one, { customer, price });
    });
    return listed('/v1/subscriptions', found, rest, world.render.subscription);
  },

  'GET /v1/subscriptions/:id'(world, given, id) {
    parameters(given, {}, []);
    const subscription = world.state.subscriptions[id];
    if (!subscription) throw missing('subscription', id);
    return world.render.subscription(subscription);
  },

  'GET /v1/subscription_schedules/:id'(world, given, id) {
    const { expand = [] } = parameters(given, { expand: list(text) }, []);
    const subscription = world.state.subscriptions[id.replace('sub_sched_', '')];
    if (!subscription || subscription.nextPrice === null) throw missing('subscription_schedule', id);
    return world.render.schedule(subscription, expand.includes('phases.items.price'));
  },

  'DELETE /v1/subscriptions/:id'(world, given, id) {
    parameters(given, { invoice_now: boolean, prorate: boolean }, []);
    const subscription = world.state.subscriptions[id];
    if (!subscription || subscription.ended_at !== null) throw missing('subscription', id);
    world.cancel(subscription, 'immediately');
    return world.render.subscription(subscription);
  },

  'GET /v1/invoices'(world, given) {
    const status = oneOf('draft', 'open', 'paid', 'uncollectible', 'void');
    const fields = { customer: text, subscription: text, status, ...paging };
    const { customer, subscription, status: wanted, ...rest } = parameters(given, fields, []);
    if (customer !== undefined) known(world, 'customer', customer, 'customer');
    const found = Object.values(world.state.invoices).filter((invoice) =>
      matches(invoice, { customer, subscription, status: wanted }),
    );
    return listed('/v1/invoices', found, rest, world.render.invoice);
  },

  'POST /v1/billing_portal/configurations'(world, given) {
    const update = oneOf('address', 'email', 'name', 'phone', 'shipping', 'tax_id');
    const condition = object({ type: oneOf('decreasing_item_amount', 'shortening_interval') }, ['type']);
    const features = object({
      customer_update: object({ enabled: boolean, allowed_updates: list(update) }, ['enabled']),
      invoice_history: toggle,
      payment_method_update: toggle,
      subscription_cancel: object({ enabled: boolean, mode: oneOf('at_period_end', 'immediately') }, [
        'enabled',
      ]),
      subscription_update: object(
        {
          enabled: boolean,
          default_allowed_updates: list(oneOf('price', 'promotion_code', 'quantity')),
          products: list(object({ product: text, prices: list(text) }, ['product', 'prices'])),
          proration_behavior: oneOf('none', 'create_prorations', 'always_invoice'),
          schedule_at_period_end: object({ conditions: list(condition) }),
        },
        ['enabled'],
      ),
    });
    const read = parameters(given, { features, metadata }, ['features']);
    const { subscription_update: change, subscription_cancel: cancel } = read.features;
    const id = world.newId('bpc');
    const configuration = {
      ...{ id, created: world.now(), metadata: read.metadata ?? {}, features: read.features },
      prices: change?.products?.flatMap(({ prices }) => prices ?? []) ?? [],
      cancelMode: cancel?.mode ?? ('at_period_end' as const),
      schedulesDowngrades:
        change?.schedule_at_period_end?.conditions?.some(({ type }) => type === 'decreasing_item_amount') ??
        false,
    };
    for (const price of configuration.prices) known(world, 'price', price, 'features');
    world.state.configurations[id] = configuration;
    return world.render.configuration(configuration);
  },

  'GET /v1/billing_portal/configurations'(world, given) {
    const rest = parameters(given, { active: boolean, is_default: boolean, ...paging }, []);
    const found = Object.values(world.state.configurations);
    return listed('/v1/billing_portal/configurations', found, rest, world.render.configuration);
  },

  'POST /v1/billing_portal/sessions'(world, given) {
    const item = object({ id: text, price: text, quantity: integer }, ['id']);
    const flow = object(
      {
        type: oneOf('subscription_update_confirm'),
        subscription_update_confirm: object({ subscription: text, items: list(item) }, [
          'subscription',
          'items',
        ]),
        after_completion: object({ type: oneOf('redirect'), redirect: object({ return_url: url }) }, [
          'type',
        ]),
      },
      ['type', 'subscription_update_confirm'],
    );
    const fields = { customer: text, configuration: text, return_url: url, flow_data: flow };
    const read = parameters(given, fields, ['customer', 'configuration', 'return_url']);
    known(world, 'customer', read.customer, 'customer');
    const id = world.newId('bps');
    world.state.portals[id] = {
      ...{ id, created: world.now(), customer: read.customer, configuration: read.configuration },
      ...{ return_url: read.return_url, change: changeOf(world, read) },
    };
    return world.render.portal(world.state.portals[id]);
  },
};

interface Flow {
  customer: string;
  configuration: string;
  return_url: string;
  flow_data?: {
    subscription_update_confirm?: { subscription?: string; items?: { id?: string; price?: string }[] };
    after_completion?: { redirect?: { return_url?: string } };
  };
}

/** A change of the plan that the portal is to confirm: the subscription goes on, and the configuration offers the price. */
function changeOf(world: World, { customer, configuration, return_url: back, flow_data: flow }: Flow) {
  const { subscription: id = '', items: [item] = [] } = flow?.subscription_update_confirm ?? {};
  if (!flow) return null;
  const subscription = world.state.subscriptions[id];
  const param = 'flow_data[subscription_update_confirm][subscription]';
  if (!subscription || subscription.customer !== customer) throw missing('subscription', id, param);
  const offered = world.state.configurations[configuration]?.prices ?? [];
  if (subscription.status !== 'active' || subscription.cancel_at_period_end) {
    throw new Refused('The subscription cannot be updated.', { param });
  }
  if (item?.id !== subscription.item || item.price === undefined || !offered.includes(item.price)) {
    throw new Refused('The price is not offered by the configuration.', { param: 'flow_data' });
  }
  return {
    subscription: id,
    price: item.price,
    return_url: flow.after_completion?.redirect?.return_url ?? back,
  };
}

const tables = { customer: 'customers', price: 'prices' } as const;

function known(world: World, kind: keyof typeof tables, id: string, param: string): void {
  if (!world.state[tables[kind]][id]) throw missing(kind, id, param);
}

const matches = <T extends object>(one: T, wanted: Partial<Record<keyof T, unknown>>): boolean =>
  Object.entries(wanted).every(([key, value]) => value === undefined || Reflect.get(one, key) === value);

/** A page of a list, newest first. */
function listed<T extends { id: string; created: number }>(
  path: string,
  all: readonly T[],
  { limit = 10, starting_after: after }: { limit?: number; starting_after?: string },
  render: (one: T) => unknown,
) {
  if (limit < 1 || limit > 100)
    throw new Refused('Invalid limit: must be between 1 and 100', { param: 'limit' });
  const sorted = all.toReversed().sort((a, b) => b.created - a.created);
  const start = after === undefined ? 0 : sorted.findIndex(({ id }) => id === after) + 1;
  const shown = sorted.slice(start, start + limit);
  return listOf(path, shown.map(render), start + limit < sorted.length);
}
