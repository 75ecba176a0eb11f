import { describe, expect, test } from 'vitest';
import { tried } from './doubling/growth.ts';
import { shapesFor } from './doubling/shapes.ts';
import { byExpression, describeGrowth } from './doubling/tried-expression.ts';

// Growth is measured in time, which a busy machine can hide once.
describe('what is more than linear is refused', { timeout: 1_200_000, retry: 2 }, () => {
  // Long enough for some 30 ms of quadratic work: compiled, it takes hardly 2 ms of 2000 characters.
  const planted = { characters: 8000, quick: 2 };

  test.each([/<[^>]*>/g, /^(a+)+$/, /^[^\p{L}]+|[^\p{L}]+$/gu, /(\w|_)*!/])('such as %s', (expression) => {
    expect(describeGrowth(byExpression(expression, planted))).toMatch(/takes (\d|Infinity)/);
  });

  test.each([
    [
      'a search for the end from each opening',
      (text: string) => {
        let steps = 0;
        for (let at = 0; at < text.length; at++)
          if (text[at] === '<') for (let end = at; end < text.length && text[end] !== '>'; end++) steps += 1;
        return steps;
      },
    ],
    [
      'a copy of the rest for each line',
      (text: string) => {
        const lines = text.split('\n');
        return lines.map((_, index) => lines.slice(index + 1).join(' ').length);
      },
    ],
  ])('or %s', (_, run) => {
    expect(describeGrowth(tried(run, shapesFor([''], []), planted))).toMatch(/takes (\d|Infinity)/);
  });
});
