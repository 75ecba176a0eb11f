import { Refused } from './refused.ts';
import { renderings } from './render.ts';
import type { Card, Customer, Invoice, Session, State, Subscription } from './state.ts';

const HOUR = 3600;
const DAY = 24 * HOUR;
/** A purchase that is not confirmed expires after this. */
const INCOMPLETE_SECONDS = 23 * HOUR;
/** When a failed charge is tried again, after the first failure. */
const RETRY_SECONDS = [3 * DAY, 8 * DAY, 15 * DAY];

type Emit = (type: string, object: unknown) => void;

/** How customers, subscriptions and invoices change over time, with a clock that can be advanced. Times are epoch seconds. */
export class World {
  readonly state: State;
  private readonly emit: Emit;
  readonly render: ReturnType<typeof renderings>;
  /** The moment that is being lived through while the clock advances. */
  private moment: number | null = null;

  constructor(state: State, origin: string, emit: Emit) {
    this.state = state;
    this.emit = emit;
    this.render = renderings(state, origin);
  }

  now(): number {
    return this.moment ?? Math.floor(Date.now() / 1000) + this.state.ahead;
  }

  newId(prefix: string): string {
    this.state.serial += 1;
    return `${prefix}_${crypto.randomUUID().replaceAll('-', '').slice(0, 20)}${this.state.serial}`;
  }

  /** Advances the clock, and lives through everything that is due until then, in its order. */
  advance(seconds: number): void {
    const end = this.now() + seconds;
    for (;;) {
      const [next] = this.agenda().sort((a, b) => a.at - b.at);
      if (!next || next.at > end) break;
      this.moment = next.at;
      next.run();
    }
    this.moment = null;
    this.state.ahead += seconds;
  }

  /** Lives through what has become due by itself. */
  catchUp(): void {
    this.advance(0);
  }

  private agenda(): { at: number; run: () => void }[] {
    return Object.values(this.state.subscriptions).flatMap((subscription) => {
      const invoice = this.state.invoices[subscription.latest_invoice];
      if (subscription.status === 'incomplete') {
        return { at: subscription.created + INCOMPLETE_SECONDS, run: () => this.expire(subscription) };
      }
      if (!['active', 'past_due', 'unpaid'].includes(subscription.status)) return [];
      const renewal = { at: subscription.periodEnd, run: () => this.renew(subscription) };
      const retryAt = invoice?.status === 'open' ? invoice.next_payment_attempt : null;
      if (!invoice || retryAt === null) return renewal;
      return [renewal, { at: retryAt, run: () => this.charge(invoice, subscription) }];
    });
  }

  /** Pays a checkout session. A declined card leaves it open, and a card that has to be confirmed makes an incomplete subscription. */
  pay(session: Session, card: Card): void {
    if (session.status !== 'open') throw new Refused('This Checkout Session is no longer open.');
    const customer = this.customerOf(session.customer);
    customer.card = card;
    if (card === 'declined') throw declined();
    const now = this.now();
    const subscription: Subscription = {
      id: this.newId('sub'),
      created: now,
      customer: customer.id,
      status: 'incomplete',
      item: this.newId('si'),
      price: session.price,
      nextPrice: null,
      periodStart: now,
      periodEnd: monthAfter(now),
      cancel_at_period_end: false,
      ...{ canceled_at: null, ended_at: null, latest_invoice: '' },
    };
    this.state.subscriptions[subscription.id] = subscription;
    const invoice = this.bill(subscription, 'subscription_create', this.amountOf(session.price));
    this.emit('customer.subscription.created', this.render.subscription(subscription));
    this.emit('invoice.created', this.render.invoice(invoice));
    this.charge(invoice, subscription);
    if (card === 'unconfirmed') return;
    session.status = 'complete';
    session.subscription = subscription.id;
    this.emit('checkout.session.completed', this.render.session(session));
  }

  /** Pays an open invoice with a card, which is used from then on. */
  payInvoice(invoice: Invoice, card: Card): void {
    const subscription = this.state.subscriptions[invoice.subscription];
    if (invoice.status !== 'open' || !subscription) throw new Refused('Invoice is already paid');
    this.customerOf(invoice.customer).card = card;
    if (card !== 'good') throw declined();
    this.charge(invoice, subscription);
  }

  /** Changes the card and, as the portal does, tries what is open with it. */
  changeCard(customer: Customer, card: Card): void {
    customer.card = card;
    for (const invoice of Object.values(this.state.invoices)) {
      const subscription = this.state.subscriptions[invoice.subscription];
      if (invoice.customer !== customer.id || invoice.status !== 'open' || !subscription) continue;
      if (subscription.ended_at === null && card === 'good') this.charge(invoice, subscription);
    }
  }

  cancel(subscription: Subscription, when: 'at_period_end' | 'immediately'): void {
    subscription.canceled_at = this.now();
    if (when === 'immediately') {
      this.end(subscription);
      return;
    }
    subscription.cancel_at_period_end = true;
    this.updated(subscription);
  }

  /** Takes back a cancellation at the end of the period. */
  renewAgain(subscription: Subscription): void {
    subscription.cancel_at_period_end = false;
    subscription.canceled_at = null;
    this.updated(subscription);
  }

  pause(subscription: Subscription): void {
    subscription.status = 'paused';
    this.updated(subscription);
  }

  /** Changes the price: a higher one at once, for the rest of the period; a lower one where `later` is set when the period ends. */
  changePrice(subscription: Subscription, price: string, later: boolean): void {
    const difference = this.amountOf(price) - this.amountOf(subscription.price);
    if (difference < 0 && later) {
      subscription.nextPrice = price;
      this.updated(subscription);
      return;
    }
    if (difference > 0 && this.customerOf(subscription.customer).card !== 'good') throw declined();
    subscription.price = price;
    subscription.nextPrice = null;
    if (difference > 0) {
      const left =
        (subscription.periodEnd - this.now()) / (subscription.periodEnd - subscription.periodStart);
      const invoice = this.bill(subscription, 'subscription_update', Math.round(difference * left));
      this.emit('invoice.created', this.render.invoice(invoice));
      this.charge(invoice, subscription);
    }
    this.updated(subscription);
  }

  private amountOf(price: string): number {
    return this.state.prices[price]?.unit_amount ?? 0;
  }

  private customerOf(id: string): Customer {
    const customer = this.state.customers[id];
    if (!customer) throw new Error(`the stand-in lost ${id}`);
    return customer;
  }

  private updated(subscription: Subscription): void {
    this.emit('customer.subscription.updated', this.render.subscription(subscription));
  }

  private bill(
    subscription: Subscription,
    reason: Invoice['billing_reason'],
    total: number,
    status: Invoice['status'] = 'open',
  ): Invoice {
    const invoice: Invoice = {
      id: this.newId('in'),
      created: this.now(),
      number: `SPOOL-${String(Object.keys(this.state.invoices).length + 1).padStart(4, '0')}`,
      customer: subscription.customer,
      subscription: subscription.id,
      currency: this.state.prices[subscription.price]?.currency ?? 'usd',
      ...{ status, total, billing_reason: reason, attempt_count: 0, next_payment_attempt: null },
    };
    this.state.invoices[invoice.id] = invoice;
    subscription.latest_invoice = invoice.id;
    return invoice;
  }

  /** Tries to collect an open invoice with the card of the customer. */
  private charge(invoice: Invoice, subscription: Subscription): void {
    invoice.attempt_count += 1;
    if (this.customerOf(invoice.customer).card === 'good') {
      Object.assign(invoice, { status: 'paid', next_payment_attempt: null });
      this.emit('invoice.paid', this.render.invoice(invoice));
      const isOver = subscription.ended_at !== null;
      if (isOver || subscription.status === 'active' || !this.isSettled(subscription)) return;
      subscription.status = 'active';
      this.updated(subscription);
      return;
    }
    const delay = subscription.status === 'incomplete' ? undefined : RETRY_SECONDS[invoice.attempt_count - 1];
    invoice.next_payment_attempt = delay === undefined ? null : invoice.created + delay;
    this.emit('invoice.payment_failed', this.render.invoice(invoice));
    if (subscription.status === 'incomplete') return;
    if (delay !== undefined) subscription.status = 'past_due';
    else if (this.state.afterRetries === 'canceled') {
      this.end(subscription);
      return;
    } else subscription.status = 'unpaid';
    this.updated(subscription);
  }

  /** Whether the latest invoice, which decides the status, is paid. */
  private isSettled({ latest_invoice: id }: Subscription): boolean {
    return this.state.invoices[id]?.status === 'paid';
  }

  private renew(subscription: Subscription): void {
    if (subscription.cancel_at_period_end) {
      this.end(subscription);
      return;
    }
    subscription.price = subscription.nextPrice ?? subscription.price;
    subscription.nextPrice = null;
    subscription.periodStart = subscription.periodEnd;
    subscription.periodEnd = monthAfter(subscription.periodStart);
    const isUnpaid = subscription.status === 'unpaid';
    const total = this.amountOf(subscription.price);
    const invoice = this.bill(subscription, 'subscription_cycle', total, isUnpaid ? 'draft' : 'open');
    this.emit('invoice.created', this.render.invoice(invoice));
    this.updated(subscription);
    if (!isUnpaid) this.charge(invoice, subscription);
  }

  private end(subscription: Subscription): void {
    subscription.status = 'canceled';
    subscription.ended_at = this.now();
    subscription.canceled_at ??= this.now();
    this.emit('customer.subscription.deleted', this.render.subscription(subscription));
  }

  private expire(subscription: Subscription): void {
    subscription.status = 'incomplete_expired';
    subscription.ended_at = this.now();
    const invoice = this.state.invoices[subscription.latest_invoice];
    if (invoice) invoice.status = 'void';
    this.updated(subscription);
  }
}

const declined = () =>
  new Refused('Your card was declined.', { status: 402, type: 'card_error', code: 'card_declined' });

/** The same day of the next month, or its last one. */
function monthAfter(seconds: number): number {
  const date = new Date(seconds * 1000);
  const day = date.getUTCDate();
  date.setUTCMonth(date.getUTCMonth() + 1);
  if (date.getUTCDate() !== day) date.setUTCDate(0);
  return date.getTime() / 1000;
}
