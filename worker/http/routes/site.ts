import type { App } from '../../app-env.ts';
import { mount } from '../../mount.ts';
import { registryEntry } from '../docs/registry-entry.ts';
import { toolPaths } from '../tools/tools-page.ts';
import { laidOutPages } from './docs.ts';

const caching = { 'cache-control': 'public, max-age=300' };

/** What search engines and programs look for at fixed paths. */
export function siteRoutes(app: App): void {
  mount(app, { method: 'get', path: '/robots.txt', counted: 'public' }, (c) => {
    const { PUBLIC_URL } = c.get('context').config;
    const rules = [
      'User-agent: *',
      'Disallow: /app',
      'Disallow: /task',
      `Sitemap: ${PUBLIC_URL}/sitemap.xml`,
    ];
    return c.text(`${rules.join('\n')}\n`, 200, caching);
  });

  mount(app, { method: 'get', path: '/sitemap.xml', counted: 'public' }, async (c) => {
    const { PUBLIC_URL } = c.get('context').config;
    const { everyPage } = await import('../docs/pages/print-page.ts');
    const documentation = everyPage.map(({ path }) => path);
    const paths = ['/', ...documentation, ...laidOutPages, '/status', '/tools', ...toolPaths];
    const urls = paths.map((path) => `<url><loc>${PUBLIC_URL}${path}</loc></url>`);
    const text = `<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
${urls.join('\n')}
</urlset>
`;
    return c.body(text, 200, { ...caching, 'content-type': 'application/xml; charset=utf-8' });
  });

  mount(app, { method: 'get', path: '/server.json', counted: 'public' }, (c) =>
    c.json(registryEntry(c.get('context').config.PUBLIC_URL), 200, caching),
  );

  mount(app, { method: 'get', path: '/.well-known/openapi.json', counted: 'public' }, (c) =>
    c.redirect('/openapi.json', 302),
  );
}
