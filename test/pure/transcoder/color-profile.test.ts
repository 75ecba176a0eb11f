import { describe, expect, it } from 'vitest';
import { rgbProfileIn } from '../../../transcoder/media/analyses/color-profile.ts';
import { lightOf, srgbCurve } from '../../../transcoder/model/source/rgb-profile.ts';
import { profileOf, profiles, withProfile } from '../../fixtures/color-profile.ts';

const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xd9]);
const names = Object.keys(profiles) as (keyof typeof profiles)[];
const gammas = { 'adobe-rgb': 2.2, prophoto: 1.8, 'a table of 1.8': 1.8 };

describe('the profile of a picture', () => {
  it.each(names)('is read of %s, and is none for sRGB', async (name) => {
    const found = await rgbProfileIn(withProfile(jpeg, profileOf(name)));
    if (name === 'srgb') return expect(found).toBeNull();
    for (const row of [0, 3, 6]) {
      const [sum] = [0, 1, 2].reduce(([total = 0], at) => [total + (found?.toSrgb[row + at] ?? 0)], [0]);
      expect(sum).toBeCloseTo(1, 6);
    }
    const gamma = name === 'display-p3' ? null : gammas[name];
    for (const number of [0, 0.02, 0.3, 0.5, 0.9, 1]) {
      const expected = gamma === null ? lightOf(srgbCurve, number) : number ** gamma;
      expect(found && lightOf(found.curve, number)).toBeCloseTo(expected, 3);
    }
  });

  it('is read of the matrix of Display P3 as its standard states it', async () => {
    const found = await rgbProfileIn(withProfile(jpeg, profileOf('display-p3')));
    const known = [1.2249, -0.2247, 0, -0.042, 1.0419, 0, -0.0197, -0.0786, 1.0979];
    for (const [at, factor] of known.entries()) expect(found?.toSrgb[at]).toBeCloseTo(factor, 2);
  });

  it('is none where a part is missing, cut off, or makes no sense', async () => {
    const whole = profileOf('adobe-rgb');
    // The last two bytes fill it up.
    for (let length = 0; length < whole.length - 2; length += 7)
      expect(await rgbProfileIn(withProfile(jpeg, whole.subarray(0, length)))).toBeNull();
    for (let at = 128; at < whole.length; at++) {
      for (const byte of [0, 0x7f, 0xff]) {
        const changed = Buffer.from(whole);
        changed[at] = byte;
        const found = await rgbProfileIn(withProfile(jpeg, changed));
        expect((found?.toSrgb ?? []).every((factor) => Math.abs(factor) <= 4)).toBe(true);
        expect(found ? lightOf(found.curve, 1) : 1).toBeCloseTo(1, 0);
      }
    }
  });
});
