import { html, raw } from 'hono/html';
import { marked } from 'marked';
import { page } from './shell.ts';

/** `/docs/changelog`: CHANGELOG.md of this repository. */
export async function changelogPage(publicUrl: string, markdown: string): Promise<string> {
  const main = html`<article>${raw(await marked.parse(markdown))}</article>`;
  const about = { publicUrl, description: 'What changed in Spool, by version.' };
  return page({ title: 'Changelog · Spool', path: '/docs/changelog', about, main });
}
