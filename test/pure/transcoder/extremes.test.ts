import { expect, it } from 'vitest';
import { greatest, least } from '../../../transcoder/model/numbers/min-max.ts';
import { Packets } from '../../../transcoder/model/source/packets.ts';
import { isVariable } from '../../../transcoder/operations/plan/frames.ts';

it('a film of four hours has more frames than a stack holds, and its rate is told all the same', () => {
  const film = Array.from({ length: 4 * 3600 * 60 }, (_, n) => ({
    pts: n / 60,
    dts: null,
    duration: null,
    key: false,
  }));
  const late = { pts: 4 * 3600 + 1, dts: null, duration: null, key: false };
  expect(isVariable(Packets.of(film))).toBe(false);
  expect(isVariable(Packets.of([...film, late]))).toBe(true);
  const times = film.map(({ pts }) => pts);
  expect([least(times), greatest(times)]).toEqual([0, times.at(-1)]);
});
