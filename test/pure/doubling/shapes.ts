import type { Shape } from './growth.ts';

/** What few expressions accept at the end: one takes what the other does not. */
const tails = ['\u0000', 'a'];

/** Characters of every kind that parsers tell apart. */
const pool = [
  ...Array.from({ length: 95 }, (_, index) => String.fromCharCode(32 + index)),
  ...[
    '\n',
    '\r',
    '\t',
    'é',
    'ß',
    '漢',
    'か',
    'ไ',
    'ا',
    '\u0301',
    '\u200b',
    '\u00a0',
    '😀',
    '’',
    '”',
    '、',
    '。',
    '♪',
    '▁',
    '€',
  ],
];

/**
 * The parts of an expression that each accept one character: escapes, classes, the dot and letters, each as often as it has to
 * be there; groups and anchors are left out.
 */
function atomsOf(source: string): string[] {
  const atom =
    /(\\[pP]\{[^}]*\}|\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|\\[bB]|\\k<\w+>|\\.|\[(?:\\.|[^\]\\])*\])|(\(\?(?:<\w+>|<?[=!:]|:)?|[()|^$*+?]|\{\d+,?\d*\})|([\s\S])/gu;
  const atoms: string[] = [];
  let last: string | null = null;
  for (const [text, special, structure, plain] of source.matchAll(atom)) {
    const least = Number(/^\{(\d+)/.exec(structure ?? '')?.[1] ?? 1);
    for (let count = 1; last !== null && count < Math.min(least, MOST_ALIKE); count++) atoms.push(last);
    const none = structure !== undefined || text === '\\b' || text === '\\B' || text.startsWith('\\k');
    last = none ? null : (special ?? plain ?? null);
    if (last !== null) atoms.push(last);
  }
  return atoms;
}

/** Characters of one part in a row. */
const MOST_ALIKE = 4;

/** Up to three characters that an atom accepts, far apart. */
function acceptedBy(atom: string, flags: string): string[] {
  const whole = new RegExp(`^(?:${atom})$`, flags.replace(/[gy]/g, ''));
  const accepted = pool.filter((character) => whole.test(character));
  const [first, middle, last] = [accepted[0], accepted[accepted.length >> 1], accepted.at(-1)];
  return [...new Set([first, middle, last])].filter((each) => each !== undefined);
}

const unique = <T>(values: readonly T[]) => [...new Set(values)];

/** Texts made of what an expression accepts: each character, pair and run of its parts repeated, behind each prefix of a match. */
export function shapesOf({ source, flags }: RegExp): Shape[] {
  const samples = atomsOf(source).map((atom) => acceptedBy(atom, flags));
  const match = samples.map(([first = '']) => first);
  const characters = unique(samples.flat()).slice(0, 14);
  // Behind a letter too: what stands at the start is often read in a way of its own.
  const prefixes = [0, 1, 2, 3, 5, 8, 13, 21].map((count) => match.slice(0, count).join(''));
  const heads = unique(['a', ...prefixes]);
  const runs = [2, 3, 4, 5, 6, 7, 8, 9].flatMap((count) =>
    match.map((_, from) => match.slice(from, from + count).join('')),
  );
  const pairs = characters.slice(0, 7).flatMap((one) => characters.slice(0, 7).map((other) => one + other));
  const shapes = [
    ...heads.flatMap((head) => characters.map((unit) => ({ head, unit }))),
    ...unique([...runs, ...pairs, match.join('')])
      .slice(0, 140)
      .map((unit) => ({ head: '', unit })),
  ];
  return shapes
    .filter(({ unit }) => unit !== '')
    .flatMap((shape) => tails.map((tail) => ({ ...shape, tail })));
}

/** Signs of the formats and languages that callers send. */
const signs = [
  ...[
    '<',
    '>',
    '{',
    '}',
    '{\\',
    '{\\p1',
    '{\\p1}',
    '\\',
    '\\N',
    '&',
    '&amp;',
    '"',
    "'",
    '(',
    ')',
    '[',
    ']',
    '[{',
    '{"',
    ',',
  ],
  ...[
    ' ',
    '\n',
    '\r\n',
    '\n\n',
    '\t',
    '.',
    ':',
    ';',
    '-',
    '-->',
    '=',
    '?',
    '#',
    '/',
    '//',
    '%',
    '%41',
    '@',
    '*',
    '$',
    '_',
    '0',
    '1',
  ],
  ...[
    'a',
    'A',
    'a ',
    'a. ',
    'é',
    '漢',
    'ไทย',
    'ا',
    '\u0301',
    'a\u0301',
    '\u200b',
    '😀',
    '（',
    '»',
    '♪',
    '00:00:01,000 --> 00:00:02,000\n',
  ],
];

/** A small generator that gives the same numbers in each run. */
function* numbers(seed: number): Generator<number> {
  for (let state = seed; ; ) {
    state = (state * 48_271) % 2_147_483_647;
    yield state;
  }
}

/** Texts for a parser: signs and its own strings repeated, alone and in pairs, behind each head. */
export function shapesFor(heads: readonly string[], own: readonly string[], pairs = 20): Shape[] {
  const units = unique([...signs, ...own]);
  const random = numbers(own.length + 7);
  const one = () => units[(random.next().value ?? 0) % units.length] ?? 'a';
  const mixed = Array.from({ length: pairs }, () => one() + one());
  return heads.flatMap((head) =>
    [...units, ...mixed].map((unit) => ({ head, unit, tail: tails[unit.length % 2] ?? '' })),
  );
}
