import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  finer,
  rescale,
  secondsOf,
  type TimeBase,
  ticksOf,
  timeBaseOf,
} from '../../../transcoder/model/numbers/rational-time.ts';

const bases = fc.constantFrom(
  ...['1/24', '1/25', '1/30', '1001/24000', '1001/30000', '1/1000', '1/12800', '1/15360', '1/48000'],
  ...['1/90000', '1/600', '1/44100', '1/1000000', '1/10000000'],
);
const base = bases.map(timeBaseOf);
/** Forty hours before and behind. */
const ticks = ({ num, den }: TimeBase) =>
  fc
    .integer({ min: -1, max: 1 })
    .chain((sign) =>
      fc.integer({ min: 0, max: Math.floor((144_000 * den) / num) }).map((tick) => sign * tick),
    );

describe('a time in ticks', () => {
  test('is the same tick after it has been seconds', () => {
    fc.assert(
      fc.property(
        base.chain((one) => fc.tuple(fc.constant(one), ticks(one))),
        ([one, tick]) => {
          expect(ticksOf(secondsOf(tick, one), one) + 0).toBe(tick + 0);
        },
      ),
    );
  });

  test('is off by no more than half a tick of another time base, and by less than one where it is rounded one way', () => {
    fc.assert(
      fc.property(
        base.chain((from) => fc.tuple(fc.constant(from), ticks(from), base)),
        ([from, tick, to]) => {
          // Exact: tick · from and result · to, over the same denominator.
          const wanted = BigInt(tick) * BigInt(from.num) * BigInt(to.den);
          const one = BigInt(to.num) * BigInt(from.den);
          const off = (result: number) => BigInt(result) * one - wanted;
          const nearest = 2n * off(rescale(tick, from, to));
          expect(nearest <= one && nearest >= -one).toBe(true);
          const down = off(rescale(tick, from, to, 'down'));
          expect(down <= 0n && down > -one).toBe(true);
          const up = off(rescale(tick, from, to, 'up'));
          expect(up >= 0n && up < one).toBe(true);
        },
      ),
    );
  });

  test('has a place in the finer time base, which holds every other time to 0.05 ms', () => {
    fc.assert(
      fc.property(
        base.chain((one) => fc.tuple(fc.constant(one), ticks(one))),
        ([one, tick]) => {
          const fine = finer(one);
          expect(rescale(rescale(tick, one, fine), fine, one)).toBe(tick + 0);
          expect(rescale(tick, one, fine, 'down')).toBe(rescale(tick, one, fine, 'up'));
          expect(fine.num / fine.den).toBeLessThanOrEqual(0.0001);
        },
      ),
    );
  });
});
