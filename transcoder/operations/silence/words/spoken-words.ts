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

/** @param bare In small letters, without punctuation. @param inEnglish See `isEnglish`. */
export const isFiller = (bare: string, inEnglish: boolean): boolean =>
  hesitations.has(bare) || (inEnglish && englishHesitations.has(bare));

/** Whether speakers mean a word that they say twice. @param language BCP 47; null if unknown. */
export const isMeantTwice = (bare: string, language: string | null): boolean =>
  meantTwice.has(bare) || (meantTwiceIn[language?.split('-')[0]?.toLowerCase() ?? '']?.has(bare) ?? false);

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
