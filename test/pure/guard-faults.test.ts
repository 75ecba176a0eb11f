import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Fault, namePattern, planted, projectOf } from '../guards/fault.ts';
import { faults } from '../guards/faults.ts';

const read = (file: string) => readFileSync(join(import.meta.dirname, '../..', file), 'utf8');
const projects = read('vitest.config.ts');
const inOneLine = (text: string) => text.replace(/\s+/g, ' ');
const security = inOneLine(read('SECURITY.md'));
const rows = faults.map((fault): [string, Fault] => [`${fault.file}: ${inOneLine(fault.find)}`, fault]);

/** How often a text stands in quotes, as the title of a test does. */
function quoted(text: string, title: string): number {
  const literal = title.replace(/[\\'"`]/g, (character) => `\\${character}`);
  const forms = ["'", '"', '`'].flatMap((quote) => [quote + title + quote, quote + literal + quote]);
  return [...new Set(forms)].reduce((sum, form) => sum + text.split(form).length - 1, 0);
}

describe('a planted fault', () => {
  test.each(rows)('%s fits the source exactly once', (_, fault) => {
    expect(planted(read(fault.file), fault)).not.toBe(read(fault.file));
  });

  test.each(rows)('%s names one test that there is', (_, { test: { file, name } }) => {
    expect([file, name, quoted(read(file), name)]).toEqual([file, name, 1]);
  });

  test.each(rows)('%s is judged by a test that a project runs', (_, fault) => {
    expect(projects).toContain(`name: '${projectOf(fault.test.file)}'`);
  });

  test.each(rows)('%s takes away a guard that SECURITY.md names', (_, { guard }) => {
    expect(security).toContain(guard);
  });
});

test('no fault is planted twice, and there are enough of them', () => {
  const edits = faults.map(({ file, find, plant, test: { name } }) => [file, find, plant, name].join('\n'));
  expect(new Set(edits).size).toBe(edits.length);
  expect(edits.length).toBeGreaterThan(40);
});

test('the title of a table of tests matches each of its rows, and no other test', () => {
  const pattern = new RegExp(namePattern('%s ends in %s'));
  expect('an answer /short ends in source_truncated').toMatch(pattern);
  expect('an answer /short never ends').not.toMatch(pattern);
  expect('finds nothing at /task/:id (GET)').toMatch(
    new RegExp(namePattern('finds nothing at $path ($method)')),
  );
  expect('is refused, too').not.toMatch(new RegExp(namePattern('is refused')));
});
