/** Where and how consonants are made, and whether the voice sounds. */
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

/** How open the mouth is, from 0 to 3, and how far back the tongue, from 0 to 2; of diphthongs in their middle. */
const vowels: Record<string, [open: number, back: number]> = {
  ...{ IY: [0, 0], IH: [1, 0.3], EY: [1.2, 0], EH: [2, 0], AE: [3, 0.2], AY: [2.3, 0.8] },
  ...{ AH: [2, 1], ER: [1.5, 1], AA: [3, 1.7], AW: [2.3, 1.3] },
  ...{ UW: [0, 1.8], UH: [1, 1.6], OW: [1.5, 2], OY: [1.5, 1.6], AO: [2.5, 2] },
};

/** Pairs of a vowel and a consonant that pass into each other. */
const kin: Record<string, string> = { ER: 'R', IY: 'Y', IH: 'Y', UW: 'W', UH: 'W', OW: 'L', AO: 'L' };

/** Vowels that are hardly heard where they are not stressed. */
const WEAK = ['AH', 'IH', 'ER'];

/** What it costs that one sound is heard for another: nothing for itself, at most 1, more where a vowel is no vowel. */
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

/** What it costs that a sound is heard that is not said, or not heard that is. */
export function omission(phone: string): number {
  if (phone === 'HH' || WEAK.includes(phone)) return 0.5;
  return vowels[phone] || consonants[phone]?.[1] === 'glide' ? 0.7 : 0.85;
}
