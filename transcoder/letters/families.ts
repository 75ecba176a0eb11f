import { han, hangul, kana } from '../model/letters.ts';

/** Scripts with a font family of their own. */
const families: [RegExp, string][] = [
  [/\p{scx=Hira}|\p{scx=Kana}/u, 'Noto Sans CJK JP'],
  [/\p{sc=Hangul}/u, 'Noto Sans CJK KR'],
  [/\p{sc=Arab}/u, 'Noto Sans Arabic'],
  [/\p{sc=Hebr}/u, 'Noto Sans Hebrew'],
  [/\p{sc=Deva}/u, 'Noto Sans Devanagari'],
  [/\p{sc=Beng}/u, 'Noto Sans Bengali'],
  [/\p{sc=Taml}/u, 'Noto Sans Tamil'],
  [/\p{sc=Telu}/u, 'Noto Sans Telugu'],
  [/\p{sc=Gujr}/u, 'Noto Sans Gujarati'],
  [/\p{sc=Guru}/u, 'Noto Sans Gurmukhi'],
  [/\p{sc=Knda}/u, 'Noto Sans Kannada'],
  [/\p{sc=Mlym}/u, 'Noto Sans Malayalam'],
  [/\p{sc=Orya}/u, 'Noto Sans Oriya'],
  [/\p{sc=Sinh}/u, 'Noto Sans Sinhala'],
  [/\p{sc=Thai}/u, 'Noto Sans Thai'],
  [/\p{sc=Khmr}/u, 'Noto Sans Khmer'],
  [/\p{sc=Laoo}/u, 'Noto Sans Lao'],
  [/\p{sc=Mymr}/u, 'Noto Sans Myanmar'],
  [/\p{sc=Tibt}/u, 'Noto Serif Tibetan'],
  [/\p{sc=Ethi}/u, 'Noto Sans Ethiopic'],
  [/\p{sc=Geor}/u, 'Noto Sans Georgian'],
  [/\p{sc=Armn}/u, 'Noto Sans Armenian'],
  [/\p{sc=Syrc}/u, 'Noto Sans Syriac'],
  [/\p{sc=Thaa}/u, 'Noto Sans Thaana'],
  [/\p{sc=Cher}/u, 'Noto Sans Cherokee'],
  [/\p{sc=Cans}/u, 'Noto Sans Canadian Aboriginal'],
  [/\p{sc=Mong}/u, 'Noto Sans Mongolian'],
];

const hanOrKanaMark = /[\u3000-\u303F\uFF01-\uFF60]/u;
const traditional = /^zh-(tw|hk|mo|hant)/i;

/** Families that have letters of many scripts, in the order in which they are tried. */
export const fallbacks = [
  ...['Noto Sans', 'DejaVu Sans', 'Noto Sans Symbols', 'Noto Sans Symbols2', 'Noto Sans Math', 'Noto Music'],
  ...['Noto Sans CJK SC', 'Noto Sans CJK JP'],
];

/** The family of a letter's script; null if it is Latin, Greek or Cyrillic, or belongs to no script. @param ofHan See `hanFamily`. */
export function familyOfScript(letter: string, ofHan: string): string | null {
  if (/^[ -~]*$/.test(letter)) return null;
  if (han.test(letter) || hanOrKanaMark.test(letter)) return ofHan;
  return families.find(([script]) => script.test(letter))?.[1] ?? null;
}

/** The family for Han characters of a text: Japanese, Korean and traditional Chinese have forms of their own. */
export function hanFamily(text: string, language: string | null): string {
  if (language?.startsWith('ja') || kana.test(text)) return 'Noto Sans CJK JP';
  if (language?.startsWith('ko') || hangul.test(text)) return 'Noto Sans CJK KR';
  return language && traditional.test(language) ? 'Noto Sans CJK TC' : 'Noto Sans CJK SC';
}

/** How much larger or smaller than the em of the Latin letters around it a family looks equally large. */
const optical: Record<string, number> = {
  ...{ 'Noto Sans Arabic': 1.15, 'Noto Sans Hebrew': 1.05, 'Noto Sans Thai': 1.1, 'Noto Sans Lao': 1.05 },
  ...{
    'Noto Sans CJK JP': 0.94,
    'Noto Sans CJK KR': 0.94,
    'Noto Sans CJK SC': 0.94,
    'Noto Sans CJK TC': 0.94,
  },
};

export const opticalSize = (family: string) => optical[family] ?? 1;
