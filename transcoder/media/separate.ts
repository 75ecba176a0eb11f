import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { TaskFailure } from '../failure.ts';
import type { Separate } from '../ffmpeg/step.ts';
import type { MediaContext } from './context.ts';

/** Channels that differ by less than this share of their power are the same: 60 dB. */
const SAME = 1e-6;

interface Conditions {
  /** The job's. */
  directory: string;
  signal?: AbortSignal | undefined;
  onProgress: (fraction: number) => void;
}

/** Throws `source_not_stereo` where both channels are the same, and what the engine throws. */
export async function separateSound(
  { engines }: MediaContext,
  { from, file, source }: Separate,
  { directory, signal, onProgress }: Conditions,
): Promise<void> {
  if (!engines) throw new Error('a separation without engines');
  const asked = { from: join(directory, from), voice: null, music: join(directory, file) };
  const { apart } = await engines.part(asked, { signal, onProgress });
  if (apart < SAME) {
    throw new TaskFailure(
      'source_not_stereo',
      'Both channels are the same: no voice can be taken off them.',
      {
        sourceIndex: source,
      },
    );
  }
  await rm(join(directory, from));
}
