import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cased } from '../../../../transcoder/operations/plan/captions/layout.ts';
import {
  bindsToNextWord,
  lengthOf,
  lengthOfWord,
  linesOf,
} from '../../../../transcoder/operations/plan/captions/line-breaking.ts';
import type { Look } from '../../../../transcoder/operations/plan/captions/presets.ts';
import { layoutOf, punchRules } from '../../../../transcoder/operations/plan/captions/punch.ts';
import {
  type GroupRules,
  grouped,
  wordsOf,
} from '../../../../transcoder/operations/plan/captions/segmentation.ts';
import {
  type CaptionWord,
  type Passage,
  textOf,
  wordsOfCue,
} from '../../../../transcoder/operations/plan/captions/words.ts';

const FRAME = 1 / 30;
const rules: GroupRules = {
  ...{ maxChars: 42, maxLines: 2, maxWords: Number.POSITIVE_INFINITY, lengthOf: lengthOfWord },
  ...{ least: 0.833, most: 7, pace: 20, gap: 2 * FRAME, end: 10_000 },
};

/** Words as they are spoken: 55 to 110 ms a letter, with pauses behind some. */
const spoken = fc
  .array(
    fc.record({
      text: fc.oneof(
        {
          weight: 3,
          arbitrary: fc.string({ unit: fc.constantFrom(...'abcdefghij'), minLength: 2, maxLength: 12 }),
        },
        { weight: 1, arbitrary: fc.constantFrom('the', 'a', 'of', 'and', 'in', 'to') },
      ),
      ending: fc.constantFrom('', '', '', '', ',', '.', '?'),
      pace: fc.double({ min: 0.055, max: 0.11, noNaN: true }),
      pause: fc.oneof(
        { weight: 4, arbitrary: fc.constant(0.02) },
        { weight: 1, arbitrary: fc.double({ min: 0.1, max: 3, noNaN: true }) },
      ),
    }),
    { minLength: 1, maxLength: 60 },
  )
  .map((parts) => {
    let at = 0.5;
    return parts.map(({ text, ending, pace, pause }): CaptionWord => {
      const start = at;
      const end = start + Math.max(0.18, (text.length + 1) * pace);
      at = end + pause;
      const whole = bindsToNextWord({ text } as CaptionWord) ? text : `${text}${ending}`;
      return { text: whole, start, end, confidence: null, glued: false };
    });
  });

/** Which rules captions break. */
function violations(words: readonly CaptionWord[], cues: ReturnType<typeof grouped>): string[] {
  const found: string[] = [];
  if (
    cues
      .flatMap(wordsOf)
      .map(({ text }) => text)
      .join(' ') !== words.map(({ text }) => text).join(' ')
  )
    found.push('words are lost');
  for (const [index, cue] of cues.entries()) {
    const seconds = cue.end - cue.start;
    const lengths = cue.lines.map((line) => lengthOf(textOf(line)));
    if (cue.lines.length > 2) found.push(`${cue.lines.length} lines`);
    if (lengths.some((length) => length > 42)) found.push(`${Math.max(...lengths)} characters in a line`);
    if (seconds < 0.833 - 1e-6) found.push(`${seconds} s is short`);
    if (seconds > 7 + 1e-6) found.push(`${seconds} s is long`);
    const pace = lengthOf(textOf(wordsOf(cue))) / seconds;
    if (pace > 20 + 1e-6) found.push(`${pace} characters a second`);
    const next = cues[index + 1];
    if (next && next.start - cue.end < 2 * FRAME - 1e-6) found.push('less than two frames apart');
    if (cue.start !== wordsOf(cue)[0]?.start) found.push('it begins beside its first word');
  }
  return found;
}

describe('words become captions', () => {
  test('that break no rule, of 1000 random lists of words', () => {
    let lists = 0;
    fc.assert(
      fc.property(spoken, (words) => {
        lists += 1;
        expect(violations(words, grouped([{ words, shown: null }], rules))).toEqual([]);
      }),
      { numRuns: 1000 },
    );
    console.log(`captions: 0 rule violations over ${lists} lists of words`);
  });

  test('that end where sentences end', () => {
    const words = wordsOfCue({
      ...{ start: 0, end: 9 },
      text: 'Welcome back to the workshop. Today we build a kite of paper, and then we let it fly.',
    });
    const cues = grouped([{ words, shown: null }], rules);
    expect(cues.map((cue) => cue.lines.map(textOf))).toEqual([
      ['Welcome back to the workshop.'],
      ['Today we build a kite of paper,', 'and then we let it fly.'],
    ]);
  });

  test('one word each, or a few, where that is asked for', () => {
    const words = wordsOfCue({ start: 0, end: 4, text: 'One two three four five six' });
    const passage: Passage[] = [{ words, shown: null }];
    const each = { ...rules, maxWords: 1, least: 0, pace: Number.POSITIVE_INFINITY, gap: 0 };
    const cues = grouped(passage, each);
    expect(cues.map((cue) => textOf(wordsOf(cue)))).toEqual(['One', 'two', 'three', 'four', 'five', 'six']);
    for (const [index, { end }] of cues.slice(0, -1).entries())
      expect(end).toBeCloseTo(cues[index + 1]?.start ?? 0, 6);
    expect(grouped(passage, { ...rules, maxWords: 3 }).every((cue) => wordsOf(cue).length <= 3)).toBe(true);
  });
});

describe('punch captions', () => {
  const punch = { ...rules, ...punchRules({ max_chars_per_line: 42, max_lines: 2 }) };

  test('show each word of 300 random lists once, with 1 to 4 others, while it is spoken', () => {
    fc.assert(
      fc.property(spoken, (words) => {
        const cues = grouped([{ words, shown: null }], punch);
        expect(cues.flatMap(wordsOf)).toEqual(words);
        for (const cue of cues) {
          const shown = wordsOf(cue);
          expect(shown.length).toBeLessThanOrEqual(4);
          expect(cue.lines.length).toBeLessThanOrEqual(2);
          expect(cue.start).toBe(shown[0]?.start);
          expect(cue.end).toBeGreaterThanOrEqual((shown.at(-1)?.end ?? 0) - 1e-6);
        }
      }),
      { numRuns: 300 },
    );
  });

  test('have few words rather than a caption of one and another of four', () => {
    const words = wordsOfCue({ start: 0, end: 3, text: 'we never saw the old blue boat there again' });
    const cues = grouped([{ words, shown: null }], punch);
    expect(cues.map((cue) => wordsOf(cue).length)).toEqual([3, 3, 3]);
  });

  test('are the default of lively presets in upright pictures they are burned into', () => {
    const [upright, wide] = [
      { width: 720, height: 1280 },
      { width: 1280, height: 720 },
    ];
    const auto = { layout: 'auto', preset: 'pill' } as const;
    expect(layoutOf(auto, upright)).toBe('punch');
    expect(layoutOf(auto, wide)).toBe('phrase');
    expect(layoutOf(auto, { width: 720, height: 720 })).toBe('phrase');
    expect(layoutOf(auto, null)).toBe('phrase');
    expect(layoutOf({ ...auto, max_words: 6 }, upright)).toBe('phrase');
    expect(layoutOf({ ...auto, preset: 'clean' }, upright)).toBe('phrase');
    expect(layoutOf({ ...auto, layout: 'punch' }, wide)).toBe('punch');
  });
});

describe('captions of a caller', () => {
  const given = (start: number, end: number, text: string): Passage => ({
    words: wordsOfCue({ start, end, text }),
    shown: { start, end },
  });

  test('keep their division and times, as far as they do not overlap', () => {
    const cues = grouped(
      [given(1, 2, 'First.'), given(2, 2.4, 'Second.'), given(2.2, 5, 'Third one.')],
      rules,
    );
    expect(cues.map(({ start, end }) => [start, end])).toEqual([
      [1, 2],
      [2, 2.2],
      [2.2, 5],
    ]);
  });

  const shownIn = (passages: Passage[], each = rules) =>
    grouped(passages, each).map(({ start, end, lines }) => [start, end, lines.map(textOf).join('/')]);

  test('that begin at the same time are shown together, up to four lines', () => {
    const both = [given(1, 3, 'First.'), given(1, 4, 'Second.'), given(5, 6, 'Third.')];
    expect(shownIn(both)).toEqual([
      [1, 4, 'First./Second.'],
      [5, 6, 'Third.'],
    ]);
    const many = Array.from({ length: 9 }, (_, index) => given(1 + index / 1000, 3, `No${index}`));
    expect(shownIn(many)).toEqual([[1, 3, 'No0/No1/No2/No3']]);
  });

  const timed = (passages: Passage[]) =>
    grouped(passages, rules).map((cue) =>
      wordsOf(cue).map(({ text, start, end }) => [
        text,
        ...[start, end].map((time) => Number(time.toFixed(3))),
      ]),
    );

  test('that begin at the same time have their words one after another, for presets that go from word to word', () => {
    expect(timed([given(1, 4, 'one two six'), given(1, 4, 'ten')])).toEqual([
      [
        ['one', 1, 1.75],
        ['two', 1.75, 2.5],
        ['six', 2.5, 3.25],
        ['ten', 3.25, 4],
      ],
    ]);
    // Not if they are in order.
    expect(timed([given(1, 3, 'one'), given(1.2, 3.2, 'two six')])).toEqual([
      [
        ['one', 1, 3],
        ['two', 1.2, 2.2],
        ['six', 2.2, 3.2],
      ],
    ]);
  });

  test('that are cut off by the next have their words before it', () => {
    const [first] = timed([given(1, 5, 'one two six ten'), given(3, 6, 'Next.')]);
    expect(first).toEqual([
      ['one', 1, 1.5],
      ['two', 1.5, 2],
      ['six', 2, 2.5],
      ['ten', 2.5, 3],
    ]);
  });

  test('of which the next would leave almost nothing are shown with it, if there is room', () => {
    const three = [given(0.5, 2.5, 'First.'), given(1, 2, 'Second.'), given(1.1, 2.9, 'Third.')];
    expect(shownIn(three)).toEqual([
      [0.5, 1, 'First.'],
      [1, 2.9, 'Second./Third.'],
    ]);
    const many = Array.from({ length: 6 }, (_, index) => given(1 + index / 20, 3, `No${index}`));
    expect(shownIn(many)).toEqual([
      [1, 1.2, 'No0/No1/No2/No3'],
      [1.2, 3, 'No4/No5'],
    ]);
  });

  test('that roll up keep the order of their words, however they are divided', () => {
    const rolling = [
      given(0, 3, 'we are going to talk'),
      given(1.5, 4.5, 'about the weather today'),
      given(3, 6, 'and about the rain'),
    ];
    for (const maxWords of [1, 3]) {
      const said = shownIn(rolling, { ...rules, maxWords }).map(([, , text]) => text);
      expect(said.join(' ')).toBe('we are going to talk about the weather today and about the rain');
    }
  });

  test('in which two people speak have a line for each, if there is room', () => {
    const lines = (text: string) => shownIn([given(1, 4, text)]).map(([, , shown]) => shown);
    expect(lines('- Hi.\n- Hello!')).toEqual(['- Hi./- Hello!']);
    expect(lines('–Is it? –No, –5 degrees.')).toEqual(['–Is it?/–No, –5 degrees.']);
    expect(lines('- One. - Two. - Three.')).toEqual(['- One. - Two. - Three.']);
  });

  test('break no line between a title and its name', () => {
    const text = 'We all of us went along to see Mr. Tolkien and his dog';
    const [cue] = grouped([given(1, 6, text)], { ...rules, maxChars: 34 });
    expect(cue?.lines.map(textOf)).toEqual(['We all of us went along to see', 'Mr. Tolkien and his dog']);
  });

  test('that are shorter than a frame are seen', () => {
    expect(shownIn([given(1, 1.005, 'Blink.'), given(2, 3, 'Then.')])).toEqual([
      [1, 1.04, 'Blink.'],
      [2, 3, 'Then.'],
    ]);
  });

  test('have all their words, however little time there is', () => {
    const words = Array.from({ length: 24 }, (_, index) => `word${index}`).join(' ');
    const cues = grouped([given(1, 1.2, words)], { ...rules, gap: 2 });
    expect(
      cues
        .flatMap(wordsOf)
        .map(({ text }) => text)
        .join(' '),
    ).toBe(words);
  });

  test.each(['layout by words', 'a gap of two seconds'])(
    'have every word of any list of words with %s',
    (kind) => {
      const each =
        kind === 'layout by words' ? { ...rules, maxWords: 1, least: 0, gap: 0 } : { ...rules, gap: 2 };
      const times = fc.array(fc.nat({ max: 40 }), { minLength: 1, maxLength: 30 });
      fc.assert(
        fc.property(times, fc.constantFrom(0, 0.2), (starts, lasting) => {
          const words = starts
            .map((start) => start / 4)
            .sort((a, b) => a - b)
            .map((start, index): CaptionWord => {
              const times = { start, end: start + lasting };
              return { ...times, text: `word${index}`, confidence: null, glued: false };
            });
          const cues = grouped([{ words, shown: null }], each);
          expect(cues.flatMap(wordsOf).map(({ text }) => text)).toEqual(words.map(({ text }) => text));
          for (const [index, { start, end }] of cues.entries()) {
            expect(end).toBeGreaterThan(start);
            expect(end).toBeLessThanOrEqual(cues[index + 1]?.start ?? each.end);
          }
        }),
      );
    },
  );

  test('that are longer than what fits are divided within their time', () => {
    const long = Array.from({ length: 40 }, (_, index) => `word${index}`).join(' ');
    const cues = grouped([given(3, 10, long)], rules);
    expect(cues.length).toBeGreaterThan(2);
    expect(cues[0]?.start).toBe(3);
    expect(cues.at(-1)?.end).toBeLessThanOrEqual(10);
    expect(
      cues
        .flatMap(wordsOf)
        .map(({ text }) => text)
        .join(' '),
    ).toBe(long);
  });
});

describe('lines', () => {
  const broken = (text: string, maxChars = 24) =>
    linesOf(wordsOfCue({ start: 0, end: 1, text }), { maxChars, maxLines: 2, lengthOf: lengthOfWord })?.map(
      textOf,
    );

  test('are of about the same length, and break behind punctuation', () => {
    expect(broken('we walked along the river bank')).toEqual(['we walked along', 'the river bank']);
    expect(broken('when it rains, we stay inside')).toEqual(['when it rains,', 'we stay inside']);
  });

  test('do not end with an article or a preposition', () => {
    expect(broken('she walked through the old garden')).toEqual(['she walked', 'through the old garden']);
  });

  test('that would be too many are none', () => {
    expect(broken('one two three four five six seven eight nine ten eleven twelve', 12)).toBeUndefined();
  });

  test('of Chinese count two for each character and break between words', () => {
    const lines = broken('欢迎来到这个关于城市的短视频', 16) ?? [];
    expect(lines).toHaveLength(2);
    expect(lines.join('')).toBe('欢迎来到这个关于城市的短视频');
    for (const line of lines) expect(lengthOf(line)).toBeLessThanOrEqual(16);
  });
});

test.each([
  ['tr', 'upper', 'bir istasyon', 'BİR İSTASYON'],
  ['tr-TR', 'lower', 'IŞIK', 'ışık'],
  ['en', 'upper', 'in it', 'IN IT'],
  [null, 'upper', 'in it', 'IN IT'],
  ['tr', 'as_is', 'istasyon', 'istasyon'],
] as const)('capitals follow the language: %s, %s', (language, letterCase, text, expected) => {
  const look = { letterCase } as Look;
  expect(cased(text, { look, language })).toBe(expected);
});
