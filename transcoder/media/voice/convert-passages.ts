import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { writeFloats } from '../../engines/hosts/floats.ts';
import { readAt, writeAt } from '../steps/raw-audio.ts';
import { resampled } from '../steps/resample.ts';
import type { Conversion, Passage } from './conversion.ts';

/** Fade-in and fade-out of each passage, in seconds. */
const FADE = 0.005;

/**
 * Converts each passage and writes it back at its original sample offset; the gaps stay silent.
 * @param rate Sample rate of the input of `convert`.
 * @param convert Returns a file of raw samples at the result's rate. Missing samples at the end count as silence.
 */
export async function convertPassages(
  conversion: Conversion,
  rate: number,
  convert: (file: string, passage: Passage) => Promise<Float32Array>,
): Promise<void> {
  const { directory, step, heard, onProgress } = conversion;
  const { sampleRate } = step;
  const whole: FileHandle = await open(join(directory, step.file), 'w');
  try {
    for (const [index, passage] of heard.passages.entries()) {
      conversion.signal?.throwIfAborted();
      const { at } = passage;
      const samples = Math.min(passage.samples, step.samples - at);
      await writeFloats(
        join(directory, 'passage.raw'),
        await readAt(join(directory, step.from), at, samples),
      );
      const theirs = { file: 'passage-in.raw', sampleRate: rate };
      const count = Math.round((samples * rate) / sampleRate);
      await resampled(conversion, { file: 'passage.raw', sampleRate }, theirs, 1, count);
      const made = await convert(theirs.file, { at, samples });
      const exact = new Float32Array(samples);
      exact.set(made.subarray(0, samples));
      await writeAt(whole, faded(exact, Math.round(FADE * sampleRate)), at);
      onProgress((index + 1) / heard.passages.length);
    }
    await whole.truncate(step.samples * 4);
  } finally {
    await whole.close();
  }
}

function faded(samples: Float32Array, fade: number): Float32Array {
  return samples.map(
    (value, index) => value * Math.min(1, index / fade, (samples.length - 1 - index) / fade),
  );
}
