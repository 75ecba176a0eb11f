import { html } from 'hono/html';
import type { Invoice, PortalSession, Session, State, StoredEvent, Subscription } from './state.ts';

type Html = ReturnType<typeof html>;

/** A page of the stand-in. It says on every page that no money moves. */
export function layout(title: string, body: Html | Html[], error = ''): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · stand-in for Stripe</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { max-width: 40rem; margin: 2rem auto; padding: 0 1rem; }
form { margin: 0.75rem 0; }
fieldset { border: 1px solid; border-radius: 8px; margin: 0.75rem 0; }
fieldset label { display: block; }
button { font: inherit; padding: 0.3rem 0.9rem; }
.error { border-left: 4px solid #c22; padding-left: 0.75rem; }
</style>
</head>
<body>
<p>A stand-in for Stripe on this machine. No money moves.</p>
<h1>${title}</h1>
${error === '' ? '' : html`<p class="error" role="alert">${error}</p>`}
${body}
</body>
</html>`;
}

const money = (amount: number, currency: string) => `${(amount / 100).toFixed(2)} ${currency.toUpperCase()}`;
const day = (seconds: number) => new Date(seconds * 1000).toISOString().slice(0, 16).replace('T', ' ');
const button = (action: string, text: string, fields: Html = html``) =>
  html`<form method="post" action="${action}">${fields}<button type="submit">${text}</button></form>`;

const cards = html`<fieldset>
<legend>Card</legend>
<label><input type="radio" name="card" value="good" checked> A card that works</label>
<label><input type="radio" name="card" value="declined"> A card that is declined</label>
<label><input type="radio" name="card" value="unconfirmed"> A card that waits for a confirmation</label>
</fieldset>`;

function priceText(state: State, id: string): string {
  const price = state.prices[id];
  const name = state.products[price?.product ?? '']?.name ?? id;
  return price ? `${name}, ${money(price.unit_amount, price.currency)} a month` : name;
}

export function checkoutPage(state: State, session: Session, error = ''): Html {
  if (session.status !== 'open') return layout('This page has expired', html`<p>Start again.</p>`);
  return layout(
    'Subscribe',
    html`<p>${priceText(state, session.price)}</p>
${button(`/c/pay/${session.id}`, 'Pay and subscribe', cards)}
<p><a href="${session.cancel_url ?? session.success_url}">Back</a></p>`,
    error,
  );
}

export function invoicePage(invoice: Invoice, back: string | null, error = ''): Html {
  const { number, total, currency, status } = invoice;
  const pay = status === 'open' ? button(`/i/${invoice.id}`, 'Pay the invoice', cards) : '';
  return layout(
    `Invoice ${number}`,
    html`<p>${money(total, currency)}, ${status}</p>${pay}
${back === null ? '' : html`<p><a href="${back}">Back</a></p>`}`,
    error,
  );
}

export function portalPage(state: State, portal: PortalSession, error = ''): Html {
  const path = `/p/session/${portal.id}`;
  if (portal.change) {
    return layout(
      'Confirm the change',
      html`<p>New plan: ${priceText(state, portal.change.price)}</p>${button(`${path}/confirm`, 'Confirm')}
<p><a href="${portal.return_url}">Back</a></p>`,
      error,
    );
  }
  const mine = <T extends { customer: string }>(table: Record<string, T>) =>
    Object.values(table).filter(({ customer }) => customer === portal.customer);
  const subscriptions = mine(state.subscriptions).filter(({ ended_at: over }) => over === null);
  const body = html`${subscriptions.map((one) => subscriptionPart(state, path, one))}
<h2>Card</h2>
<p>Now: ${state.customers[portal.customer]?.card ?? 'none'}</p>
${button(`${path}/card`, 'Change the card', cards)}
<h2>Invoices</h2>
<ul>${mine(state.invoices).map(
    ({ id, number, total, currency, status }) =>
      html`<li><a href="/i/${id}?from=${portal.id}">${number}</a>, ${money(total, currency)}, ${status}</li>`,
  )}</ul>
<p><a href="${portal.return_url}">Return to the shop</a></p>`;
  return layout('Your subscription', body, error);
}

function subscriptionPart(state: State, path: string, one: Subscription): Html {
  const { id, price, status, periodEnd, cancel_at_period_end: ends, nextPrice } = one;
  const fields = html`<input type="hidden" name="subscription" value="${id}">`;
  return html`<h2>${priceText(state, price)}</h2>
<p>${status}, until ${day(periodEnd)}${nextPrice === null ? '' : `, then ${priceText(state, nextPrice)}`}</p>
${ends ? html`<p>Canceled at the end of the period.</p>` : ''}
${
  ends
    ? button(`${path}/renew`, "Don't cancel", fields)
    : button(`${path}/cancel`, 'Cancel the subscription', fields)
}`;
}

export function controlPage(state: State, now: number, waiting: readonly StoredEvent[]): Html {
  const seconds = (days: number) => html`<input type="hidden" name="seconds" value="${days * 86_400}">`;
  const order = (name: string) => html`<input type="hidden" name="order" value="${name}">`;
  return layout(
    'Control',
    html`<h2>Clock</h2>
<p>Here it is ${day(now)} UTC. The service keeps its own time.</p>
${button('/control/advance', 'Advance a day', seconds(1))}
${button('/control/advance', 'Advance a month', seconds(31))}
<h2>Events</h2>
<p>${state.holdsEvents ? `${waiting.length} events wait.` : 'Events are delivered at once.'}</p>
${button('/control/hold', state.holdsEvents ? 'Deliver events at once' : 'Let events wait')}
${button('/control/release', 'Deliver the events that wait', order('forward'))}
${button('/control/release', 'Deliver the events that wait in the wrong order', order('backward'))}
${button('/control/release', 'Deliver the last ten events again', order('again'))}
<h2>Customers</h2>
<ul>${Object.values(state.customers).map(
      ({ id, email, card }) => html`<li>${email ?? id}: card ${card ?? 'none'}
${button('/control/card', card === 'declined' ? 'Let the card work' : 'Let the card fail', html`<input type="hidden" name="customer" value="${id}">`)}</li>`,
    )}</ul>
<h2>Subscriptions</h2>
<ul>${Object.values(state.subscriptions).map(
      ({ id, status, price, customer, periodEnd }) =>
        html`<li>${state.customers[customer]?.email ?? customer}: ${priceText(state, price)}, ${status}, until ${day(periodEnd)} (${id})</li>`,
    )}</ul>`,
  );
}
