import { AI_PATH, MAX_AI_REQUEST, MAX_REPORT_BYTES, WIRE_VERSION } from '../../../schema/task/wire.ts';
import type { App } from '../../app-env.ts';
import { readText } from '../../lib/read-text.ts';
import { mount } from '../../mount.ts';
import { runAi } from '../../services/tasks/run-ai.ts';
import { takeReport } from '../../services/tasks/take-report.ts';

const MAX_EVENT_BYTES = 1024 * 1024;

/** Where transcoders report and ask for Workers AI, and Stripe sends its events; not part of the public document. */
export function internalRoutes(app: App): void {
  const path = '/internal/accounts/:account/tasks/:task/attempts/:attempt{[0-9]+}';
  mount(app, { method: 'post', path, counted: 'own' }, async (c) => {
    const header = (name: string) => c.req.header(name);
    const body = () => readText(c.req.raw, MAX_REPORT_BYTES);
    await takeReport(c.get('context'), c.req.param(), header, body);
    return c.json({ v: WIRE_VERSION, accepted: true });
  });

  mount(app, { method: 'post', path: path + AI_PATH, counted: 'own' }, async (c) => {
    const header = (name: string) => c.req.header(name);
    const body = () => readText(c.req.raw, MAX_AI_REQUEST);
    return c.json(await runAi(c.get('context'), c.req.param(), header, body));
  });

  mount(app, { method: 'post', path: '/internal/stripe', counted: 'own' }, async (c) => {
    const header = (name: string) => c.req.header(name);
    const body = () => readText(c.req.raw, MAX_EVENT_BYTES);
    const [{ takeStripeEvent }, { makePeopleContext }] = await Promise.all([
      import('../../services/billing/take-stripe-event.ts'),
      import('../../people-context.ts'),
    ]);
    const context = c.get('context');
    await takeStripeEvent(context, makePeopleContext(c.env, context), header, body);
    return c.json({ received: true });
  });
}
