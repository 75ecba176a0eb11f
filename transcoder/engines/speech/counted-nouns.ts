/** What is counted, by ICU's name of the unit or by its currency, has a gender with which the last number word agrees. */
interface Gender {
  nouns: readonly string[];
  words: readonly ((words: string) => string)[];
}

const TIMES = ['minute', 'millisecond'];
const WEIGHTS = ['gram', 'kilogram'];
const POUND = 'GBP';
const RUPEE = 'INR';
const YEN = 'JPY';

const ending = (words: string, word: string, becomes: string) => words.slice(0, -word.length) + becomes;

/** A word that is the whole number. */
const alone = (word: string, becomes: string) => (words: string) =>
  words.replace(/^(?:minus|mínus|meno) /, '') === word ? ending(words, word, becomes) : words;
/** A word that ends longer numbers too. */
const last = (word: string, becomes: string) => (words: string) =>
  words === word || words.endsWith(` ${word}`) ? ending(words, word, becomes) : words;

/** By language: the nouns whose numbers differ from what n2words says. The last entry may have no nouns and then has all others. */
const genders: Readonly<Record<string, readonly Gender[]>> = {
  cs: [
    { nouns: [...TIMES, POUND, RUPEE], words: [last('dva', 'dvě')] },
    { nouns: ['percent', 'EUR'], words: [alone('jedna', 'jedno'), last('dva', 'dvě')] },
    { nouns: [], words: [alone('jedna', 'jeden')] },
  ],
  da: [
    { nouns: [...TIMES, ...WEIGHTS, 'percent', POUND], words: [] },
    { nouns: [], words: [alone('et', 'en')] },
  ],
  de: [
    { nouns: [...TIMES, RUPEE], words: [alone('eins', 'eine')] },
    { nouns: [], words: [alone('eins', 'ein')] },
  ],
  es: [
    { nouns: [POUND, RUPEE], words: [last('veintiuno', 'veintiuna'), last('uno', 'una')] },
    { nouns: [], words: [last('veintiuno', 'veintiún'), last('uno', 'un')] },
  ],
  fr: [{ nouns: [...TIMES, POUND, RUPEE], words: [last('un', 'une')] }],
  hr: [{ nouns: [...TIMES, POUND, RUPEE], words: [last('jedan', 'jedna'), last('dva', 'dvije')] }],
  it: [
    { nouns: [POUND, RUPEE], words: [alone('uno', 'una')] },
    { nouns: [], words: [alone('uno', 'un')] },
  ],
  lt: [
    {
      nouns: [...TIMES, RUPEE, YEN],
      words: [
        ...[last('vienas', 'viena'), last('du', 'dvi')],
        ...['keturi', 'penki', 'šeši', 'septyni', 'aštuoni', 'devyni'].map((word) => last(word, `${word}os`)),
      ],
    },
  ],
  lv: [
    {
      nouns: [...TIMES, POUND, RUPEE, YEN],
      words: [
        last('viens', 'viena'),
        ...['div', 'četr', 'piec', 'seš', 'septiņ', 'astoņ', 'deviņ'].map((stem) =>
          last(`${stem}i`, `${stem}as`),
        ),
      ],
    },
  ],
  nb: [{ nouns: [...TIMES, ...WEIGHTS, POUND], words: [last('en', 'ett')] }],
  pl: [
    { nouns: [...TIMES, RUPEE], words: [alone('jeden', 'jedna'), last('dwa', 'dwie')] },
    { nouns: ['EUR'], words: [alone('jeden', 'jedno')] },
  ],
  pt: [{ nouns: [POUND, RUPEE], words: [last('um', 'uma'), last('dois', 'duas')] }],
  ro: [
    { nouns: ['millisecond', POUND, RUPEE], words: [alone('unu', 'o'), last('doi', 'două')] },
    {
      nouns: ['minute', ...WEIGHTS, 'percent', 'celsius', 'fahrenheit', 'degree'],
      words: [alone('unu', 'un'), last('doi', 'două')],
    },
    { nouns: [], words: [alone('unu', 'un')] },
  ],
  ru: [{ nouns: [...TIMES, RUPEE, YEN], words: [last('один', 'одна'), last('два', 'две')] }],
  sv: [
    { nouns: [...WEIGHTS, POUND], words: [] },
    { nouns: [], words: [last('ett', 'en')] },
  ],
  uk: [{ nouns: [...TIMES, RUPEE, YEN], words: [last('один', 'одна'), last('два', 'дві')] }],
};

/** Number words as they stand before what they count. @param noun A unit of ICU, or a currency. */
export function beforeNoun(language: string, words: string, noun: string): string {
  const gender = genders[language]?.find(({ nouns }) => nouns.length === 0 || nouns.includes(noun));
  return gender?.words.reduce((now, agree) => agree(now), words) ?? words;
}
