import { createHmac } from 'node:crypto';
import { API_VERSION } from './requests.ts';
import type { State, StoredEvent } from './state.ts';

/** Delays before a delivery that failed is tried again. */
const RETRY_MS = [200, 1000, 5000];

/** The `Stripe-Signature` of a body. @param now epoch ms */
export function signatureOf(secret: string, body: string, now: number = Date.now()): string {
  const timestamp = Math.floor(now / 1000);
  const mac = createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex');
  return `t=${timestamp},v1=${mac}`;
}

/** Sends events to the service: at once and in their order, or, where they wait, when and how a test wants. */
export class Events {
  private readonly state: State;
  private readonly target: { url: string; secret: string };
  private sending: Promise<unknown> = Promise.resolve();

  constructor(state: State, target: { url: string; secret: string }) {
    this.state = state;
    this.target = target;
  }

  add(id: string, created: number, type: string, object: unknown): void {
    const event = { id, created, type, object: structuredClone(object), delivered: 0 };
    this.state.events.push(event);
    if (!this.state.holdsEvents) this.deliver(event);
  }

  get waiting(): readonly StoredEvent[] {
    return this.state.events.filter(({ delivered }) => delivered === 0);
  }

  bodyOf({ id, created, type, object }: StoredEvent): string {
    const about = { id, object: 'event', api_version: API_VERSION, created, type, livemode: false };
    return JSON.stringify({ ...about, data: { object }, pending_webhooks: 1, request: null });
  }

  /** Delivers events in the given order, after those that are under way. */
  deliver(...events: readonly StoredEvent[]): Promise<unknown> {
    for (const event of events) {
      event.delivered += 1;
      this.sending = this.sending.then(() => this.send(event));
    }
    return this.sending;
  }

  /** Waits until everything that was to be delivered is. */
  async settled(): Promise<void> {
    await this.sending;
  }

  private async send(event: StoredEvent): Promise<void> {
    const body = this.bodyOf(event);
    for (const delay of [...RETRY_MS, 0]) {
      const headers = {
        'content-type': 'application/json; charset=utf-8',
        'stripe-signature': signatureOf(this.target.secret, body),
      };
      const response = await fetch(this.target.url, { method: 'POST', headers, body }).catch(() => null);
      await response?.body?.cancel();
      if (response?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, delay));
    }
  }
}
