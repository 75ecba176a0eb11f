import type { Context as HonoContext, MiddlewareHandler } from 'hono';
import { accepts } from 'hono/accepts';
import type { AppEnv } from '../../app-env.ts';

export const MARKDOWN_SUFFIX = '.md';

/** The paths of a page: as HTML, unless Markdown is accepted, and as Markdown. */
export const bothForms = (path: string) => [path, `${path}${MARKDOWN_SUFFIX}`];

/** The path of the page that a request asks for in either form. */
export const pagePath = (path: string) =>
  path.endsWith(MARKDOWN_SUFFIX) ? path.slice(0, -MARKDOWN_SUFFIX.length) : path;

/** Whether a page is asked for as Markdown: by the suffix of its path, or by what is accepted. */
export function wantsMarkdown(c: HonoContext<AppEnv>): boolean {
  if (c.req.path.endsWith(MARKDOWN_SUFFIX)) return true;
  const supports = ['text/html', 'text/markdown'];
  return accepts(c, { header: 'Accept', supports, default: 'text/html' }) === 'text/markdown';
}

/** Elements that Markdown has no sign for, as what they are printed. */
const tagOverrides = {
  ...{ dl: 'div', dt: 'strong', dd: 'p', details: 'div', summary: 'p', figcaption: 'p', figure: 'div' },
  ...{ label: { enter: '\n\n', exit: '\n\n' } },
};

/** Answers with the main part of a page as Markdown where that is asked for. The page is printed as HTML in any case. */
export const asMarkdown: MiddlewareHandler<AppEnv> = async (c, next) => {
  await next();
  if (!c.res.headers.get('content-type')?.startsWith('text/html')) return;
  c.res.headers.append('vary', 'Accept');
  if (!wantsMarkdown(c)) return;
  const { htmlToMarkdown } = await import('@mdream/js');
  const text = htmlToMarkdown(await c.res.text(), {
    origin: c.get('context').config.PUBLIC_URL,
    plugins: { isolateMain: true, tagOverrides, filter: { exclude: ['title', 'legend'] } },
    clean: { selfLinkHeadings: true },
  });
  const headers = new Headers(c.res.headers);
  headers.set('content-type', 'text/markdown; charset=utf-8');
  c.res = new Response(`${text.replace(/\n\s*\n/g, '\n\n').trim()}\n`, { status: c.res.status, headers });
};
