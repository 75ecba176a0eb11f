import { describe, expect, test } from 'vitest';
import { keptPlaces } from '../../../../transcoder/operations/silence/words/kept-places.ts';

describe('a shortened text', () => {
  const places = (all: string, kept: string) => keptPlaces(all.split(' '), kept.split(' '));

  test('is found with as few gaps as possible', () => {
    expect(places('a b a b c', 'a b c')).toEqual({ places: [2, 3, 4] });
    expect(places('the dog the cat the end', 'the cat')).toEqual({ places: [2, 3] });
    expect(places('a x b a b', 'a b')).toEqual({ places: [3, 4] });
  });

  test('is found wherever it was taken from, of 200 random texts, and never with more gaps', () => {
    let seed = 1;
    const random = (below: number) => {
      seed = (seed * 48_271) % 2_147_483_647;
      return seed % below;
    };
    const gaps = (at: readonly number[]) =>
      at.filter((place, index) => index > 0 && place !== (at[index - 1] ?? 0) + 1).length;
    for (let round = 0; round < 200; round++) {
      const all = Array.from({ length: 30 }, () => 'abc'[random(3)] ?? 'a');
      const taken = all.flatMap((_, index) => (random(3) > 0 ? [index] : []));
      const found = keptPlaces(
        all,
        taken.map((index) => all[index] ?? ''),
      );
      if (!('places' in found)) return expect.unreachable();
      expect(found.places.map((index) => all[index])).toEqual(taken.map((index) => all[index]));
      expect(found.places).toEqual(found.places.toSorted((a, b) => a - b));
      expect(gaps(found.places)).toBeLessThanOrEqual(gaps(taken));
    }
  });
});
