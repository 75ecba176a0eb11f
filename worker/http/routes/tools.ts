import { secureHeaders } from 'hono/secure-headers';
import { toHex } from '../../../schema/bytes.ts';
import { type OperationName, operationNames } from '../../../schema/operations/index.ts';
import type { App } from '../../app-env.ts';
import type { Context } from '../../context.ts';
import { KeptValues } from '../../lib/kept-values.ts';
import { oncePer } from '../../lib/once-per.ts';
import { Problem } from '../../lib/problem.ts';
import { mount } from '../../mount.ts';
import { toolFile, toolFilesHere } from '../../services/docs/tool-files.ts';
import { withFoot } from '../docs/foot.ts';
import { bothForms } from '../middleware/as-markdown.ts';
import { pageHeaders } from '../middleware/page-headers.ts';
import { publicPage } from '../middleware/public-page.ts';
import { mp4ToMp3Page } from '../tools/mp4-to-mp3-page.ts';
import { toolPath } from '../tools/tool-list.ts';
import { operationToolPage } from '../tools/tool-pages.ts';
import { toolsPage } from '../tools/tools-page.ts';

const TOOL = 'mp4-to-mp3';
const mp3Path = `/tools/${TOOL}`;
/** What this page has from the other pages. */
const shared = ['/static/docs.css', '/static/docs.js', '/static/favicon.svg'];
const caching = { 'cache-control': 'public, max-age=300' };
const forever = { 'cache-control': 'public, max-age=31536000, immutable' };
/** Files whose names carry the hash of their content. */
const HASHED = /-[A-Z0-9]{8}\.(?:js|css)$/;

/**
 * The page and its workers may send nothing anywhere. A worker is bound by the headers of its script, so scripts have the same. LAME
 * in it is WebAssembly.
 */
const toolHeaders = secureHeaders({
  overwrite: false,
  contentSecurityPolicy: {
    defaultSrc: ["'none'"],
    connectSrc: ["'none'"],
    formAction: ["'none'"],
    baseUri: ["'none'"],
    frameAncestors: ["'none'"],
    styleSrc: ["'self'"],
    scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
    workerSrc: ["'self'"],
    imgSrc: ["'self'", 'blob:'],
    mediaSrc: ['blob:'],
    manifestSrc: ["'self'"],
  },
});

/** `/tools`, the tools that run in the browser, and a page about every operation. */
export function toolRoutes(app: App): void {
  for (const path of bothForms(mp3Path)) app.use(path, toolHeaders, ...publicPage);
  app.use(`${mp3Path}/*`, toolHeaders);

  for (const path of bothForms('/tools')) {
    app.use(path, pageHeaders, ...publicPage);
    mount(app, { method: 'get', path, counted: 'public' }, async (c) =>
      c.html(
        withFoot(await toolsPage(c.get('context').config.PUBLIC_URL), c.get('context').config),
        200,
        caching,
      ),
    );
  }

  for (const name of operationNames)
    for (const path of bothForms(toolPath(name))) {
      app.use(path, pageHeaders, ...publicPage);
      mount(app, { method: 'get', path, counted: 'public' }, async (c) =>
        c.html(await toolPage(name, c.get('context')), 200, caching),
      );
    }

  for (const path of bothForms(mp3Path))
    mount(app, { method: 'get', path, counted: 'public' }, async (c) =>
      c.html((await printed(c.get('context'))).page, 200, caching),
    );

  mount(app, { method: 'get', path: `${mp3Path}/service-worker.js`, counted: 'public' }, async (c) => {
    const { files, version } = await printed(c.get('context'));
    const script = await toolFile(c.get('context'), TOOL, 'service-worker.js');
    if (!files || !script) throw new Problem('not_found');
    const { PUBLIC_URL } = c.get('context').config;
    const kept = files.map((path) => `${PUBLIC_URL}${path}`).join(' ');
    c.header('service-worker-allowed', mp3Path);
    c.header(
      'content-security-policy',
      `default-src 'none'; connect-src ${kept}; form-action 'none'; frame-ancestors 'none'`,
    );
    const head = `const FILES = ${JSON.stringify(files)};\nconst VERSION = ${JSON.stringify(version)};\n`;
    return c.body(`${head}${await script.text()}`, 200, {
      'content-type': 'text/javascript; charset=utf-8',
      'cache-control': 'no-cache',
    });
  });

  mount(app, { method: 'get', path: `${mp3Path}/:name`, counted: 'public' }, async (c) => {
    const name = c.req.param('name') ?? '';
    const file = await toolFile(c.get('context'), TOOL, name);
    if (!file || name === 'made.json') throw new Problem('not_found');
    const response = new Response(file.body, file);
    for (const [header, value] of Object.entries(HASHED.test(name) ? forever : caching))
      response.headers.set(header, value);
    return response;
  });
}

const toolPages = oncePer((_: Context) => new KeptValues<OperationName, string>());

/** Printed once per isolate. */
const toolPage = (name: OperationName, context: Context): Promise<string> =>
  toolPages(context).get(name, () => operationToolPage(name, context));

interface Printed {
  page: string;
  /** Paths of what the tool needs without a network; null if this installation has not bundled it. */
  files: string[] | null;
  /** Changes with the page and with every file that it names. */
  version: string;
}

const known = oncePer((_: Context) => new KeptValues<typeof TOOL, Printed>());

/** Printed once per isolate. */
const printed = (context: Context): Promise<Printed> => known(context).get(TOOL, () => print(context));

async function print(context: Context): Promise<Printed> {
  const made = await toolFilesHere(context, TOOL);
  const { PUBLIC_URL } = context.config;
  const page = withFoot(await mp4ToMp3Page(PUBLIC_URL, made), context.config);
  const own =
    made && [made.script, made.style, made.worker, 'app.webmanifest'].map((name) => `${mp3Path}/${name}`);
  const tags = await Promise.all(
    shared.map(async (path) => (await context.assets.fetch(`${PUBLIC_URL}${path}`)).headers.get('etag')),
  );
  const version = await digestOf([page, ...tags].join('\n'));
  return { page, files: own && [mp3Path, ...own, ...shared], version };
}

async function digestOf(text: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)));
  return toHex(digest.subarray(0, 8));
}
