import { WIRE_VERSION } from '../../schema/wire.ts';
import type { App } from '../app.ts';
import { readText } from '../middleware/json-body.ts';
import { takeReport } from '../services/take-report.ts';

const MAX_REPORT_BYTES = 1024 * 1024;

/** Where the transcoder reports to; not part of the public document. */
export function internalRoutes(app: App): void {
  app.post('/internal/accounts/:account/tasks/:task/attempts/:attempt{[0-9]+}', async (c) => {
    const { account, task, attempt } = c.req.param();
    const body = await readText(c.req.raw, MAX_REPORT_BYTES);
    const about = { accountId: account, taskId: task, attempt: Number(attempt) };
    await takeReport(c.get('context'), about, (name) => c.req.header(name), body);
    return c.json({ v: WIRE_VERSION, accepted: true });
  });
}
