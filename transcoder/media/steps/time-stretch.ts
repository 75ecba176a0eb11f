import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readFloats, writeFloats } from '../../engines/hosts/floats.ts';
import { parseWave, waveBytes } from '../../engines/speech/wave.ts';
import { run } from '../../ffmpeg/run.ts';
import type { Stretch } from '../../model/steps.ts';
import type { MediaContext } from '../execute/media-context.ts';
import type { StepRunner } from './step-runner.ts';

/** Samples by which rubberband's output may be longer or shorter than requested. */
const OFF = 1;

interface Conditions {
  /** The job's directory. */
  directory: string;
  signal?: AbortSignal | undefined;
}

/**
 * Uses rubberband's finer (R3) engine, which is sample-accurate; ffmpeg's `rubberband` filter adds a delay.
 * @returns by how many samples the output was off before it was cut or padded.
 */
export async function stretchSpeech(
  { programs }: Pick<MediaContext, 'programs'>,
  { from, file, sampleRate, samples }: Stretch,
  { directory, signal }: Conditions,
): Promise<number> {
  const source = join(directory, 'stretch-from.wav');
  const made = join(directory, 'stretch-to.wav');
  const sound = { samples: await readFloats(join(directory, from)), sampleRate };
  await writeFile(source, waveBytes(sound));
  const seconds = (samples / sampleRate).toFixed(9);
  const args = ['-q', '-3', '-D', seconds, source, made];
  await run(programs, 'rubberband', args, { cwd: directory, signal, timeoutSeconds: 600 });
  const { samples: found } = parseWave(await readFile(made));
  if (Math.abs(found.length - samples) > OFF) {
    throw new Error(`rubberband returned ${found.length} samples, not ${samples}`);
  }
  const exact = new Float32Array(samples);
  exact.set(found.subarray(0, samples));
  await writeFloats(join(directory, file), exact);
  await Promise.all([source, made].map((path) => rm(path)));
  return found.length - samples;
}

export const stretch: StepRunner<Stretch> = {
  reads: ({ from }) => [from],
  writes: ({ file }) => [file],
  run: async (ctx, step, conditions) => {
    await stretchSpeech(ctx, step, conditions);
    return undefined;
  },
};
