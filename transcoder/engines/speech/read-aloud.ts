import { goesOn } from '../../model/abbreviations.ts';
import { beforeNoun } from './counted-nouns.ts';

/**
 * Text as it is read aloud: numbers, amounts, units, dates and initials in words. Our engines differ in what they read, and Kokoro leaves
 * out symbols. Numbers are spelled by n2words; ICU (CLDR) names units, currencies and months, and knows their order.
 */

interface Speller {
  cardinal: (value: string) => string;
  ordinal: (value: string) => string;
  /** In the currency of the speller's country. */
  amount: (value: string) => string;
}

interface Reader extends Speller {
  /** BCP 47. */
  locale: string;
  language: string;
  /** The speller's. */
  currency: string;
  group: string;
  decimal: string;
  /** In dates of digits alone. */
  monthFirst: boolean;
}

/** Spellings that we take from n2words; the first of a language is also that of countries that are not listed. */
const spellings = (
  'cs-CZ da-DK de-DE el-GR en-US en-GB en-AU en-CA en-NZ es-ES es-MX es-US fi-FI fr-FR hi-IN hr-HR hu-HU id-ID it-IT lt-LT lv-LV nb-NO nl-NL pl-PL pt-PT ro-RO ' +
  'ru-RU sv-SE tr-TR uk-UA vi-VN'
).split(' ');
/** Their numbers are spelled in another way, which n2words does not have. */
const unspelled = ['pt-BR'];

/** Latin American Spanish has the marks of the Spanish of the United States, and `$` is a dollar in more of its countries than a peso. */
const alike: Readonly<Record<string, string>> = { 'es-419': 'es-US' };

function pairOf(pair: string): [string, string] {
  const [key = '', value = ''] = pair.split(' ');
  return [key, value];
}

/** By country; the others have the euro. */
const currencies = new Map(
  'US USD,GB GBP,AU AUD,CA CAD,NZ NZD,MX MXN,IN INR,CZ CZK,DK DKK,HU HUF,ID IDR,NO NOK,PL PLN,RO RON,RU RUB,SE SEK,TR TRY,UA UAH,VN VND'
    .split(',')
    .map(pairOf),
);
const symbols = new Map('$ USD,£ GBP,€ EUR,¥ JPY,₹ INR'.split(',').map(pairOf));
/** Currencies that are written with the sign of the dollar at home. */
const dollars = ['USD', 'AUD', 'CAD', 'NZD', 'MXN'];

/** ICU's names. Left out are letters that are words or other units as well, such as `in`, `h` and `s`. */
const units = new Map(
  (
    '% percent,°C celsius,°F fahrenheit,° degree,km/h kilometer-per-hour,km kilometer,m meter,cm centimeter,mm millimeter,kg kilogram,' +
    'g gram,l liter,ml milliliter,KB kilobyte,kB kilobyte,MB megabyte,GB gigabyte,TB terabyte,ms millisecond,min minute'
  )
    .split(',')
    .map(pairOf),
);
/** Some of them are words of other languages, such as `mi` of Italian. */
const englishUnits = new Map([
  ...units,
  ...'mph mile-per-hour,mi mile,ft foot,lb pound,lbs pound,oz ounce'.split(',').map(pairOf),
]);
const unitsOf = (language: string) => (language === 'en' ? englishUnits : units);

/** Numbers written as words behind the digits, with which an amount keeps its sign: $5 million. Of English, then of other languages. */
const scaleWords = [
  'thousand|million|billion|trillion',
  'million|millions|milliard|milliards|Millionen|Milliarde|Milliarden|millioner|milliarder|miljoen|miljard|miljon|miljoner|miljarder|miljoona|' +
    'miljoonaa|miljardi|miljardia|millón|millones|milione|milioni|miliardo|miliardi|milhão|milhões|milion|miliony|milionów|milionů|miliard|' +
    'miliardy|miliardów|miliard|milioane|miliarde|milijun|milijuna|milijarda|milijardi|milijarde|milijonas|milijonai|milijonų|milyon|milyar|' +
    'juta|miliar|triệu|tỷ|millió|milliárd|εκατομμύρια|миллион|миллиона|миллионов|миллиард|миллиарда|миллиардов|мільйон|мільйона|мільйонів|мільярд|мільярда|мільярдів',
] as const;
/** What stands between such a word and what is counted. */
const scaleLinks: Readonly<Record<string, string>> = {
  es: ' de',
  pt: ' de',
  fr: ' de',
  it: ' di',
  ro: ' de',
};

/** Larger numbers are read digit by digit, as are those that begin with a zero. */
const MOST_DIGITS = 15;

const NUMBER = String.raw`(?:\d{1,3}(?: \d{3})+(?:,\d+)?|\d+(?:[.,\u00a0\u202f]\d+)*)`;
/** Digits inside words, versions and addresses are left to the engine. */
const BEFORE = String.raw`(?<![\p{L}\p{N}$£€¥₹]|[\p{L}\p{N}][.,:/–-])`;
const AFTER = String.raw`(?![\p{L}\p{N}'’]|[.,:/–-][$£€¥₹]?\d)`;

/** What is written in signs, with these units. */
function signsWith(known: ReadonlyMap<string, string>, scales: string): RegExp {
  // The longest first: `km/h` before `km`.
  const unit = [...known.keys()].sort((one, other) => other.length - one.length).join('|');
  const scale = scales.replaceAll(
    /(?<=^|\|)\p{L}/gu,
    (first) => `[${first.toLowerCase()}${first.toUpperCase()}]`,
  );
  const forms = [
    `${BEFORE}(?<year>\\d{4})-(?<month>\\d\\d)-(?<day>\\d\\d)${AFTER}`,
    `${BEFORE}(?<first>\\d{1,2})(?<mark>[./])(?<second>\\d{1,2})\\k<mark>(?<of>\\d{4})${AFTER}`,
    `${BEFORE}(?<hour>\\d{1,2}):(?<minute>\\d\\d)(?<half>\\s?(?:[ap]\\.?m|[AP]\\.?M))?(?<clock>\\s?Uhr\\b)?${AFTER}`,
    `${BEFORE}(?<rank>\\d{1,15})(?:st|nd|rd|th)${AFTER}`,
    `${BEFORE}(?<minus>[-−])?(?<prefix>[$£€¥₹%])?(?:(?<=[$£€¥₹])[ \\u00a0\\u202f])?(?<number>${NUMBER})(?:\\s?(?<unit>${unit}|[$£€¥₹]))?${AFTER}(?<scale> (?:${scale})(?![\\p{L}\\p{N}]))?(?<point>\\.(?= \\p{L}))?`,
    String.raw`(?<![\p{L}\p{N}])(?<initials>(?:\p{Lu}\.){2,})`,
  ];
  return new RegExp(forms.join('|'), 'gu');
}

export const WRITTEN = {
  english: signsWith(englishUnits, scaleWords[0]),
  others: signsWith(units, scaleWords[1]),
};

/**
 * How text of a language is read, word for word. Text of a language that n2words cannot spell stays as it is, and so does what is written in
 * another way than the language's, such as 3,50 in English.
 * @param language BCP 47
 */
export async function aloudIn(language: string): Promise<(text: string) => string> {
  const reader = await readerOf(language);
  if (!reader) return (text) => text;
  const signs = reader.language === 'en' ? WRITTEN.english : WRITTEN.others;
  return (text) =>
    text.replace(signs, (written, ...rest) => {
      const [offset, , found] = rest.slice(-3) as [number, string, Found];
      const end = offset + written.length;
      const around = {
        before: text.slice(Math.max(0, offset - 8), offset),
        after: text.slice(end, end + 32),
      };
      return read(reader, found, around) ?? written;
    });
}

type Name =
  | 'year'
  | 'month'
  | 'day'
  | 'first'
  | 'mark'
  | 'second'
  | 'of'
  | 'hour'
  | 'minute'
  | 'half'
  | 'clock'
  | 'rank'
  | 'minus'
  | 'prefix'
  | 'number'
  | 'unit'
  | 'scale'
  | 'point'
  | 'initials';
type Found = Partial<Record<Name, string | undefined>>;

/** Null for what is written in another way than this language's. */
function read(reader: Reader, found: Found, { before, after }: Around): string | null {
  if (found.initials !== undefined) return found.initials.replaceAll('.', ' ').trim();
  if (found.rank !== undefined) return reader.language === 'en' ? ordinalOf(reader, found.rank) : null;
  if (found.hour !== undefined) return timeOf(reader, found);
  if (found.year !== undefined) return dateOf(reader, found, before);
  if (found.of !== undefined) {
    const [day, month] = reader.monthFirst ? [found.second, found.first] : [found.first, found.second];
    return dateOf(reader, { year: found.of, month, day }, before);
  }
  const { point = '', minus, prefix, unit, scale } = found;
  const isBare = [minus, prefix, unit, scale].every((each) => each === undefined);
  if (point !== '' && isBare && reader.language !== 'en' && isDigits(found.number ?? '')) {
    // Engines know an ordinal by its point, except eSpeak in German.
    if (reader.language !== 'de' && /^ \p{Ll}/u.test(after)) return null;
    if (reader.language === 'de' && goesOn(`${before}${found.number}.`, after.trimStart()))
      return germanOrdinal(reader, found.number ?? '', before);
  }
  const said = quantityOf(reader, found);
  return said === null ? null : `${said}${point}`;
}

/** Text next to what is read. */
interface Around {
  before: string;
  after: string;
}

/** In the form that follows the article before it; without one, that of a date. */
function germanOrdinal(reader: Reader, digits: string, before: string): string {
  const ending = /\b(?:der|die|das) $/i.test(before)
    ? ''
    : /\b(?:den|dem|des|am|vom|zum|zur|beim|im) $/i.test(before)
      ? 'n'
      : 'r';
  return `${ordinalOf(reader, digits)}${ending}`;
}

function quantityOf(reader: Reader, { minus, prefix, number = '', unit, scale = '' }: Found): string | null {
  const plain = plainNumber(reader, number);
  if (plain === null) return null;
  const value = minus === undefined ? plain : `-${plain}`;
  if (isListed(plain) && plain !== value.replace(/\..*/, '')) return null;
  const sign = prefix ?? unit ?? '';
  const currency = sign === '$' && dollars.includes(reader.currency) ? reader.currency : symbols.get(sign);
  if (currency !== undefined) {
    if (prefix !== undefined && unit !== undefined) return null;
    if (currency === reader.currency) {
      const cents = value.split('.')[1]?.length ?? 0;
      if (scale === '' && cents <= 2) return reader.amount(value);
      // What two of it are called, without the two.
      return scaled(reader, value, scale, reader.amount('2').slice(reader.cardinal('2').length));
    }
    if (scale !== '') return scaled(reader, value, scale, ` ${nameOf(reader, currency)}`);
    return measured(reader, value, { style: 'currency', currency, currencyDisplay: 'name' });
  }
  // Turkish puts the sign first.
  if (prefix === '%' && (unit !== undefined || reader.language !== 'tr')) return null;
  const name = unitsOf(reader.language).get(prefix ?? unit ?? '');
  if (name !== undefined)
    return `${measured(reader, value, { style: 'unit', unit: name, unitDisplay: 'long' })}${scale}`;
  if (minus === undefined && number === plain && isDigits(plain))
    return `${yearOrCount(reader, plain)}${scale}`;
  return `${counted(reader, value)}${scale}`;
}

/** As n2words takes it; null if the language puts other marks between digits. */
function plainNumber({ locale, group, decimal }: Reader, written: string): string | null {
  const [whole = '', fraction, ...more] = written.replaceAll(/[ \u202f]/g, '\u00a0').split(decimal);
  const digits = whole.replaceAll(group, '');
  if (more.length > 0 || !isDigits(digits) || !isDigits(fraction ?? '0')) return null;
  if (digits !== whole) {
    const grouped = new Intl.NumberFormat(locale, { useGrouping: 'always' }).format(BigInt(digits));
    if (grouped.replaceAll('\u202f', '\u00a0') !== whole) return null;
  }
  return fraction === undefined ? digits : `${digits}.${fraction}`;
}

const isDigits = (text: string) => /^\d+$/.test(text);

/** Where decimals are read digit by digit, the word before them. */
const points: Readonly<Record<string, string>> = { en: 'point', de: 'Komma' };

/** Whether it is no quantity, but digits in a row: they have neither a sign nor decimals. */
const isListed = (plain: string) => /^0\d/.test(plain) || (plain.split('.')[0] ?? '').length > MOST_DIGITS;

function counted(reader: Reader, value: string): string {
  const [digits = '', fraction] = value.replace('-', '').split('.');
  const point = points[reader.language];
  if (isListed(value)) return oneByOne(reader, digits);
  if (fraction === undefined || point === undefined) return reader.cardinal(value);
  const minus = value.startsWith('-') ? 'minus ' : '';
  return `${minus}${reader.cardinal(digits)} ${point} ${oneByOne(reader, fraction)}`;
}

const oneByOne = (reader: Reader, digits: string) =>
  Array.from(digits, (digit) => reader.cardinal(digit)).join(' ');

/** @param name With the space before it. */
function scaled(reader: Reader, value: string, scale: string, name: string): string {
  const link = reader.language === 'fr' && /^ [aeiou]/.test(name) ? ' d’' : scaleLinks[reader.language];
  const named = link === undefined ? name : link.endsWith('’') ? `${link}${name.trim()}` : `${link}${name}`;
  return `${counted(reader, value)}${scale}${named}`;
}

/** What many of a currency are called. */
const nameOf = ({ locale }: Reader, currency: string) =>
  new Intl.NumberFormat(locale, { style: 'currency', currency, currencyDisplay: 'name' })
    .formatToParts(1e6)
    .find(({ type, value }) => type === 'currency' && /\p{L}/u.test(value))?.value ?? '';

/** A number with the name of what it counts, which ICU puts in its form and place. */
function measured(reader: Reader, value: string, options: Intl.NumberFormatOptions): string {
  const fraction = value.split('.')[1]?.length ?? 0;
  const format = new Intl.NumberFormat(reader.locale, {
    ...options,
    ...{ minimumFractionDigits: Math.min(fraction, 15), maximumFractionDigits: Math.min(fraction, 15) },
  });
  const number = counted(reader, value);
  const noun = options.unit ?? options.currency ?? '';
  const words = fraction > 0 ? number : beforeNoun(reader.language, number, noun);
  let said = false;
  return format
    .formatToParts(Number(value))
    .map(({ type, value: part }) => {
      // Turkish has the sign as well as the name.
      if (type === 'currency' && !/\p{L}/u.test(part)) return '';
      if (type === 'literal' || type === 'unit' || type === 'currency' || type === 'percentSign') return part;
      if (said) return '';
      said = true;
      return words;
    })
    .join('');
}

function ordinalOf(reader: Reader, digits: string): string {
  return Number(digits) === 0 ? counted(reader, digits) : reader.ordinal(digits);
}

/** Years in English and, until 1999, in German are read as hundreds; so may be other numbers of four digits. */
function yearOrCount(reader: Reader, digits: string): string {
  const value = Number(digits);
  const [century, rest] = [`${Math.floor(value / 100)}`, value % 100];
  if (digits.length !== 4 || value < 1100 || value >= 2100) return counted(reader, digits);
  if (reader.language === 'de' && value < 2000)
    return `${reader.cardinal(century)}hundert${rest === 0 ? '' : reader.cardinal(`${rest}`)}`;
  if (reader.language !== 'en' || (value >= 2000 && value < 2010)) return counted(reader, digits);
  if (rest === 0) return `${reader.cardinal(century)} hundred`;
  return `${reader.cardinal(century)} ${rest < 10 ? 'oh ' : ''}${reader.cardinal(`${rest}`)}`;
}

/** Languages that read the day as they read other numbers, or as an ordinal whose form we know. */
const dated = ['de', 'en', 'es', 'fr', 'id', 'it', 'nl', 'pt'];

/** @param before What precedes it. */
function dateOf(reader: Reader, { year = '', month = '', day = '' }: Found, before: string): string | null {
  const date = new Date(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}T00:00:00Z`);
  // JavaScript takes the 31st of February for a day in March.
  const exists = !Number.isNaN(date.getTime()) && date.getUTCDate() === Number(day);
  if (!exists || !dated.includes(reader.language)) return null;
  const format = new Intl.DateTimeFormat(reader.locale, { dateStyle: 'long', timeZone: 'UTC' });
  return format
    .formatToParts(date)
    .map(({ type, value }) => {
      if (type === 'day') return dayOf(reader, `${Number(day)}`, before);
      if (type === 'year') return yearOrCount(reader, year);
      return reader.language === 'de' && type === 'literal' ? value.replace('.', '') : value;
    })
    .join('');
}

function dayOf(reader: Reader, day: string, before: string): string {
  if (reader.language === 'en') return reader.ordinal(day);
  if (reader.language === 'de')
    return `${reader.ordinal(day)}${/\b(?:am|vom|zum|dem|den) $/i.test(before) ? 'n' : 'r'}`;
  if (reader.language === 'fr' && day === '1') return reader.ordinal(day);
  return reader.cardinal(day);
}

function timeOf(reader: Reader, { hour = '', minute = '', half = '', clock = '' }: Found): string | null {
  const [whole, past] = [Number(hour), Number(minute)];
  if (whole > 24 || past > 59) return null;
  const minutes =
    past === 0 ? '' : ` ${reader.language === 'en' && past < 10 ? 'oh ' : ''}${reader.cardinal(`${past}`)}`;
  const after = half === '' || /^\s/.test(half) ? half : ` ${half}`;
  const said = reader.language === 'de' ? '' : clock;
  return `${hourOf(reader, whole, minutes === '' && half === '')}${minutes}${after}${said}`;
}

function hourOf(reader: Reader, hour: number, isFull: boolean): string {
  const spoken = reader.cardinal(`${hour}`);
  if (reader.language === 'en') return isFull ? `${spoken} o'clock` : spoken;
  if (reader.language === 'de') return `${beforeNoun('de', spoken, 'hour')} Uhr`;
  if (reader.language === 'fr') return `${spoken.replace(/\bun$/, 'une')} ${hour < 2 ? 'heure' : 'heures'}`;
  return spoken;
}

/** Spanish number words are short before their noun, which n2words leaves out before `euros`. */
const amountIn = (language: string, words: string) =>
  language === 'es'
    ? words.replace(/\bveintiuno (?=euros)/, 'veintiún ').replace(/\buno (?=euros)/, 'un ')
    : words;

const readers = new Map<string, Promise<Reader | null>>();

function readerOf(language: string): Promise<Reader | null> {
  const known = readers.get(language);
  if (known) return known;
  const reader = loaded(language);
  readers.set(language, reader);
  return reader;
}

async function loaded(tag: string): Promise<Reader | null> {
  const [language = ''] = tag.split('-');
  const locale = [tag, alike[tag] ?? tag, ...spellings].find(
    (one) => spellings.includes(one) && one.startsWith(`${language}-`),
  );
  if (locale === undefined || unspelled.includes(tag)) return null;
  const { toCardinal, toOrdinal, toCurrency } = (await import(
    `n2words/${locale}`
  )) as typeof import('n2words/en-US');
  // Hyphens are syllables to some engines and nothing to others.
  const spaced = (words: string) => words.replaceAll('-', ' ');
  const parts = new Intl.NumberFormat(locale).formatToParts(1_234_567.8);
  const markOf = (type: 'group' | 'decimal') =>
    (parts.find((part) => part.type === type)?.value ?? '').replaceAll('\u202f', '\u00a0');
  return {
    ...{ locale, language, group: markOf('group'), decimal: markOf('decimal') },
    monthFirst: new Intl.DateTimeFormat(locale).formatToParts(0)[0]?.type === 'month',
    currency: currencies.get(locale.split('-')[1] ?? '') ?? 'EUR',
    cardinal: (value) => spaced(toCardinal(value)),
    ordinal: (value) => spaced(toOrdinal(value)),
    amount: (value) => amountIn(language, spaced(toCurrency(value))),
  };
}
