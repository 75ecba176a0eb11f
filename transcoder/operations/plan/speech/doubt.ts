import type { EngineId } from '../../../../schema/media/engines.ts';
import type { Heard } from '../../../model/plan.ts';

interface Doubt {
  /** Words of a lower confidence are doubtful. */
  below: number;
  /** Share of doubtful words from which on a result is uncertain. */
  share: number;
}

/**
 * The confidence of PocketSphinx is a posterior probability: on recordings of people, the share of words below 0.5 is close to the
 * share of wrong words, 0.2 to 0.4 for clear readings.
 */
const doubts: Partial<Record<EngineId, Doubt>> = { pocketsphinx: { below: 0.5, share: 0.4 } };
/** Models that punctuate are rarely unsure of a clear word. */
const usual: Doubt = { below: 0.5, share: 0.2 };

/** Share of the words that the engine is unsure of, among the words that have a confidence. */
export function doubtful({ engine, words }: Pick<Heard, 'engine' | 'words'>): number {
  const { below } = doubts[engine] ?? usual;
  const known = words.flatMap(({ confidence }) => confidence ?? []);
  return known.filter((value) => value < below).length / Math.max(1, known.length);
}

/** Whether enough words are doubtful that the text should be checked. */
export const uncertain = (heard: Pick<Heard, 'engine' | 'words'>): boolean =>
  doubtful(heard) >= (doubts[heard.engine] ?? usual).share;
