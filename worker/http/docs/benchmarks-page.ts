import { html, raw } from 'hono/html';
import { Marked } from 'marked';
import { slug } from '../../lib/text/slug.ts';
import { page } from './shell.ts';

const description =
  'How fast Spool is and what its work costs, measured against ffmpeg in the same run on the same machine.';

const marked = new Marked({
  // The text names a picture by its place in the repository; the site serves it.
  walkTokens(token) {
    if (token.type === 'image') token.href = token.href.replace('../web/assets/', '/');
  },
  renderer: {
    heading({ tokens, depth, text }) {
      const content = this.parser.parseInline(tokens);
      if (depth === 1) return `<h1>${content}</h1>\n`;
      const anchor = slug(text);
      return `<h${depth} id="${anchor}"><a href="#${anchor}">${content}</a></h${depth}>\n`;
    },
    // A wide table scrolls by itself, also with the keyboard.
    table(token) {
      const cells = (row: typeof token.header, tag: 'td' | 'th') =>
        row.map(({ tokens }) => `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`).join('');
      const rows = token.rows.map((row) => `<tr>${cells(row, 'td')}</tr>\n`).join('');
      return `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>
<thead><tr>${cells(token.header, 'th')}</tr></thead>
<tbody>
${rows}</tbody></table></div>
`;
    },
  },
});

/** `/docs/benchmarks`: bench/RESULTS.md of this repository. */
export async function benchmarksPage(publicUrl: string, markdown: string): Promise<string> {
  const text = markdown.replace(/^# .*$/m, '');
  const main = html`<h1>Benchmarks</h1>
<p class="lead">${description}</p>
<p>Every section names the script of the repository that wrote it. It says what is measured and how, and ends with an error if a result is
worse than what is demanded of it. <code>npm run bench</code> runs all of them on your machine.</p>
<article>${raw(await marked.parse(text))}</article>`;
  return page({
    ...{ title: 'Benchmarks · Spool', path: '/docs/benchmarks', main },
    about: { publicUrl, description },
  });
}
