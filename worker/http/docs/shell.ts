import { html, raw } from 'hono/html';
import { type About, aboutTags } from './about-tags.ts';

/** A fragment of HTML that is already escaped. */
export type Html = ReturnType<typeof html>;

export interface NavGroup {
  title: string;
  /** Whether its links are shown at first. */
  open: boolean;
  links: { href: string; text: string }[];
}

/** The links at the top of every page. */
export const sites = [
  { href: '/docs', text: 'Docs' },
  { href: '/docs/examples', text: 'Examples' },
  { href: '/tools', text: 'Tools' },
  { href: '/pricing', text: 'Pricing' },
  { href: '/docs/changelog', text: 'Changelog' },
  { href: '/app', text: 'Dashboard' },
];

/** A whole page. Styles and scripts come from this origin only, as its Content-Security-Policy requires. */
export async function page(options: {
  title: string;
  path: string;
  nav?: readonly NavGroup[];
  /** For search engines and links from elsewhere; a page without it has no address of its own. */
  about?: About;
  /** What this page has in its head beyond what every page has. */
  head?: Html;
  main: Html;
  /** Sections of this page, shown to its right on wide screens. */
  contents?: Html;
  /** Whether its Content-Security-Policy keeps the page from loading what is searched. */
  sealed?: boolean;
}): Promise<string> {
  const { title, path, nav, about, head, main, contents, sealed } = options;
  const document = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
${about ? aboutTags(about, title, path) : ''}
<link rel="icon" href="/static/favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/static/docs.css">
<script src="/static/docs.js" defer></script>
${head ?? ''}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar">
<a class="brand" href="/">Spool</a>
<nav aria-label="Pages">
${sites.map(({ href, text }) => html`<a href="${href}"${href === path ? raw(' aria-current="page"') : ''}>${text}</a>`)}
</nav>
${sealed ? html`<a class="search-link" href="/docs">Search</a>` : html`<a class="search-link search-open" href="/docs" aria-keyshortcuts="/">Search <kbd>/</kbd></a>`}
</header>
<div class="${nav ? 'columns' : 'single'}">
${nav ? sidebar(nav, path) : ''}
<main id="main">
${main}
</main>
${contents ?? ''}
</div>
</body>
</html>
`;
  return String(document);
}

function sidebar(groups: readonly NavGroup[], path: string): Html {
  return html`<aside class="side" aria-label="Contents">
<input type="checkbox" id="contents"><label for="contents">Contents</label>
<nav aria-label="Contents">
${groups.map(
  ({ title, links, open }) => html`<details${open ? raw(' open') : ''}><summary>${title}</summary>
<ul>
${links.map(({ href, text }) => html`<li><a href="${href}"${href === path ? raw(' aria-current="page"') : ''}>${text}</a></li>`)}
</ul></details>
`,
)}
</nav>
</aside>`;
}

/** Our own text, with code in backticks. */
export function prose(text: string): Html[] {
  return text.split('`').map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`));
}

/** A code block with a title; the script of the page adds a copy button. */
export function codeBlock(title: string, text: string): Html {
  return html`<figure class="code"><figcaption>${title}</figcaption><pre tabindex="0"><code>${text}</code></pre></figure>`;
}
