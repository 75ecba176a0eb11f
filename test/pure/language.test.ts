import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = resolve(import.meta.dirname, '../..');

const shipped = [
  ...[
    'schema',
    'guard',
    'drizzle',
    'worker',
    'transcoder',
    'scripts',
    'bench',
    'web',
    'docs',
    'client/src',
    'client/cli',
  ],
  ...['README.md', 'AGENTS.md', 'SECURITY.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'client/README.md'],
];

/**
 * Words that read as translated, each with how often it still occurs in what is shipped and in tests. A number may only fall:
 * lower it when you rewrite a sentence. What is left are names in code and sentences in which the word is the right one.
 */
const debt: Record<string, { shipped: number; tests: number }> = {
  'so many': { shipped: 1, tests: 22 },
  'of ours': { shipped: 0, tests: 10 },
  'of before': { shipped: 5, tests: 0 },
  'there where': { shipped: 0, tests: 0 },
  anew: { shipped: 0, tests: 13 },
  told: { shipped: 18, tests: 66 },
  nobody: { shipped: 0, tests: 44 },
  whoever: { shipped: 2, tests: 12 },
  'by which': { shipped: 20, tests: 9 },
  'those of': { shipped: 13, tests: 25 },
  beside: { shipped: 35, tests: 46 },
  'mended?': { shipped: 0, tests: 0 },
  'so that': { shipped: 39, tests: 29 },
  held: { shipped: 84, tests: 79 },
};

/** British spelling, where the fields of the API are American. What is left are names that callers may try. */
const british: Record<string, { shipped: number; tests: number }> = {
  'colour\\w*': { shipped: 3, tests: 2 },
  'cent(re|red|res)': { shipped: 0, tests: 0 },
  '(recogn|normal|capital|minim|visual|sanit)is(e|ed|er|es|ing|ation)': { shipped: 2, tests: 0 },
  'analys(e|ed|ing)': { shipped: 1, tests: 0 },
  '(labell|cancell|travell)(ed|ing)': { shipped: 1, tests: 0 },
  '(behaviour|licence)s?': { shipped: 0, tests: 0 },
};

function filesUnder(path: string): string[] {
  if (/\.\w+$/.test(path)) return [path];
  return readdirSync(join(root, path), { recursive: true, encoding: 'utf8' })
    .map((name) => join(path, name))
    .filter(
      (name) =>
        /\.(ts|mjs|md|html|css)$/.test(name) &&
        !/migrations\/|golden\/|printed\/|language\.test|\/\./.test(name),
    );
}

const textsOf = (paths: readonly string[]) =>
  paths.flatMap(filesUnder).map((file) => readFileSync(join(root, file), 'utf8'));

describe('words that read as translated', () => {
  const texts = { shipped: textsOf(shipped), tests: textsOf(['test']) };
  const countOf = (marker: string, where: 'shipped' | 'tests') => {
    const word = new RegExp(`\\b${marker}\\b`, 'gi');
    return texts[where].reduce((sum, text) => sum + (text.match(word)?.length ?? 0), 0);
  };

  it.each(Object.entries({ ...debt, ...british }))(
    '"%s" occurs no more often than it did',
    (marker, known) => {
      const found = { shipped: countOf(marker, 'shipped'), tests: countOf(marker, 'tests') };
      expect(found, 'more than before: say it plainly; fewer: lower the number').toEqual(known);
    },
  );
});
