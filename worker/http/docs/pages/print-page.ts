import { html, raw } from 'hono/html';
import { type Block, type Heading, joined } from '../print/block.ts';
import { type NavGroup, page } from '../shell.ts';
import { docPages, groups } from './contents.ts';
import type { DocPage, Site } from './doc-page.ts';
import { located } from './located.ts';
import { overview } from './overview-page.ts';
import { searchEntries } from './search-entries.ts';

/** Every page with its Markdown: what search engines, language models and the search read. */
export const everyPage: readonly DocPage[] = [overview, ...docPages];

const blockOf = (page: DocPage, site: Site): Block => joined(page.body(site));

/** A page as Markdown; its links name the service, because a text travels. */
export function markdownOf(page: DocPage, site: Site): string {
  const text = `# ${page.title}\n\n${blockOf(page, site).markdown.trim()}\n`;
  return located(text.replaceAll('](/', `](${site.url}/`), site);
}

export async function htmlOf(page: DocPage, site: Site): Promise<string> {
  const { html: body, headings } = blockOf(page, site);
  const main = html`<article>
<h1>${page.title}</h1>
${raw(body)}
<p class="source"><a href="${page.path}.md">This page as Markdown</a></p>
</article>`;
  const text = await print(page, main, headings, site.url);
  return located(text, site);
}

function print(
  shown: DocPage,
  main: ReturnType<typeof html>,
  headings: readonly Heading[],
  url: string,
): Promise<string> {
  const nav: NavGroup[] = groups.map(({ title, pages }) => ({
    title,
    open:
      pages.some(({ path }) => path === shown.path) ||
      (title === 'Errors' && shown.path.startsWith('/docs/errors/')),
    links: pages.map(({ path, title: text }) => ({ href: path, text })),
  }));
  return page({
    title: `${shown.title} · Spool`,
    path: shown.path,
    nav: [
      {
        title: 'Documentation',
        open: true,
        links: [
          { href: '/docs', text: 'Overview' },
          { href: '/docs/examples', text: 'Examples' },
          { href: '/docs/transitions', text: 'Transitions' },
        ],
      },
      ...nav,
    ],
    about: { publicUrl: url, description: shown.summary },
    main,
    contents: tableOfContents(headings.filter(({ depth }) => depth === 2)),
  });
}

function tableOfContents(headings: readonly Heading[]) {
  if (headings.length < 2) return html``;
  return html`<nav class="contents" aria-label="On this page"><p>On this page</p><ul>
${headings.map(({ id, text }) => html`<li><a href="#${id}">${text}</a></li>`)}
</ul></nav>`;
}

/** `/llms-full.txt`: every page, one after the other. */
export const allMarkdown = (site: Site): string =>
  everyPage.map((page) => markdownOf(page, site)).join('\n---\n\n');

/** `/search.json`: what the search in the browser reads. */
export const searchText = (site: Site): string => JSON.stringify(searchEntries(everyPage, site));
