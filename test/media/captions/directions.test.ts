import { describe, expect, test } from 'vitest';
import { greatest, least } from '../../../transcoder/model/numbers/min-max.ts';
import { directed } from '../../../transcoder/operations/plan/captions/row-direction.ts';
import { drawnOver, textsOf } from './drawn.ts';

test.each([
  [
    ['שלום YouTube', 'YouTube שלום'],
    ['שלום YouTube', '\u200fYouTube שלום'],
  ],
  [
    ['hello', 'שלום to me'],
    ['hello', '\u200eשלום to me'],
  ],
  [
    ['שלום', '(2026)'],
    ['שלום', '\u200f(2026)'],
  ],
  [
    ['2026', 'hello'],
    ['2026', 'hello'],
  ],
  [
    ['مرحبا', 'Hello, all.'],
    ['مرحبا', 'Hello, all.'],
  ],
  [
    ['\u200fYouTube!', 'Google שלום'],
    ['\u200fYouTube!', '\u200fGoogle שלום'],
  ],
])('rows have the direction of their text: %j', (rows, drawn) => {
  expect(directed(rows)).toEqual(drawn);
});

describe.each(['clean', 'minimal'])('in %s', (preset) => {
  test.each([
    ['שלום לכולם ברוכים הבאים, YouTube שלנו כאן היום', 'YouTube', 'right'],
    ['He said to all of them, שלום to me and to you', 'שלום', 'left'],
  ])('the second line of “%s” begins with %s at its %s', (text, word, side) => {
    const [width, height] = [1280, 720];
    const request = {
      ...{ captions: [{ start: 0, end: 1, text }], preset, outputs: [], max_chars_per_line: 24 },
      keywords: [{ text: word, color: '#ff0000' }],
    };
    const [document = ''] = textsOf(request, { width, height, duration: 1 });
    const frame = drawnOver(document, { width, height, rate: 1, color: '0x000000' }, 1);
    const pixels = Array.from({ length: width * height }, (_, pixel) => {
      const [red = 0, green = 0] = frame.subarray(3 * pixel);
      const kind = red < 200 ? null : green < 60 ? 'red' : green > 200 ? 'white' : null;
      return { x: pixel % width, y: Math.floor(pixel / width), kind };
    });
    const red = pixels.filter(({ kind }) => kind === 'red');
    const [top, bottom] = [red[0]?.y ?? 0, red.at(-1)?.y ?? 0];
    const white = pixels.filter(({ kind, y }) => kind === 'white' && y >= top && y <= bottom);
    const [reds, whites] = [red, white].map((those) => those.map(({ x }) => x));
    expect(Math.min(red.length, white.length)).toBeGreaterThan(50);
    const [left, right] = side === 'right' ? [whites, reds] : [reds, whites];
    expect(greatest(left ?? [])).toBeLessThan(least(right ?? []));
  });
});
