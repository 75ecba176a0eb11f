const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** Letters with their marks, and whatever else cannot be divided. */
export const graphemes = (text: string): string[] =>
  Array.from(segmenter.segment(text), ({ segment }) => segment);
