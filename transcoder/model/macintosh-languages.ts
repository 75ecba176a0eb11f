/** ffmpeg's codes of the Macintosh languages of mov, where they differ from ISO 639-2/T (`ff_mov_iso639_to_lang`). */
const macintosh: Partial<Record<string, string>> = {
  ...{ deu: 'ger', nld: 'dut', zho: 'chi', ell: 'gre', isl: 'ice', ron: 'rum', sqi: 'alb', fas: 'per' },
  ...{
    msa: 'may',
    bod: 'tib',
    mya: 'bur',
    kat: 'geo',
    hye: 'arm',
    eus: 'baq',
    cym: 'wel',
    slk: 'slo',
    ces: 'cze',
  },
};

/** An ISO 639-2/T code as ffmpeg has to be given it for a container. */
export const languageIn = (container: string, language: string): string =>
  container === 'mov' ? (macintosh[language] ?? language) : language;
