const list = (text: string) => new Set(text.trim().split(/\s+/));

/** Sounds of hesitation in several languages, in small letters. */
export const fillers = list('um umm uhm uh uhh er err erm mm mmm mhm hm hmm hmmm äh ähm öh öhm hmpf euh ehm');

/** Doubles that speakers mean. */
export const meantTwice = list(
  'had that very really so no yes yeah ha bye knock many much more never always again well now now-now long far',
);

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
  /^damn(?:ed|it)?$/,
];

/** @param bare In small letters, without punctuation. */
export const isProfane = (bare: string): boolean => stems.some((stem) => stem.test(bare));
