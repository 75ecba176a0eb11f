import { type Raw, resampleArguments } from '../../ffmpeg/resample.ts';
import { type Programs, run } from '../../ffmpeg/run.ts';

interface Conditions {
  programs: Programs;
  /** The job's directory, which holds the files. */
  directory: string;
  signal?: AbortSignal | undefined;
}

/** Resamples raw sound to an exact number of samples. Throws as `run` does. */
export async function resampled(
  { programs, directory, signal }: Conditions,
  from: Raw,
  to: Raw,
  channels: number,
  samples: number,
): Promise<void> {
  const args = resampleArguments(from, to, channels, samples);
  await run(programs, 'ffmpeg', args, { cwd: directory, signal, onProgress: () => {}, stallSeconds: 60 });
}
