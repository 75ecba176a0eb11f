import { isNumber } from './number-words.ts';

const list = (text: string) => new Set(text.trim().split(/\s+/));

/** Sounds of hesitation in several languages, in small letters. */
const hesitations = list('uhm uh uhh erm mm mmm mhm hm hmm hmmm umm äh ähm öh öhm hmpf euh ehm');
/** In other languages these are words: German `er` and `um`, Portuguese `um`, Danish and Dutch `er`. */
const englishHesitations = list('um er err');

/** Doubles that speakers mean. */
const meantTwice = list(
  'had that very really so no yes yeah ha bye knock many much more never always again well now now-now long far',
);
/** By language: `nous nous levons`, `die, die das sagen`. */
const meantTwiceIn: Readonly<Record<string, ReadonlySet<string>>> = {
  de: list('die der das den sehr ja nein'),
  fr: list('nous vous très oui non'),
  es: list('muy sí'),
  it: list('molto sì'),
  da: list('to ni ti'),
  nb: list('to ni ti'),
  no: list('to ni ti'),
};

/** The most frequent words of English that are none in the languages below. */
const english = list("the and of you that this with what they it's i'm my");
/** The same of German, Dutch, the Nordic languages, Portuguese and others in which `er`, `um` or `err` are words. */
const others = list(
  'und das ich nicht ist ein eine zu mit auf wir sie dass auch es weiß het een van ik niet dat maar voor og det jeg ikke på av som til han är och att inte vi não uma que para eu mas por tenho',
);

/**
 * Whether words are English as far as is known: without a language, unless they have more words of others.
 * @param bare In small letters, without punctuation. @param language BCP 47; null if unknown.
 */
export function isEnglish(language: string | null, bare: readonly string[]): boolean {
  if (language !== null) return /^en\b/i.test(language);
  const count = (known: ReadonlySet<string>) => bare.filter((word) => known.has(word)).length;
  return count(english) >= count(others);
}

/** Hesitations that are units as well: millimeters, and hectometers or, in German, meters of height. */
const units = list('mm hm');

/**
 * Which words are hesitations. Units after a number are none, as in `5 mm`, nor are abbreviations in capitals, as in `HM Treasury` and `the ER`.
 * @param texts As they are written. @param bare The same in small letters, without punctuation. @param language BCP 47; null if unknown.
 */
export function areFillers(
  texts: readonly string[],
  bare: readonly string[],
  language: string | null,
): boolean[] {
  const inEnglish = isEnglish(language, bare);
  const inCapitals = areInCapitals(texts);
  return bare.map((word, index) => {
    if (!hesitations.has(word) && !(inEnglish && englishHesitations.has(word))) return false;
    if (!inCapitals && isInCapitals(texts[index] ?? '')) return false;
    return !(units.has(word) && isNumber(bare[index - 1] ?? '') && !isSetOff(texts[index - 1] ?? ''));
  });
}

const isInCapitals = (text: string) => /\p{Lu}.*\p{Lu}/u.test(text) && !/\p{Ll}/u.test(text);

/** Whether a text is written in capitals, as captions of television are: no less than half of its words. */
function areInCapitals(texts: readonly string[]): boolean {
  const cased = texts.filter((text) => /\p{L}.*\p{L}/u.test(text) && /[\p{Lu}\p{Ll}]/u.test(text));
  return 2 * cased.filter(isInCapitals).length >= cased.length;
}

/** Whether punctuation stands between a word and the next one. */
const isSetOff = (text: string) => /[^\p{L}\p{M}\p{N}]$/u.test(text);

/** Whether speakers mean words that they say twice: numbers, and one word. @param language BCP 47; null if unknown. */
export function areMeantTwice(bare: readonly string[], language: string | null): boolean {
  if (bare.every(isNumber)) return true;
  const [first = '', ...others] = bare;
  const own = meantTwiceIn[language?.split('-')[0]?.toLowerCase() ?? ''];
  return others.every((word) => word === first) && (meantTwice.has(first) || (own?.has(first) ?? false));
}

const stems = [
  /^(?:mother)?fuck/,
  /^(?:bull|horse)?shit(?:s|ty|ting|head|heads)?$/,
  /^bitch(?:es|y)?$/,
  /^(?:ass|arse)holes?$/,
  /^(?:dumb|jack)ass(?:es)?$/,
  /^cunts?$/,
  /^cocksuck/,
  /^bastards?$/,
  /^god(?:damn|dammit)/,
  /^wank(?:er|ers|ing)?$/,
  /^twats?$/,
  /^pricks?$/,
  /^sluts?$/,
  /^whores?$/,
  /^pussy$/,
  /^dickheads?$/,
  /^piss(?:ed|ing|es)?$/,
  /^crap(?:py)?$/,
  /^(?:damn(?:ed|it)?|dammit)$/,
];

/** Verbs and the genitive, as in `shit's`. */
const ending = /'(?:s|d|ll|ve|re)$/;

/** @param bare In small letters, without punctuation. */
export function isProfane(bare: string): boolean {
  const word = bare.replace(ending, '');
  return stems.some((stem) => stem.test(word));
}
