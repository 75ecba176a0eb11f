import { open } from 'node:fs/promises';
import { type SoundPiece, WINDOWS_PER_SECOND, withContext } from '../pieces.ts';
import { wave16 } from '../wave.ts';
import type { Transcript } from './transcript.ts';

/** Transcribes a WAVE file of this many seconds. */
export type Transcribe = (
  wave: Buffer<ArrayBuffer>,
  seconds: number,
  signal?: AbortSignal,
) => Promise<Transcript>;

interface Sending {
  /** A file of mono 16-bit samples. */
  sound: string;
  sampleRate: number;
  signal?: AbortSignal | undefined;
}

/** Requests at a time. The first is alone: it shows what the provider understands. */
const AT_A_TIME = 3;

/** Transcribes the speech of a file in pieces; times count from the start of the file. Throws as `transcribe` does. */
export async function transcribePieces(
  pieces: readonly SoundPiece[],
  transcribe: Transcribe,
  { sound, sampleRate, signal }: Sending,
): Promise<Transcript> {
  const [first, ...rest] = withContext(pieces);
  if (!first) return { words: [], guesses: [], language: null };
  const file = await open(sound);
  try {
    const one = async ({ from, to }: SoundPiece, either: AbortSignal | undefined): Promise<Transcript> => {
      const window = sampleRate / WINDOWS_PER_SECOND;
      const samples = Buffer.alloc((to - from) * window * 2);
      const { bytesRead } = await file.read(samples, 0, samples.length, from * window * 2);
      const heard = samples.subarray(0, bytesRead - (bytesRead % 2));
      const seconds = heard.length / 2 / sampleRate;
      return moved(await transcribe(wave16(heard, sampleRate), seconds, either), from / WINDOWS_PER_SECOND);
    };
    const all = [await one(first, signal), ...(await pooled(rest, one, signal))];
    return joined(all);
  } finally {
    await file.close();
  }
}

/** Runs `work` for a few items at a time. The first failure ends the others and is thrown once they have ended. */
async function pooled<I, O>(
  items: readonly I[],
  work: (item: I, signal: AbortSignal) => Promise<O>,
  signal: AbortSignal | undefined,
): Promise<O[]> {
  const failed = new AbortController();
  const either = signal ? AbortSignal.any([signal, failed.signal]) : failed.signal;
  const results: O[] = [];
  const left = items.entries();
  const lane = async () => {
    for (const [index, item] of left) {
      if (failed.signal.aborted) return;
      try {
        results[index] = await work(item, either);
      } catch (error) {
        failed.abort(error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, lane));
  failed.signal.throwIfAborted();
  return results;
}

function moved({ words, guesses, language }: Transcript, by: number): Transcript {
  const later = <T extends { start: number; end: number }>(span: T): T => ({
    ...span,
    start: span.start + by,
    end: span.end + by,
  });
  return { words: words.map(later), guesses: guesses.map(later), language };
}

function joined(transcripts: readonly Transcript[]): Transcript {
  const whole: Transcript = { words: [], guesses: [], language: null };
  for (const { words, guesses, language } of transcripts) {
    const before = whole.words.length;
    for (const guess of guesses)
      whole.guesses.push({ ...guess, from: guess.from + before, to: guess.to + before });
    for (const word of words) whole.words.push(word);
    if (words.length > 0) whole.language ??= language;
  }
  return whole;
}
