import type { Block } from '../print/block.ts';
import type { DocPage, Site } from './doc-page.ts';
import { located } from './located.ts';

/** A section of a page, for the search in the browser. */
interface SearchEntry {
  /** Address of the section. */
  id: string;
  page: string;
  /** Title of the section; empty for the beginning of a page. */
  section: string;
  text: string;
}

/** Every section of every page, divided at its headings. */
export function searchEntries(pages: readonly DocPage[], site: Site): SearchEntry[] {
  return pages.flatMap((page) => {
    const entries: SearchEntry[] = [{ id: page.path, page: page.title, section: '', text: page.summary }];
    if (page.lists) return entries;
    for (const { headings, text } of page.body(site).flatMap(sections)) {
      const [heading] = headings;
      if (heading)
        entries.push({ id: `${page.path}#${heading.id}`, page: page.title, section: heading.text, text: '' });
      const last = entries.at(-1);
      if (last) last.text += ` ${plain(text)}`;
    }
    return entries.map((entry) => ({ ...entry, text: located(entry.text, site).trim() }));
  });
}

/** A block in parts that begin with their heading. */
function sections(block: Block): { headings: Block['headings']; text: string }[] {
  const parts = block.markdown.split(/^(?=#{2,4} )/m);
  const before = parts.length - block.headings.length;
  return parts.map((text, index) => ({
    headings: block.headings.slice(index - before, index - before + 1).filter(() => index >= before),
    text,
  }));
}

const plain = (text: string) =>
  text
    .replace(/^#+ .*$/gm, ' ')
    .replace(/\\(?=[\\*_[\]<>|])/g, '')
    .replace(/\]\([^()]*\)|[`*|>[\]]|-{3,}/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
