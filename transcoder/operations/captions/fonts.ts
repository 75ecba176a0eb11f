import type { CaptionFont } from '../../../schema/media/caption-presets.ts';

/** Scripts with a font family of their own. It is selected by name to set each caption in a single family. */
const families: [RegExp, string][] = [
  [/[\p{scx=Hira}\p{scx=Kana}]/gu, 'Noto Sans CJK JP'],
  [/\p{sc=Hangul}/gu, 'Noto Sans CJK KR'],
  [/\p{sc=Han}/gu, 'Noto Sans CJK SC'],
  [/\p{sc=Arab}/gu, 'Noto Sans Arabic'],
  [/\p{sc=Hebr}/gu, 'Noto Sans Hebrew'],
  [/\p{sc=Deva}/gu, 'Noto Sans Devanagari'],
  [/\p{sc=Beng}/gu, 'Noto Sans Bengali'],
  [/\p{sc=Taml}/gu, 'Noto Sans Tamil'],
  [/\p{sc=Telu}/gu, 'Noto Sans Telugu'],
  [/\p{sc=Gujr}/gu, 'Noto Sans Gujarati'],
  [/\p{sc=Guru}/gu, 'Noto Sans Gurmukhi'],
  [/\p{sc=Knda}/gu, 'Noto Sans Kannada'],
  [/\p{sc=Mlym}/gu, 'Noto Sans Malayalam'],
  [/\p{sc=Thai}/gu, 'Noto Sans Thai'],
  [/\p{sc=Khmr}/gu, 'Noto Sans Khmer'],
  [/\p{sc=Laoo}/gu, 'Noto Sans Lao'],
  [/\p{sc=Mymr}/gu, 'Noto Sans Myanmar'],
  [/\p{sc=Ethi}/gu, 'Noto Sans Ethiopic'],
  [/\p{sc=Geor}/gu, 'Noto Sans Georgian'],
  [/\p{sc=Armn}/gu, 'Noto Sans Armenian'],
];
const traditional = /^zh-(tw|hk|mo|hant)/i;

/**
 * The family that covers most letters of a text: the requested one, unless the text is in a script that needs another.
 */
export function familyOf(text: string, font: CaptionFont, language: string | null): string {
  const plain = (text.match(/[\p{sc=Latn}\p{sc=Cyrl}\p{sc=Grek}]/gu) ?? []).length;
  const counts = families.map(([script, family]) => ({ family, count: (text.match(script) ?? []).length }));
  const [han, ...others] = [counts.find(({ family }) => family.endsWith('SC')), ...counts];
  // Japanese and Korean also use Han characters, with their own glyph variants.
  const jpOrKr = others.find(({ family, count }) => /(JP|KR)$/.test(family) && count > 0);
  if (han && jpOrKr && han.count > plain) return jpOrKr.family;
  const [most] = counts.sort((a, b) => b.count - a.count);
  if (!most || most.count <= plain) return font;
  if (!most.family.endsWith('SC')) return most.family;
  if (language?.startsWith('ja')) return 'Noto Sans CJK JP';
  return language && traditional.test(language) ? 'Noto Sans CJK TC' : most.family;
}

/** Scale factors that make a family look as large as Latin letters at the same line height. */
const enlarged: Record<string, number> = {
  ...{ 'Noto Sans Arabic': 1.35, 'Noto Sans Hebrew': 1.1, 'Noto Sans Devanagari': 1.2 },
  ...{
    'Noto Sans Bengali': 1.2,
    'Noto Sans Gujarati': 1.2,
    'Noto Sans Gurmukhi': 1.2,
    'Noto Sans Thai': 1.2,
  },
};

export const enlargementOf = (family: string) => enlarged[family] ?? 1;

export function isRightToLeft(text: string): boolean {
  return /[\p{sc=Arab}\p{sc=Hebr}\p{sc=Syrc}\p{sc=Thaa}]/u.test(text);
}
