interface SpokenLanguage {
  /** ISO 639 code. */
  language: string;
  region: string | undefined;
}

/** Says what a language looks like in a request. */
export const wrongLanguage = 'must be a BCP 47 language tag such as `en` or `pt-BR`';

const cantonese: readonly (string | undefined)[] = ['HK', 'MO'];

/**
 * Spoken language of a BCP 47 tag. Replaces old codes (`iw`, `in`, `nor`), maps Norwegian to Bokmål, and Chinese to Mandarin or, in
 * Hong Kong and Macau, Cantonese. Undefined if the text is not a tag.
 */
export function spokenLanguage(tag: string): SpokenLanguage | undefined {
  try {
    // Intl does not know extended subtags, deprecated by RFC 5646, section 4.5.
    const { language, region } = new Intl.Locale(tag.replace(/^zh-(?=[a-z]{3}\b)/i, ''));
    if (language === 'no') return { language: 'nb', region };
    if (language !== 'zh') return { language, region };
    return { language: cantonese.includes(region) ? 'yue' : 'cmn', region };
  } catch {
    return undefined;
  }
}
