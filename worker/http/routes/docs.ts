import { accepts } from 'hono/accepts';
import type { App } from '../../app-env.ts';
import type { Context } from '../../context.ts';
import { KeptValues } from '../../lib/kept-values.ts';
import { oncePer } from '../../lib/once-per.ts';
import { Problem } from '../../lib/problem.ts';
import { mount } from '../../mount.ts';
import { versionIn } from '../../services/docs/asset-versions.ts';
import { examplesHere, previewsHere } from '../../services/docs/examples.ts';
import { atomType } from '../changelog/atom.ts';
import { changelogFeed, changelogPage } from '../changelog/changelog-page.ts';
import { declare } from '../declare.ts';
import { benchmarksPage } from '../docs/benchmarks-page.ts';
import { examplesPage } from '../docs/examples-page.ts';
import { withFoot } from '../docs/foot.ts';
import { landingPage } from '../docs/landing-page.ts';
import { llmsText } from '../docs/llms.ts';
import { serviceIndex, serviceIndexOf } from '../docs/service-index.ts';
import { transitionsPage } from '../docs/transitions-page.ts';
import { bothForms } from '../middleware/as-markdown.ts';
import { pageHeaders } from '../middleware/page-headers.ts';
import { publicPage } from '../middleware/public-page.ts';
import { assetCaching } from '../middleware/versioned-assets.ts';
import { openApiDocument } from '../openapi.ts';
import { pricingPage } from '../pricing/pricing-page.ts';

const tags = ['service'];
const unchanged = { 304: { description: 'Not modified: the ETag in If-None-Match is still current.' } };
/** Pages with a layout of their own, but for `/`. */
export const laidOutPages = [
  '/docs/examples',
  '/docs/transitions',
  '/docs/changelog',
  '/docs/benchmarks',
  '/pricing',
] as const;
const caching = { 'cache-control': 'public, max-age=300' };

/** The documents that are generated from the registry, for programs, language models and people. */
export function docsRoutes(app: App): void {
  const paths = [
    '/',
    '/docs',
    '/docs/*',
    ...bothForms('/pricing'),
    '/openapi.json',
    '/llms.txt',
    '/static/*',
  ];
  for (const path of paths) {
    app.use(path, pageHeaders, ...publicPage);
  }
  const print = printer(app);

  declare(
    app,
    {
      method: 'get',
      counted: 'public',
      path: '/',
      operationId: 'index',
      tags,
      summary:
        'List the endpoints and documents: JSON for programs, a page for browsers, Markdown for language models.',
      responses: {
        200: {
          description: 'URLs of the documents and of every operation.',
          content: {
            'application/json': { schema: serviceIndex },
            'text/html': { schema: { type: 'string' } },
            'text/markdown': { schema: { type: 'string' } },
          },
        },
        ...unchanged,
      },
      errors: [],
    },
    async (c) => {
      c.header('vary', 'Accept');
      const supports = ['application/json', 'text/html', 'text/markdown'];
      const wanted = accepts(c, { header: 'Accept', supports, default: 'application/json' });
      const { PUBLIC_URL } = c.get('context').config;
      if (wanted === 'application/json') return c.json(serviceIndexOf(PUBLIC_URL), 200, caching);
      if (wanted === 'text/markdown')
        return c.body(await print(c.get('context'), '/llms.txt'), 200, {
          'content-type': wanted,
          ...caching,
        });
      return c.html(withFoot(await print(c.get('context'), '/'), c.get('context').config), 200, caching);
    },
  );

  declare(
    app,
    {
      method: 'get',
      counted: 'public',
      path: '/openapi.json',
      operationId: 'openapi',
      tags,
      summary: 'Get this OpenAPI document.',
      responses: {
        200: {
          description: 'The OpenAPI 3.1 document.',
          content: { 'application/json': { schema: { type: 'object' } } },
        },
        ...unchanged,
      },
      errors: [],
    },
    async (c) =>
      c.body(await print(c.get('context'), '/openapi.json'), 200, {
        'content-type': 'application/json',
        'access-control-allow-origin': '*',
        ...caching,
      }),
  );

  declare(
    app,
    {
      method: 'get',
      counted: 'public',
      path: '/llms.txt',
      operationId: 'llms',
      tags,
      summary: 'Get the reference for language models.',
      responses: {
        200: {
          description: 'The reference as Markdown.',
          content: { 'text/plain': { schema: { type: 'string' } } },
        },
        ...unchanged,
      },
      errors: [],
    },
    async (c) => c.text(await print(c.get('context'), '/llms.txt'), 200, caching),
  );

  for (const path of laidOutPages) {
    for (const form of bothForms(path))
      mount(app, { method: 'get', path: form, counted: 'public' }, async (c) =>
        c.html(withFoot(await print(c.get('context'), path), c.get('context').config), 200, caching),
      );
  }

  mount(app, { method: 'get', path: '/docs/changelog.atom', counted: 'public' }, async (c) =>
    c.body(await print(c.get('context'), '/docs/changelog.atom'), 200, { ...atomType, ...caching }),
  );

  for (const path of ['/static/:name', '/search/:name']) {
    mount(app, { method: 'get', path, counted: 'public' }, async (c) => {
      const asset = await c.get('context').assets.fetch(c.req.raw);
      if (asset.status === 404) throw new Problem('not_found');
      const response = new Response(asset.body, asset);
      for (const [header, value] of Object.entries(assetCaching(c.req.query('v'), versionIn(asset))))
        response.headers.set(header, value);
      return response;
    });
  }
}

const results = async () => (await import('../../../bench/RESULTS.md')).default;

/** Pages that show files, which a new installation is still making. */
const showingFiles: ReadonlySet<string> = new Set(['/', '/docs/examples', '/docs/transitions']);
const FILES_MS = 60_000;

/** Renders each document once per isolate and public address. */
function printer(app: App) {
  const printers = {
    '/': async (_: string, context: Context) => landingPage(context, await results()),
    '/docs/benchmarks': async (url: string) => benchmarksPage(url, await results()),
    '/docs/examples': async (url: string, context: Context) => examplesPage(await examplesHere(context), url),
    '/docs/transitions': async (url: string, context: Context) =>
      transitionsPage(await previewsHere(context), url),
    '/docs/changelog': async (url: string) =>
      changelogPage(url, (await import('../../../CHANGELOG.md')).default),
    '/docs/changelog.atom': async (url: string) =>
      changelogFeed((await import('../../../CHANGELOG.md')).default, url),
    '/pricing': (_: string, context: Context) => pricingPage(context.config),
    '/llms.txt': (url: string) => Promise.resolve(llmsText(openApiDocument(app, url), url)),
    '/openapi.json': (url: string) => Promise.resolve(JSON.stringify(openApiDocument(app, url))),
  };
  const printed = oncePer((_: Context) => new KeptValues<string, string>());
  return (context: Context, path: keyof typeof printers): Promise<string> => {
    const print = () => printers[path](context.config.PUBLIC_URL, context);
    return printed(context).get(path, print, showingFiles.has(path) ? FILES_MS : undefined);
  };
}
