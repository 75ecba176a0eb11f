import packageJson from '../../../package.json' with { type: 'json' };
import { statusReport } from '../../../schema/api/status.ts';
import type { App } from '../../app-env.ts';
import { Problem } from '../../lib/problem.ts';
import { mount } from '../../mount.ts';
import { readStatus } from '../../services/status/read-status.ts';
import { atomType } from '../changelog/atom.ts';
import { declare, jsonResponse } from '../declare.ts';
import { withFoot } from '../docs/foot.ts';
import { pageHeaders } from '../middleware/page-headers.ts';
import { versionedAssets } from '../middleware/versioned-assets.ts';
import { incidentFeed } from '../status/incidents.ts';
import { statusPage } from '../status/status-page.ts';

const { version } = packageJson;
const caching = { 'cache-control': 'public, max-age=5' };
const feedCaching = { 'cache-control': 'public, max-age=60' };

/** `/status` as a page, as JSON and as a feed of incidents. */
export function statusRoutes(app: App): void {
  app.use('/status', pageHeaders, versionedAssets);

  mount(app, { method: 'get', path: '/status', counted: 'public' }, async (c) => {
    const context = c.get('context');
    const text = await statusPage(await readStatus(context, version, Date.now()), context.config.PUBLIC_URL);
    return c.html(withFoot(text, context.config), 200, caching);
  });

  declare(
    app,
    {
      method: 'get',
      counted: 'public',
      path: '/status.json',
      operationId: 'status',
      tags: ['service'],
      summary: 'Get what works now, the last 90 days, and incidents.',
      description: 'Answers also while parts of the service do not; what they would say is null then.',
      responses: {
        200: jsonResponse('The status.', statusReport),
      },
      errors: [],
    },
    async (c) =>
      c.json(await readStatus(c.get('context'), version, Date.now()), 200, {
        ...caching,
        'access-control-allow-origin': '*',
      }),
  );

  mount(app, { method: 'get', path: '/status.atom', counted: 'public' }, async (c) => {
    const context = c.get('context');
    const { incidents } = await readStatus(context, version, Date.now());
    if (!incidents) throw new Problem('unavailable', undefined, { headers: { 'retry-after': '60' } });
    return c.body(await incidentFeed(context.config.PUBLIC_URL, incidents), 200, {
      ...atomType,
      ...feedCaching,
    });
  });
}
