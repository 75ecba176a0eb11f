import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { samplesArguments } from '../../ffmpeg/inspect.ts';
import { run } from '../../ffmpeg/run.ts';
import type { Analysis } from '../../model/plan.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { Voice } from '../../model/voice.ts';
import type { MediaContext } from '../execute/media-context.ts';
import type { Analyzer } from './analyzer.ts';
import { decodeMono } from './decode-mono.ts';

const SAMPLES = 'voice16.raw';
const FOUND = 'voice.f32';
const STALL_SECONDS = 60;
const format = { sample_fmts: 's16', sample_rates: 16_000, channel_layouts: 'mono' };

/**
 * Where there is a voice in a sound file of the job's directory (16 kHz, mono, 16 bits); null if no engine can tell. Throws the
 * reason of `signal`.
 */
export async function voiceIn(
  { engines, log }: MediaContext,
  sound: string,
  directory: string,
  signal: AbortSignal | undefined,
): Promise<Voice | null> {
  if (!engines?.present.has('silero_vad')) return null;
  const to = join(directory, FOUND);
  try {
    await engines.voiceActivity({ sound: join(directory, sound), to }, { signal });
    const bytes = await readFile(to);
    return { probability: new Float32Array(Uint8Array.from(bytes).buffer) };
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof TaskFailure)) throw error;
    log.warn('voices are not detected', { error });
    return null;
  } finally {
    await rm(to, { force: true });
  }
}

export const voice: Analyzer<Extract<Analysis, { kind: 'voice' }>> = async (
  ctx,
  { stream },
  { source, probe },
  { directory, signal },
) => {
  const audio = probe.streams.find(({ index }) => index === stream)?.audio;
  if (!audio) throw new Error(`stream ${stream} has no audio to detect voices in`);
  if (!ctx.engines?.present.has('silero_vad')) return { voice: null };
  const file = await source.whole();
  const to = join(directory, SAMPLES);
  try {
    await decodeMono(ctx, { audio, source, to, samples: Int16Array, signal }, async (chosen) => {
      const filters = [...chosen, { name: 'aformat', options: format }];
      const args = samplesArguments(file, audio, probe.origin, filters, SAMPLES);
      await run(ctx.programs, 'ffmpeg', args, {
        ...{ cwd: directory, reads: [file.path], signal, stallSeconds: STALL_SECONDS },
        onProgress: () => {},
      });
    });
    return { voice: await voiceIn(ctx, SAMPLES, directory, signal) };
  } finally {
    await rm(to, { force: true });
  }
};
