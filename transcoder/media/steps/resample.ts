import { type Raw, resampleArguments } from '../../ffmpeg/resample.ts';
import { type Programs, run } from '../../ffmpeg/run.ts';

interface Conditions {
  programs: Programs;
  /** The job's, in which the files are. */
  directory: string;
  signal?: AbortSignal | undefined;
}

/** Writes raw sound at another rate, of exactly so many samples. Throws as `run` does. */
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
