import type { App } from '../../app-env.ts';
import { KeptValues } from '../../lib/kept-values.ts';
import { oncePer } from '../../lib/once-per.ts';
import { Problem } from '../../lib/problem.ts';
import { mount } from '../../mount.ts';
import { withFoot } from '../docs/foot.ts';
import type { Site } from '../docs/pages/doc-page.ts';
import { siteOf } from '../docs/site.ts';
import { MARKDOWN_SUFFIX, pagePath, wantsMarkdown } from '../middleware/as-markdown.ts';
import { pageHeaders } from '../middleware/page-headers.ts';
import { publicPage } from '../middleware/public-page.ts';
import { pageNotFound, wantsPage } from '../not-found.ts';

const caching = { 'cache-control': 'public, max-age=300' };
const markdownHeaders = { ...caching, 'content-type': 'text/markdown; charset=utf-8', vary: 'Accept' };

/** Loaded when a page is opened, because requests of programs need none of it. */
const documentation = () => import('../docs/pages/print-page.ts');

/** The documentation: each page as HTML and as Markdown, all of it as one text, and what the search reads. */
export function docPageRoutes(app: App): void {
  for (const path of ['/docs.md', '/llms-full.txt', '/search.json', '/search/*']) {
    app.use(path, pageHeaders, ...publicPage);
  }

  for (const path of ['/docs', '/docs.md', '/docs/:page', '/docs/:folder/:page']) {
    mount(app, { method: 'get', path, counted: 'public' }, async (c) => {
      const at = pagePath(c.req.path);
      const { everyPage, htmlOf, markdownOf } = await documentation();
      const page = everyPage.find(({ path: known }) => known === at);
      if (!page && wantsPage(c)) return pageNotFound(c, app);
      if (!page) throw new Problem('not_found');
      const site = await siteOf(app, c.get('context'));
      if (wantsMarkdown(c)) {
        const text = await printed(site).get(`${at}${MARKDOWN_SUFFIX}`, () => markdownOf(page, site));
        return c.body(text, 200, markdownHeaders);
      }
      const text = await printed(site).get(at, () => htmlOf(page, site));
      return c.html(withFoot(text, c.get('context').config), 200, caching);
    });
  }

  mount(app, { method: 'get', path: '/llms-full.txt', counted: 'public' }, async (c) => {
    const site = await siteOf(app, c.get('context'));
    return c.text(
      await printed(site).get('/llms-full.txt', async () => (await documentation()).allMarkdown(site)),
      200,
      caching,
    );
  });

  mount(app, { method: 'get', path: '/search.json', counted: 'public' }, async (c) => {
    const site = await siteOf(app, c.get('context'));
    const text = await printed(site).get('/search.json', async () => {
      const { searchText } = await documentation();
      return searchText(site);
    });
    return c.body(text, 200, { ...caching, 'content-type': 'application/json' });
  });
}

/** What is printed once, for as long as what it says about the service holds. */
const printed = oncePer((_: Site) => new KeptValues<string, string>());
