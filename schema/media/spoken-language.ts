interface SpokenLanguage {
  /** Of ISO 639, as voices are named by it. */
  language: string;
  region: string | undefined;
}

const cantonese: readonly (string | undefined)[] = ['HK', 'MO'];

/**
 * What is spoken where a tag of BCP 47 is written: old codes by the new ones (`iw`, `in`, `nor`), Norwegian as Bokmål and Chinese as
 * Mandarin, but as Cantonese in Hong Kong and Macau. Undefined where it is no tag.
 */
export function spokenLanguage(tag: string): SpokenLanguage | undefined {
  try {
    // Extended subtags are deprecated (RFC 5646, section 4.5), and Intl knows none.
    const { language, region } = new Intl.Locale(tag.replace(/^zh-(?=[a-z]{3}\b)/i, ''));
    if (language === 'no') return { language: 'nb', region };
    if (language !== 'zh') return { language, region };
    return { language: cantonese.includes(region) ? 'yue' : 'cmn', region };
  } catch {
    return undefined;
  }
}
