import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { serve } from '@hono/node-server';
import { type Context, Hono } from 'hono';
import { Events } from './events.ts';
import { checkoutPage, controlPage, invoicePage, layout, portalPage } from './pages.ts';
import { Refused } from './refused.ts';
import { answerApi } from './requests.ts';
import { type Card, emptyState, type State } from './state.ts';
import { World } from './world.ts';

interface Options {
  port?: number;
  secretKey: string;
  /** Where events go, and the secret that signs them. */
  webhook: { url: string; secret: string };
  /** Keeps the state over restarts. */
  file?: string;
}

export interface StripeStandIn {
  origin: string;
  state: State;
  world: World;
  events: Events;
  /** Methods and paths of the requests to the API so far. */
  requests: string[];
  /** While true, the API does not answer: 500. */
  isDown: boolean;
  close(): Promise<void>;
}

/** Stripe on a loopback port: its API as far as the service uses it, the pages on which people pay, and a clock to advance. */
export async function startStripe({ port = 0, secretKey, webhook, file }: Options): Promise<StripeStandIn> {
  const state = readState(file);
  const app = new Hono();
  const server = await new Promise<ReturnType<typeof serve>>((resolve) => {
    const started = serve({ fetch: app.fetch, port, hostname: '127.0.0.1' }, () => resolve(started));
  });
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const events = new Events(state, webhook);
  const world = new World(state, origin, (type, object) =>
    events.add(world.newId('evt'), world.now(), type, object),
  );
  const standIn: StripeStandIn = {
    ...{ origin, state, world, events, requests: [], isDown: false },
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  };

  app.use(async (_, next) => {
    world.catchUp();
    await next();
    if (file !== undefined) writeState(file, state);
  });
  apiRoutes(app, standIn, secretKey);
  paymentRoutes(app, standIn);
  portalRoutes(app, standIn);
  controlRoutes(app, standIn);
  return standIn;
}

function readState(file?: string): State {
  try {
    const known = file === undefined ? {} : (JSON.parse(readFileSync(file, 'utf8')) as Partial<State>);
    return { ...emptyState(), ...known };
  } catch {
    return emptyState();
  }
}

function writeState(file: string, state: State): void {
  writeFileSync(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

function apiRoutes(app: Hono, standIn: StripeStandIn, secretKey: string): void {
  app.all('/v1/*', async (c) => {
    standIn.requests.push(`${c.req.method} ${c.req.path}`);
    if (standIn.isDown)
      return c.json({ error: { type: 'api_error', message: 'An error of the stand-in' } }, 500);
    const { status, headers, body } = answerApi(standIn.world, secretKey, {
      method: c.req.method,
      path: c.req.path,
      query: new URL(c.req.url).search.slice(1),
      header: (name) => c.req.header(name),
      body: await c.req.text(),
    });
    return new Response(body, { status, headers });
  });
}

/** Runs what a form asks for. @returns what the stand-in refuses to do, in words; empty if it was done */
function refusedText(run: () => void): string {
  try {
    run();
    return '';
  } catch (error) {
    if (error instanceof Refused) return error.message;
    throw error;
  }
}

async function cardOf(c: Context): Promise<Card> {
  const { card } = await c.req.parseBody();
  return card === 'declined' || card === 'unconfirmed' ? card : 'good';
}

const notFound = (c: Context) => c.html(layout('Not found', []), 404);

function paymentRoutes(app: Hono, { state, world }: StripeStandIn): void {
  app.get('/c/pay/:id', (c) => {
    const session = state.sessions[c.req.param('id')];
    return session ? c.html(checkoutPage(state, session)) : notFound(c);
  });

  app.post('/c/pay/:id', async (c) => {
    const session = state.sessions[c.req.param('id')];
    if (!session) return notFound(c);
    const card = await cardOf(c);
    const refused = refusedText(() => world.pay(session, card));
    return refused === ''
      ? c.redirect(session.success_url, 303)
      : c.html(checkoutPage(state, session, refused), 402);
  });

  const backOf = (c: Context) => state.portals[c.req.query('from') ?? '']?.return_url ?? null;

  app.get('/i/:id', (c) => {
    const invoice = state.invoices[c.req.param('id')];
    return invoice ? c.html(invoicePage(invoice, backOf(c))) : notFound(c);
  });

  app.post('/i/:id', async (c) => {
    const invoice = state.invoices[c.req.param('id')];
    if (!invoice) return notFound(c);
    const card = await cardOf(c);
    const refused = refusedText(() => world.payInvoice(invoice, card));
    return c.html(invoicePage(invoice, backOf(c), refused), refused === '' ? 200 : 402);
  });
}

function portalRoutes(app: Hono, { state, world }: StripeStandIn): void {
  app.get('/p/session/:id', (c) => {
    const portal = state.portals[c.req.param('id')];
    return portal ? c.html(portalPage(state, portal)) : notFound(c);
  });

  app.post('/p/session/:id/:verb{card|cancel|renew|confirm}', async (c) => {
    const portal = state.portals[c.req.param('id')];
    const customer = portal && state.customers[portal.customer];
    const configuration = portal && state.configurations[portal.configuration];
    if (!portal || !customer || !configuration) return notFound(c);
    const card = await cardOf(c);
    const { subscription: given } = await c.req.parseBody();
    const subscription = state.subscriptions[portal.change?.subscription ?? String(given)];
    const own = subscription?.customer === customer.id ? subscription : null;
    const verbs: Record<string, () => void> = {
      card: () => world.changeCard(customer, card),
      cancel: () => own && world.cancel(own, configuration.cancelMode),
      renew: () => own && world.renewAgain(own),
      confirm: () =>
        own &&
        portal.change &&
        world.changePrice(own, portal.change.price, configuration.schedulesDowngrades),
    };
    const verb = c.req.param('verb');
    const refused = refusedText(() => verbs[verb]?.());
    if (refused !== '') return c.html(portalPage(state, portal, refused), 402);
    return c.redirect(portal.change?.return_url ?? `/p/session/${portal.id}`, 303);
  });
}

function controlRoutes(app: Hono, { state, world, events }: StripeStandIn): void {
  app.get('/', (c) => c.html(controlPage(state, world.now(), events.waiting)));

  app.post('/control/advance', async (c) => {
    const { seconds } = await c.req.parseBody();
    world.advance(Math.max(0, Number(seconds) || 0));
    await events.settled();
    return c.redirect('/', 303);
  });

  app.post('/control/hold', (c) => {
    state.holdsEvents = !state.holdsEvents;
    return c.redirect('/', 303);
  });

  app.post('/control/release', async (c) => {
    const { order } = await c.req.parseBody();
    const chosen = order === 'again' ? state.events.slice(-10) : events.waiting;
    await events.deliver(...(order === 'backward' ? chosen.toReversed() : chosen));
    return c.redirect('/', 303);
  });

  app.post('/control/card', async (c) => {
    const customer = state.customers[String((await c.req.parseBody()).customer)];
    if (customer) customer.card = customer.card === 'declined' ? 'good' : 'declined';
    return c.redirect('/', 303);
  });
}
