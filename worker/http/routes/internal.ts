import { WIRE_VERSION } from '../../../schema/task/wire.ts';
import type { App } from '../../app-env.ts';
import { readText } from '../../lib/read-text.ts';
import { mount } from '../../mount.ts';
import { takeReport } from '../../services/tasks/take-report.ts';

const MAX_REPORT_BYTES = 1024 * 1024;

/** The endpoint for reports of transcoders; not part of the public document. */
export function internalRoutes(app: App): void {
  const path = '/internal/accounts/:account/tasks/:task/attempts/:attempt{[0-9]+}';
  mount(app, { method: 'post', path, counted: 'own' }, async (c) => {
    const header = (name: string) => c.req.header(name);
    const body = () => readText(c.req.raw, MAX_REPORT_BYTES);
    await takeReport(c.get('context'), c.req.param(), header, body);
    return c.json({ v: WIRE_VERSION, accepted: true });
  });
}
