import { describe, expect, test } from 'vitest';
import type { Warning } from '../../../schema/task/task.ts';
import { fitFades } from '../../../transcoder/operations/plan/fit-fades.ts';

describe('fades', () => {
  test.each([
    { asked: { in: 1, out: 1 }, seconds: 2, fitted: { in: 1, out: 1 }, warned: false },
    { asked: { in: 0, out: 0 }, seconds: 0.04, fitted: { in: 0, out: 0 }, warned: false },
    { asked: { in: 3, out: 0 }, seconds: 2, fitted: { in: 2, out: 0 }, warned: true },
    { asked: { in: 0, out: 10 }, seconds: 1.5, fitted: { in: 0, out: 1.5 }, warned: true },
    { asked: { in: 3, out: 1 }, seconds: 2, fitted: { in: 1.5, out: 0.5 }, warned: true },
  ])('of $asked in $seconds s are $fitted', ({ asked, seconds, fitted, warned }) => {
    const warnings: Warning[] = [];
    expect(fitFades(asked, seconds, warnings)).toEqual(fitted);
    expect(warnings.map(({ code }) => code)).toEqual(warned ? ['fades_shortened'] : []);
  });
});
