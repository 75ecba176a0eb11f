import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../schema/operations/index.ts';
import { omission, substitution } from '../../../transcoder/engines/speech/phones.ts';
import type { HeardWord } from '../../../transcoder/engines/speech/script-align.ts';
import { likenesses, type SoundCosts } from '../../../transcoder/engines/speech/sounds-like.ts';
import { trialsOf } from '../../../transcoder/engines/speech/term-trials.ts';
import { lettersOf, spokenForms } from '../../../transcoder/engines/speech/term-words.ts';
import { corrected, sounded, suspected, type Term } from '../../../transcoder/engines/speech/vocabulary.ts';

const PHONES =
  'AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY P R S SH T TH UH UW V W Y Z ZH'.split(
    ' ',
  );
const phone = fc.constantFrom(...PHONES);
const costs: SoundCosts = { substitution, omission };

/** Edit distance as it is defined, of one whole against another. */
function distance(one: readonly string[], other: readonly string[]): number {
  let row = [0];
  for (const sound of other) row.push((row.at(-1) ?? 0) + omission(sound));
  for (const own of one) {
    const next = [(row[0] ?? 0) + omission(own)];
    for (const [index, sound] of other.entries()) {
      const swapped = (row[index] ?? 0) + substitution(own, sound);
      next.push(
        Math.min(swapped, (row[index + 1] ?? 0) + omission(own), (next[index] ?? 0) + omission(sound)),
      );
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}

describe('phones', () => {
  test('cost the same in both directions, and nothing only for themselves', () => {
    for (const one of PHONES) {
      for (const other of PHONES) {
        const cost = substitution(one, other);
        expect(cost, `${one} ${other}`).toBe(substitution(other, one));
        expect(cost === 0, `${one} ${other}`).toBe(one === other);
        expect(cost).toBeLessThanOrEqual(1.2);
      }
      expect(omission(one)).toBeGreaterThan(0);
    }
  });

  test('are cheaper the more they are alike', () => {
    expect(substitution('P', 'B')).toBeLessThan(substitution('P', 'S'));
    expect(substitution('IH', 'EH')).toBeLessThan(substitution('IY', 'AO'));
    expect(substitution('AH', 'IH')).toBeLessThan(substitution('AH', 'T'));
    expect(substitution('R', 'ER')).toBeLessThan(substitution('S', 'ER'));
  });
});

describe('what sounds like a term', () => {
  const words = fc.array(fc.record({ sounds: fc.array(phone, { maxLength: 4 }), apart: fc.boolean() }), {
    maxLength: 6,
  });
  const term = fc.array(phone, { minLength: 1, maxLength: 6 });

  test('is for each end the cheapest of all runs of words without a pause', () => {
    fc.assert(
      fc.property(term, words, (own, said) => {
        const found = likenesses(own, said, costs, 3);
        for (let to = 1; to <= said.length; to++) {
          let least = Number.POSITIVE_INFINITY;
          for (let from = to - 1; from >= 0; from--) {
            const run = said.slice(from, to);
            if (run.slice(1).some(({ apart }) => apart)) break;
            least = Math.min(
              least,
              distance(
                own,
                run.flatMap(({ sounds }) => sounds),
              ),
            );
          }
          const here = found.filter((likeness) => likeness.to === to);
          expect(here).toHaveLength(least <= 3 + 1e-9 && here.length > 0 ? 1 : Number(least <= 3 - 1e-9));
          for (const { from, cost } of here) {
            expect(cost).toBeCloseTo(least, 9);
            const run = said.slice(from, to).flatMap(({ sounds }) => sounds);
            expect(distance(own, run)).toBeCloseTo(cost, 9);
          }
        }
      }),
      { numRuns: 500 },
    );
  });

  test('is found wherever it is said, at no cost', () => {
    fc.assert(
      fc.property(fc.array(phone, { minLength: 3, maxLength: 8 }), words, words, (own, before, behind) => {
        const said = [...before, { sounds: own, apart: true }, ...behind];
        const found = likenesses(own, said, costs, 0);
        expect(found).toContainEqual({ from: before.length, to: before.length + 1, cost: 0 });
      }),
    );
  });
});

describe('how a term may be said', () => {
  test.each([
    ['Kubernetes', ['kubernetes']],
    ['San Sebastián', ['san sebastian']],
    ['PostgreSQL', ['postgresql', 'postgre s. q. l.']],
    ['AWS', ['aws', 'a. w. s.']],
    ['GPT-4', ['gpt four', 'g. p. t. four']],
    ['Node.js', ['node js', 'node j. s.']],
    ['Constructor', ['constructor']],
    ['Johnson & Johnson', ['johnson and johnson']],
    ['McDonald', ['mcdonald', 'mc donald']],
    ["O'Brien", ["o'brien"]],
    ['Łódź', ['lodz']],
    ['東京', []],
    ['Привет', []],
  ])('%s', (term, forms) => {
    expect(spokenForms(term).map((form) => form.join(' '))).toEqual(forms);
  });
});

describe('words are corrected', () => {
  const sounds: Record<string, string> = {
    ...{
      we: 'W IY',
      constructor: 'K AH N S T R AH K T ER',
      use: 'Y UW Z',
      cooper: 'K UW P ER',
      netties: 'N EH T IY Z',
      daily: 'D EY L IY',
    },
  };
  const kubernetes: Term = { text: 'Kubernetes', said: ['K UW B ER N EH T IY Z'.split(' ')] };
  const heardOf = (text: string): HeardWord[] =>
    text.split(' ').map((word, index) => ({
      ...{ text: word, start: index * 0.25, end: index * 0.25 + 0.25, piece: 0, confidence: 0.5 },
    }));
  const soundedOf = (words: readonly HeardWord[]) =>
    sounded(words, ({ text }) => (sounds[lettersOf(text)] ?? '').split(' ').filter(Boolean));
  const by = (words: readonly HeardWord[], terms: readonly Term[]) => {
    const suspicions = terms.flatMap((term) => suspected(term, words, soundedOf(words), 'phones'));
    return corrected(words, suspicions);
  };

  test('by the term that they sound like, in their time and with their punctuation', () => {
    const words = by(heardOf('We use “cooper netties,” daily'), [kubernetes]);
    expect(words.map(({ text }) => text)).toEqual(['We', 'use', '“Kubernetes,”', 'daily']);
    expect(words[2]).toMatchObject({ start: 0.5, end: 1, confidence: null });
    expect(words[3]?.confidence).toBe(0.5);
  });

  test('not over a pause, not of words that the engine is sure of', () => {
    const near = (words: readonly HeardWord[]) =>
      suspected(kubernetes, words, soundedOf(words), 'phones').filter(({ from, to }) => to - from > 1);
    const words = heardOf('we use cooper netties');
    expect(near(words).map(({ from, to }) => [from, to])).toEqual([[2, 4]]);
    expect(near(words.map((word) => ({ ...word, confidence: 0.9 })))).toEqual([]);
    expect(near(words.map((word, index) => (index === 3 ? { ...word, start: 1.3 } : word)))).toEqual([]);
  });

  test('not where the words are another term as it is', () => {
    const terms: Term[] = [
      { text: 'Cooper', said: [['K', 'UW', 'P', 'ER']] },
      { text: 'Netties', said: [['N', 'EH', 'T', 'IY', 'Z']] },
      kubernetes,
    ];
    expect(by(heardOf('use cooper netties'), terms).map(({ text }) => text)).toEqual([
      'use',
      'Cooper',
      'Netties',
    ]);
  });

  test('what may be a term is heard again between its neighbours, the likeliest of the terms for it', () => {
    const words = heardOf('we use cooper netties daily');
    const suspicions = Array.from({ length: 12 }, (_, index) => ({
      ...{ term: `T${index}`, from: 2, to: 4, cost: 0.3 - index / 100, same: false },
    }));
    const trials = trialsOf(
      [...suspicions, { term: 'T0', from: 4, to: 5, cost: 0.1, same: false }],
      words.map((word, index) => (index === 4 ? { ...word, start: 1.5, end: 1.75 } : word)),
      ({ text }) => [text],
      (term) => term.toLowerCase(),
    );
    expect(trials).toHaveLength(2);
    expect(trials[0]).toMatchObject({ piece: { from: 140, to: 185 } });
    expect(trials[0]?.grammar).toEqual([
      [0, 1, 0.01, 'daily'],
      [0, 1, 1, 't0'],
    ]);
    expect(trials[1]).toMatchObject({ piece: { from: 25, to: 110 } });
    expect(trials[1]?.grammar.slice(0, 5)).toEqual([
      [0, 1, 1, 'use'],
      [1, 2, 0.01, 'cooper'],
      [2, 3, 1, 'netties'],
      [1, 3, 1, 't11'],
      [1, 3, 1, 't10'],
    ]);
    expect(trials[1]?.grammar).toHaveLength(3 + 8);
  });

  test('a term of several words takes its share of the time for each', () => {
    const term: Term = { text: 'Kuber Nete Six', said: kubernetes.said };
    const words = by(heardOf('we use cooper netties daily'), [term]);
    expect(words.map(({ text }) => text)).toEqual(['we', 'use', 'Kuber', 'Nete', 'Six', 'daily']);
    expect(words[2]).toMatchObject({ start: 0.5 });
    expect(words[4]).toMatchObject({ end: 1 });
  });

  test('in other languages by letters that are almost the same', () => {
    const words = heardOf('Herr Müller Lüdenscheit, kommt heute');
    const said = sounded(words, ({ text }) => [...lettersOf(text)]);
    const text = 'Müller-Lüdenscheidt';
    const term = { text, said: [[...lettersOf(text)]] };
    const other = { text: 'Heinrich', said: [[...lettersOf('Heinrich')]] };
    const suspicions = [term, other].flatMap((each) => suspected(each, words, said, 'letters'));
    expect(corrected(words, suspicions).map((word) => word.text)).toEqual([
      ...['Herr', 'Müller-Lüdenscheidt,', 'kommt', 'heute'],
    ]);
  });

  test('and every word that is no part of a term stays as it was, in order', () => {
    const suspicion = fc.record({
      ...{ term: fc.constantFrom('A', 'B c', 'D'), from: fc.nat(7), length: fc.integer({ min: 1, max: 3 }) },
      ...{ cost: fc.double({ min: 0, max: 0.3, noNaN: true }), same: fc.boolean() },
    });
    fc.assert(
      fc.property(fc.array(suspicion, { maxLength: 10 }), (drawn) => {
        const words = heardOf('w0 w1 w2 w3 w4 w5 w6 w7 w8 w9');
        const suspicions = drawn.map(({ length, ...each }) => ({ ...each, to: each.from + length }));
        const result = corrected(words, suspicions);
        const touched = new Set(
          suspicions.flatMap(({ from, to }) => words.slice(from, to).map(({ text }) => text)),
        );
        const kept = result.filter(({ text }) => /^w\d/.test(text));
        expect(words.filter((word) => !touched.has(word.text)).every((word) => kept.includes(word))).toBe(
          true,
        );
        for (const [index, word] of result.entries()) {
          expect(word.end).toBeGreaterThanOrEqual(word.start);
          expect(word.start).toBeGreaterThanOrEqual((result[index - 1]?.end ?? 0) - 1e-9);
        }
        expect(result.at(-1)?.end).toBe(2.5);
      }),
    );
  });
});

describe('the vocabulary of a request', () => {
  const asked = (vocabulary: unknown) =>
    operations.captions_auto.input.safeParse({ video_url: 'https://media.example.com/a.mp4', vocabulary });

  test.each([
    ['a term without letters', ['Fine', '—…'], ['vocabulary', 1]],
    ['digits alone', ['4711'], ['vocabulary', 0]],
    ['an empty term', [''], ['vocabulary', 0]],
    ['a term of more than 100 characters', ['x'.repeat(101)], ['vocabulary', 0]],
    ['more than 200 terms', Array.from({ length: 201 }, () => 'x'), ['vocabulary']],
    ['no list', 'Kubernetes', ['vocabulary']],
  ])('has not %s: the answer names the place', (_, vocabulary, path) => {
    expect(asked(vocabulary).error?.issues.map((issue) => issue.path)).toEqual([path]);
  });
});
