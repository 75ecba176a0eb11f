import { expect, it } from 'vitest';
import { greatest, least } from '../../../transcoder/model/min-max.ts';
import { isVariable } from '../../../transcoder/operations/plan/frame-selection.ts';

it('a film of four hours has more frames than a stack holds, and its rate is told all the same', () => {
  const film = Array.from({ length: 4 * 3600 * 60 }, (_, n) => ({
    pts: n / 60,
    dts: null,
    duration: null,
    key: false,
  }));
  expect(isVariable(film)).toBe(false);
  expect(isVariable([...film, { pts: 4 * 3600 + 1, dts: null, duration: null, key: false }])).toBe(true);
  const times = film.map(({ pts }) => pts);
  expect([least(times), greatest(times)]).toEqual([0, times.at(-1)]);
});
