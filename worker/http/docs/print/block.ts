import { Marked, type Tokens } from 'marked';
import { slug } from '../../../lib/text/slug.ts';
import { escapeHtml, highlight } from './highlight.ts';

/** A part of a page, printed twice: as Markdown for programs and as escaped HTML for browsers. */
export interface Block {
  markdown: string;
  html: string;
  /** Sections that begin in this block, for the contents of the page. */
  headings: Heading[];
}

export interface Heading {
  depth: number;
  id: string;
  text: string;
}

/** Players of the media of an image in Markdown; its title is the address of a poster. */
const players: Record<string, (at: string, label: string, poster: string) => string> = {
  mp4: (at, label, poster) =>
    `<video src="${at}"${poster === '' ? '' : ` poster="${poster}"`} width="480" height="270" preload="none" muted loop playsinline controls aria-label="${label}"></video>`,
  m4a: (at, label) => `<audio src="${at}" preload="none" controls aria-label="${label}"></audio>`,
};

const headingHtml = ({ depth, id }: Heading, inner: string) =>
  depth === 1 ? `<h1>${inner}</h1>\n` : `<h${depth} id="${id}"><a href="#${id}">${inner}</a></h${depth}>\n`;

/** The title of a fence follows its language: ```sh Start a task. */
export function codeHtml(language: string, title: string, code: string): string {
  return `<figure class="code"><figcaption>${escapeHtml(title)}</figcaption><pre tabindex="0"><code data-language="${language}">${highlight(code, language)}</code></pre></figure>\n`;
}

/** Prints our Markdown as HTML. HTML in it is shown as text. */
function printer(headings: Heading[]): Marked {
  return new Marked({
    renderer: {
      html: ({ text }) => escapeHtml(text),
      heading({ tokens, depth, text }) {
        const heading = { depth, id: slug(text), text: text.replaceAll('`', '') };
        headings.push(heading);
        return headingHtml(heading, this.parser.parseInline(tokens));
      },
      code: ({ text, lang = '' }) => {
        const [language = '', ...title] = lang.split(' ');
        return codeHtml(language, title.join(' '), text);
      },
      table({ header, rows }) {
        const cell = ({ tokens, text }: Tokens.TableCell, head: boolean) => {
          const inner = this.parser.parseInline(tokens);
          return head && text !== '' ? `<th scope="col">${inner}</th>` : `<td>${inner}</td>`;
        };
        const row = (cells: Tokens.TableCell[], head = false) =>
          `<tr>${cells.map((one) => cell(one, head)).join('')}</tr>\n`;
        return `<div class="scroll" tabindex="0"><table>\n<thead>${row(header, true)}</thead>\n<tbody>\n${rows.map((cells) => row(cells)).join('')}</tbody>\n</table></div>\n`;
      },
      image: ({ href, text, title }) => {
        const player = players[href.split('.').at(-1) ?? ''];
        const [at, label, poster] = [href, text, title ?? ''].map(escapeHtml) as [string, string, string];
        return player?.(at, label, poster) ?? `<img src="${at}" alt="${label}" loading="lazy">`;
      },
    },
  });
}

export function markdown(text: string): Block {
  const headings: Heading[] = [];
  const html = printer(headings).parse(text, { async: false });
  return { markdown: text.trim(), html, headings };
}

/** A line without block elements. */
export const inlineHtml = (text: string) => printer([]).parseInline(text, { async: false });

/** A heading with an id that does not follow from its text. */
export function heading(depth: number, id: string, text: string): Block {
  const found = { depth, id, text: text.replaceAll('`', '') };
  return {
    markdown: `${'#'.repeat(depth)} ${text}`,
    html: headingHtml(found, inlineHtml(text)),
    headings: [found],
  };
}

export function code(language: string, title: string, text: string): Block {
  return {
    markdown: `\`\`\`${language} ${title}\n${text}\n\`\`\``,
    html: codeHtml(language, title, text),
    headings: [],
  };
}

/** Characters of a text that Markdown would take for its own, outside of code. */
export function escaped(text: string): string {
  return text
    .split('`')
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[\\*_[\]<>|]/g, '\\$&')))
    .join('`');
}

/** A cell of a table may contain no bar, in code either. */
const cell = (text: string) => text.replace(/(?<!\\)\|/g, '\\|').replaceAll('\n', ' ');

export function table(head: readonly string[], rows: readonly (readonly string[])[]): Block {
  const line = (cells: readonly string[]) => `| ${cells.map(cell).join(' | ')} |`;
  return markdown([line(head), `|${head.map(() => '---|').join('')}`, ...rows.map(line)].join('\n'));
}

export function joined(blocks: readonly Block[]): Block {
  return {
    markdown: blocks.flatMap(({ markdown: text }) => (text === '' ? [] : [text])).join('\n\n'),
    html: blocks.map((block) => block.html).join(''),
    headings: blocks.flatMap((block) => block.headings),
  };
}
