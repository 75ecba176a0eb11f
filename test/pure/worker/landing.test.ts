import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { differenceList } from '../../../worker/http/landing/differences.ts';
import { cellAt, figureAt, readResults } from '../../../worker/http/landing/results.ts';
import { mcpCall, pythonPost } from '../../../worker/lib/request-snippets.ts';
import { jsonText } from '../../../worker/lib/text/json-text.ts';
import { moneyDigits, moneyText } from '../../../worker/lib/text/money-text.ts';

const markdown = readFileSync(new URL('../../../bench/RESULTS.md', import.meta.url), 'utf8');

const table = `# Results

- Machine: a small one
- Date: 2026-01-02

## A bench, of two

\`bench/a.ts\`, 2026-01-01

| what | s | ratio |
|---|---|---|
| one | 1.5 | 67.06 |
| two (at most: 3) | 2533.8 | 99.5 % |

| what | ratio |
|---|---|
| one | none |
`;

describe('the results of the benches', () => {
  const results = readResults(table);
  const section = 'A bench, of two';

  it('are read as sections with tables, and as what they were measured on', () => {
    expect(results.stand).toEqual({ Machine: 'a small one', Date: '2026-01-02' });
    expect(results.sections).toEqual([
      {
        ...{ title: section, anchor: 'a-bench-of-two' },
        tables: [
          {
            columns: ['what', 's', 'ratio'],
            rows: [
              ['one', '1.5', '67.06'],
              ['two (at most: 3)', '2533.8', '99.5 %'],
            ],
          },
          { columns: ['what', 'ratio'], rows: [['one', 'none']] },
        ],
      },
    ]);
  });

  it.each([
    ['one', 'ratio', '67.1'],
    ['two', 's', '2,530'],
    ['two', 'ratio', '99.5'],
  ])('are quoted to three digits: %s, %s', (row, column, text) => {
    expect(figureAt(results, { section, row: [row], column })).toBe(text);
  });

  it('are not quoted where there is no such cell, or no number in it', () => {
    expect(() => cellAt(results, { section, row: ['three'], column: 's' })).toThrow('has no cell');
    expect(() => cellAt(results, { section, row: ['one'], column: 'ms' })).toThrow('has no cell');
    expect(() => figureAt(results, { section, table: 1, row: ['one'], column: 'ratio' })).toThrow(
      'not a number',
    );
  });
});

describe('what is different', () => {
  const textOf = (text: string) => String(differenceList(readResults(text))).replace(/<[^>]+>/g, ' ');
  const numbers = (text: string) => text.match(/\d+(?:,\d{3})*(?:\.\d+)*/g) ?? [];

  it('quotes no number that the results do not have', () => {
    const measured = numbers(markdown).flatMap((text) => [
      text,
      Number(text).toLocaleString('en', { maximumSignificantDigits: 3 }),
    ]);
    // Of a codec and a percentile.
    const words = new Set(['264', '99', '50']);
    const quoted = numbers(textOf(markdown)).filter((number) => !words.has(number));
    expect(quoted.length).toBeGreaterThan(12);
    for (const number of quoted) expect(measured).toContain(number);
  });

  it('changes with the results', () => {
    const ratio = / \| (\d+\.\d+) \|$/.exec(/^\| together .*$/m.exec(markdown)?.[0] ?? '')?.[1] ?? 'none';
    const shown = Number(ratio).toLocaleString('en', { maximumSignificantDigits: 3 });
    expect(textOf(markdown)).toContain(`${shown} × less CPU`);
    expect(textOf(markdown.replace(`| ${ratio} |`, '| 12.3 |'))).toContain('12.3 × less CPU');
  });

  it('says what it was measured on', () => {
    const machine = /^- Machine: (.+)$/m.exec(markdown)?.[1] ?? 'none';
    expect(textOf(markdown)).toContain(machine);
  });
});

describe('a request that is shown', () => {
  const body = {
    urls: ['https://a.example/1.mp4', 'https://a.example/2.mp4'],
    words: [{ start: 0, on: true }, null],
  };

  it('has what fits on a line on one, and is the same JSON', () => {
    const text = jsonText({ ...body, none: undefined, long: ['x'.repeat(80)] });
    expect(text).toContain('  "urls": ["https://a.example/1.mp4", "https://a.example/2.mp4"],\n');
    expect(text).toContain('{ "start": 0, "on": true }, null]');
    expect(text).toContain(`[\n    "${'x'.repeat(80)}"\n  ]`);
    expect(JSON.parse(text)).toEqual({ ...body, long: ['x'.repeat(80)] });
    expect([jsonText({}), jsonText([]), jsonText('a')]).toEqual(['{}', '[]', '"a"']);
  });

  it('is Python in Python', () => {
    expect(pythonPost('https://a.example', '/cut', body)).toContain(
      '"words": [{"start": 0, "on": True}, None],\n',
    );
    expect(pythonPost('https://a.example', '/cut', body), 'says what is wrong').toContain(
      'raise SystemExit(response.text)',
    );
  });

  it('is a message of JSON-RPC for agents', () => {
    expect(JSON.parse(mcpCall('cut', body))).toEqual({
      ...{ jsonrpc: '2.0', id: 1, method: 'tools/call' },
      params: { name: 'cut', arguments: body },
    });
  });
});

it('writes money for people and for programs', () => {
  expect([moneyText(900, 'usd'), moneyText(950, 'usd'), moneyText(1200, 'jpy')]).toEqual([
    '$9',
    '$9.50',
    '¥1,200',
  ]);
  expect([moneyDigits(900, 'usd'), moneyDigits(1200, 'jpy')]).toEqual(['9.00', '1200']);
});
