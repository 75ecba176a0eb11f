import type { Options } from 'minisearch';

/** A section of a page, as /search.json lists them. */
export interface Entry {
  id: string;
  page: string;
  section: string;
  text: string;
}

/** Words that questions contain and pages do not turn on. */
const common = new Set(
  'a an and are can do does file for how i if in is it my of on or the to what when where which with'.split(
    ' ',
  ),
);

/** `redub_tts` is also found by its parts, and plurals by their singular. */
export const options: Options<Entry> = {
  fields: ['page', 'section', 'text'],
  storeFields: ['page', 'section', 'text'],
  tokenize: (text: string) => text.split(/[^\p{L}\p{N}.]+/u).map((word) => word.replace(/^\.+|\.+$/g, '')),
  processTerm: (term: string) => {
    const word = term.toLowerCase();
    if (word === '' || common.has(word)) return null;
    return word.length > 3 ? word.replace(/(?:ies)$/, 'y').replace(/(?<!s)s$/, '') : word;
  },
  searchOptions: { boost: { page: 3, section: 4 }, prefix: true, fuzzy: 0.2, combineWith: 'OR' },
};
