import { html } from 'hono/html';
import { DAY_MS, iso, midnight } from '../../../schema/time.ts';
import type { App } from '../../app-env.ts';
import { mount } from '../../mount.ts';
import { legalPages, withFoot } from '../docs/foot.ts';
import { page } from '../docs/shell.ts';
import { pageHeaders } from '../middleware/page-headers.ts';
import { versionedAssets } from '../middleware/versioned-assets.ts';

const caching = { 'cache-control': 'public, max-age=300' };
/** RFC 9116 recommends less than a year. The file is made at each request, so this is how long a copy of it is good. */
const EXPIRES_DAYS = 90;

/** What only the operator can say: documents of law, and where vulnerabilities are reported. */
export function operatorRoutes(app: App): void {
  for (const { path, title, setting } of legalPages) {
    app.use(path, pageHeaders, versionedAssets);
    mount(app, { method: 'get', path, counted: 'public' }, async (c) => {
      const { config } = c.get('context');
      if (config[setting] !== '') return c.redirect(config[setting], 302);
      const main = html`<h1>${title}</h1>
<p>The operator of this service has not provided this document.</p>
<p>For the operator: set <code>${setting}</code> to its address.</p>`;
      const text = await page({ title: `${title} · Spool`, path, main });
      return c.html(withFoot(text, config), 404, caching);
    });
  }

  mount(app, { method: 'get', path: '/.well-known/security.txt', counted: 'public' }, (c) => {
    const { SECURITY_CONTACT, SECURITY_LANGUAGES, SECURITY_POLICY_URL, PUBLIC_URL } = c.get('context').config;
    if (SECURITY_CONTACT === '') {
      const why =
        'The operator of this service has not set SECURITY_CONTACT, so there is no address for reports.';
      return c.text(`# ${why}\n`, 404, caching);
    }
    const expires = iso(midnight(Date.now()) + EXPIRES_DAYS * DAY_MS);
    const lines = [
      `Contact: ${SECURITY_CONTACT}`,
      `Expires: ${expires}`,
      `Preferred-Languages: ${SECURITY_LANGUAGES}`,
      `Canonical: ${PUBLIC_URL}/.well-known/security.txt`,
      ...(SECURITY_POLICY_URL === '' ? [] : [`Policy: ${SECURITY_POLICY_URL}`]),
    ];
    return c.text(`${lines.join('\n')}\n`, 200, caching);
  });
}
