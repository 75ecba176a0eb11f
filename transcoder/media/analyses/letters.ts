import { openBroughtFont } from '../../letters/fonts/brought-letters.ts';
import { type LoadedLetters, loadLetters } from '../../letters/load-letters.ts';
import type { BroughtLetters, Letters } from '../../model/letters.ts';
import type { MediaContext } from '../execute/media-context.ts';
import type { AnalysisConditions } from './analyzer.ts';

let loaded: Promise<LoadedLetters> | undefined;

/** The fonts of this machine, loaded by the first task that draws text; with the font of the caller if there is one. */
export async function lettersOf(
  { programs }: MediaContext,
  { brought }: { brought: boolean },
  { directory, signal }: AnalysisConditions,
): Promise<Letters | BroughtLetters> {
  const { letters, fonts } = await loadedOnce(programs);
  if (!brought) return letters;
  return openBroughtFont({ letters, fonts, directory, sandbox: programs.sandbox, signal });
}

async function loadedOnce(programs: MediaContext['programs']): Promise<LoadedLetters> {
  loaded ??= loadLetters(programs);
  try {
    return await loaded;
  } catch (error) {
    loaded = undefined;
    throw error;
  }
}
