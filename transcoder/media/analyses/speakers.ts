import { rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { measured } from '../../engines/engine-speeds.ts';
import type { SpeakersAnalysis, SpeakersHeard } from '../../model/plan.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { MediaContext } from '../execute/media-context.ts';
import type { Analyzer } from './analyzer.ts';
import { decodeSpeech, SPEECH_RATE } from './decode-speech.ts';

const FLOATS = 'speakers.raw';
/** Seconds of the longest piece that is heard at once: its sound takes 20 MB, and up to three copies of it are made. */
const LONGEST = 300;

/**
 * Finds who speaks when. Throws `engine_unavailable` and `engine_failed` if the request depends on it; otherwise the speakers are
 * then unknown.
 */
export const speakers: Analyzer<SpeakersAnalysis> = async (ctx, analysis, { source, probe }, conditions) => {
  const { directory, signal } = conditions;
  const sound = join(directory, FLOATS);
  try {
    await decodeSpeech(ctx, analysis.stream, { source, probe, directory, signal }, FLOATS);
    return { speakers: await heardIn(ctx, analysis, sound, signal) };
  } catch (error) {
    signal?.throwIfAborted();
    if (analysis.needed || !(error instanceof TaskFailure)) throw error;
    ctx.log.warn('speakers are not distinguished', { error });
    return { speakers: null };
  } finally {
    await rm(sound, { force: true });
  }
};

async function heardIn(
  { engines }: MediaContext,
  { engine, count }: SpeakersAnalysis,
  file: string,
  signal: AbortSignal | undefined,
): Promise<SpeakersHeard> {
  if (!engines) throw new Error('telling speakers apart needs engines');
  const samples = Math.floor((await stat(file)).size / Float32Array.BYTES_PER_ELEMENT);
  if (samples === 0) return { engine, turns: [] };
  const { segmentation = '', embedding = '' } = engines.modelOf(engine);
  const request = {
    model: { segmentation, embedding },
    sound: { file, sampleRate: SPEECH_RATE },
    ...{ pieces: piecesOf(samples), count },
  };
  const seconds = () => samples / SPEECH_RATE;
  const work = () => engines.diarize(engine, request, { signal });
  return { engine, turns: (await measured(engines, engine, seconds, work)).turns };
}

/** Divides a sound evenly: voices cannot be distinguished in a short rest. */
function piecesOf(samples: number): { at: number; samples: number }[] {
  const size = Math.ceil(samples / Math.ceil(samples / (LONGEST * SPEECH_RATE)));
  return Array.from({ length: Math.ceil(samples / size) }, (_, index) => ({
    at: index * size,
    samples: Math.min(size, samples - index * size),
  }));
}
