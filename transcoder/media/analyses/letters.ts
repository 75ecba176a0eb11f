import { loadLetters } from '../../letters/load-letters.ts';
import type { Letters } from '../../model/letters.ts';
import type { MediaContext } from '../execute/media-context.ts';

let loaded: Promise<Letters> | undefined;

/** The fonts of this machine, loaded by the first task that draws text. */
export async function lettersOf({ programs }: MediaContext): Promise<Letters> {
  loaded ??= loadLetters(programs);
  try {
    return await loaded;
  } catch (error) {
    loaded = undefined;
    throw error;
  }
}
