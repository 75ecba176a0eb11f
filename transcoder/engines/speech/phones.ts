/** Place and manner of articulation, and voicing, of each consonant. */
const consonants: Record<string, [place: number, manner: string, voiced: boolean]> = {
  ...{ P: [0, 'stop', false], B: [0, 'stop', true], M: [0, 'nasal', true], W: [0, 'glide', true] },
  ...{ F: [1, 'fricative', false], V: [1, 'fricative', true] },
  ...{ TH: [2, 'fricative', false], DH: [2, 'fricative', true] },
  ...{ T: [3, 'stop', false], D: [3, 'stop', true], N: [3, 'nasal', true], L: [3, 'glide', true] },
  ...{ S: [3, 'fricative', false], Z: [3, 'fricative', true] },
  ...{ SH: [4, 'fricative', false], ZH: [4, 'fricative', true], CH: [4, 'affricate', false] },
  ...{ JH: [4, 'affricate', true], R: [4, 'glide', true], Y: [5, 'glide', true] },
  ...{ K: [6, 'stop', false], G: [6, 'stop', true], NG: [6, 'nasal', true], HH: [7, 'fricative', false] },
};

/** Openness of the mouth from 0 to 3, and backness of the tongue from 0 to 2. Diphthongs are placed midway. */
const vowels: Record<string, [open: number, back: number]> = {
  ...{ IY: [0, 0], IH: [1, 0.3], EY: [1.2, 0], EH: [2, 0], AE: [3, 0.2], AY: [2.3, 0.8] },
  ...{ AH: [2, 1], ER: [1.5, 1], AA: [3, 1.7], AW: [2.3, 1.3] },
  ...{ UW: [0, 1.8], UH: [1, 1.6], OW: [1.5, 2], OY: [1.5, 1.6], AO: [2.5, 2] },
};

/** Similar-sounding pairs of a vowel and a consonant. */
const kin: Record<string, string> = { ER: 'R', IY: 'Y', IH: 'Y', UW: 'W', UH: 'W', OW: 'L', AO: 'L' };

/** Vowels that are often reduced when unstressed. */
const WEAK = ['AH', 'IH', 'ER'];

/** Cost of hearing one sound as another: 0 for itself, at most 1 within vowels or consonants, up to 1.2 across. */
export function substitution(one: string, other: string): number {
  if (one === other) return 0;
  const [a, b] = [vowels[one], vowels[other]];
  if (a && b) {
    const apart = 0.1 * Math.abs(a[0] - b[0]) + 0.1 * Math.abs(a[1] - b[1]);
    return WEAK.includes(one) || WEAK.includes(other) ? 0.1 + apart : 0.2 + apart;
  }
  const [c, d] = [consonants[one], consonants[other]];
  if (c && d) {
    const place = c[0] === d[0] ? 0 : 0.2 + 0.05 * Math.abs(c[0] - d[0]);
    return Math.min(1, place + (c[1] === d[1] ? 0 : 0.4) + (c[2] === d[2] ? 0 : 0.2));
  }
  return kin[one] === other || kin[other] === one ? 0.4 : 1.2;
}

/** Cost of a missing or an extra sound. */
export function omission(phone: string): number {
  if (phone === 'HH' || WEAK.includes(phone)) return 0.5;
  return vowels[phone] || consonants[phone]?.[1] === 'glide' ? 0.7 : 0.85;
}
