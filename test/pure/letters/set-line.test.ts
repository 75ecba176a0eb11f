import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { fontsListed } from '../../../transcoder/letters/installed-fonts.ts';
import type { SetLine, Typeface } from '../../../transcoder/model/letters.ts';
import { letters } from './letters.ts';

const type: Typeface = { font: 'Inter', bold: true, spacing: 0, language: null };
const lineOf = (text: string, other: Partial<Typeface> = {}) => letters.lineOf(text, { ...type, ...other });

/** The letters from left to right. */
const seen = (text: string, { clusters }: SetLine) =>
  clusters
    .toSorted((a, b) => a.x - b.x)
    .map(({ from, to }) => text.slice(from, to))
    .join('');

describe('a line', () => {
  test.each([
    ['left to right', 'abc', 'abc'],
    ['right to left', 'אבג', 'גבא'],
    ['Hebrew in English', 'ab אבג cd', 'ab גבא cd'],
    ['English in Hebrew', 'אב cd גד', 'דג cd בא'],
    ['English first in Hebrew', '\u200fab אב cd', 'cd בא ab\u200f'],
    ['a number in Arabic', 'سنة 2026 هنا', 'انه 2026 ةنس'],
    ['an emoji in Hebrew', 'אב 😀 גד', 'דג 😀 בא'],
  ])('is seen in its order: %s', (_, text, order) => {
    expect(seen(text, lineOf(text))).toBe(order);
  });

  test('has letters side by side, without a gap', () => {
    const unit = fc.constantFrom(...'ab אبنमि한字😀🇩🇪.1 -');
    fc.assert(
      fc.property(fc.string({ unit, minLength: 1, maxLength: 30 }), (text) => {
        const { clusters, width } = lineOf(text);
        let x = 0;
        for (const cluster of clusters.toSorted((a, b) => a.x - b.x || a.width - b.width)) {
          expect(cluster.x).toBeCloseTo(x, 6);
          x += cluster.width;
        }
        expect(x).toBeCloseTo(width, 6);
        expect(clusters.map(({ from, to }) => text.slice(from, to)).join('')).toBe(text);
      }),
    );
  });

  test('is as wide as its words and spaces, but for kerning', () => {
    const apart = lineOf('The').width + lineOf(' ').width + lineOf('quick').width;
    expect(lineOf('The quick').width).toBeCloseTo(apart, 1);
    expect(lineOf('fjord', { spacing: 0.1 }).width).toBeGreaterThan(lineOf('fjord').width + 0.4);
  });

  test('shares the width of a ligature among its letters', () => {
    const line = lineOf('لا');
    expect(line.clusters).toHaveLength(2);
    const [one, other] = line.clusters;
    expect(one?.width).toBeCloseTo(other?.width ?? 0, 6);
  });
});

describe('each letter', () => {
  test('is in a font of its script, as large as its neighbours', () => {
    const families = (text: string, language: string | null = null) =>
      lineOf(text, { language }).runs.map(({ family }) => family);
    expect(families('Hi नमस्ते')).toEqual(['Inter', 'Noto Sans Devanagari']);
    expect(families('骨')).toEqual(['Noto Sans CJK SC']);
    expect(families('骨', 'ja')).toEqual(['Noto Sans CJK JP']);
    expect(families('骨です')).toEqual(['Noto Sans CJK JP']);
    expect(families('骨', 'zh-TW')).toEqual(['Noto Sans CJK TC']);
    expect(families('骨。', 'zh-TW')).toEqual(['Noto Sans CJK TC']);
    expect(families('骨、「骨」。')).toEqual(['Noto Sans CJK SC']);
    expect(lineOf('Hi नमस्ते').runs[1]?.size).toBeGreaterThan(1.05);
  });

  test('is drawn as a picture if it is an emoji, whatever it is made of', () => {
    for (const emoji of ['😀', '👨‍👩‍👧', '🇩🇪', '❤️', '1️⃣', '👍🏽', '🏴󠁧󠁢󠁥󠁮󠁧󠁿']) {
      const { clusters } = lineOf(emoji);
      expect(clusters.map(({ emoji: drawn }) => drawn !== null)).toEqual([true]);
      expect(letters.emoji(emoji).length, emoji).toBeGreaterThan(0);
    }
    expect(lineOf('1 © ™ ♥').clusters.every(({ emoji }) => emoji === null)).toBe(true);
  });

  test('that no font has is named', () => {
    expect(lineOf('a\u{10FFFD}b').missing).toEqual(['\u{10FFFD}']);
    expect(lineOf('abc').missing).toEqual([]);
  });
});

test('fonts are listed by each of their names, italic ones too; narrow ones are not', () => {
  const listed = fontsListed(
    [
      'Noto Sans,Noto Sans Name\t80\t0\t100\t0\t/a.ttf',
      'Noto Sans\t200\t0\t100\t3\t/b.ttc',
      'Noto Sans\t80\t100\t100\t0\t/italic.ttf',
      'Noto Sans\t80\t0\t75\t0\t/narrow.ttf',
      'Noto Sans\t[0 210]\t0\t100\t0\t/variable.ttf',
      '',
    ].join('\n'),
  );
  expect([...listed.keys()]).toEqual(['Noto Sans', 'Noto Sans Name']);
  expect(listed.get('Noto Sans')).toEqual([
    { path: '/a.ttf', index: 0, bold: false, italic: false },
    { path: '/b.ttc', index: 3, bold: true, italic: false },
    { path: '/italic.ttf', index: 0, bold: false, italic: true },
  ]);
});
