import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type EngineId, type EngineUsed, engineUsedOf } from '../../../schema/media/engines.ts';
import { measured } from '../../engines/engine-speeds.ts';
import type { Separate } from '../../model/steps.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { MediaContext } from '../execute/media-context.ts';
import { separateBySpleeter } from './spleeter.ts';
import type { StepRunner } from './step-runner.ts';

interface Conditions {
  /** The job's directory. */
  directory: string;
  signal?: AbortSignal | undefined;
  onProgress: (fraction: number) => void;
}

/**
 * Writes the stems with the first engine that works, and deletes their input. Throws `source_not_stereo` if both channels have
 * the same sound and the engine needs a stereo difference, and whatever the engine throws.
 */
async function separateSound(
  ctx: MediaContext,
  step: Separate,
  conditions: Conditions,
): Promise<Record<string, EngineUsed | null>> {
  const [engine, ...others] = step.engines;
  if (!engine) throw new Error('no separation engine is left');
  let apart: boolean;
  try {
    const work = () => separateBy(ctx, engine, step, conditions);
    apart = await measured(ctx.engines, engine, () => step.seconds, work);
  } catch (error) {
    const next = error instanceof TaskFailure && error.code === 'engine_unavailable' && others.length > 0;
    if (!next) throw error;
    ctx.log.warn('separation falls back to the next engine', { engine, error });
    return separateSound(ctx, { ...step, engines: others }, conditions);
  }
  await rm(join(conditions.directory, step.from));
  return { [step.as]: apart ? engineUsedOf(engine) : null };
}

/** @returns false if there was nothing to separate. */
async function separateBy(
  { engines, programs }: MediaContext,
  engine: EngineId,
  { from, sampleRate, vocals, music, source, alike }: Separate,
  { directory, signal, onProgress }: Conditions,
): Promise<boolean> {
  if (!engines) throw new Error('separation needs engines');
  if (engine === 'spleeter') {
    const named = { from, sampleRate, vocals: vocals ?? 'spleeter-unheard.raw', music };
    await separateBySpleeter({ engines, programs, directory, ...named, signal, onProgress });
    return true;
  }
  const at = (file: string | null) => file && join(directory, file);
  const asked = {
    ...{ from: join(directory, from), search: alike === 'all voice' },
    ...{ voice: at(vocals), music: at(music) },
  };
  const { apart } = await engines.part(asked, { signal, onProgress });
  if (apart || asked.search) return apart;
  throw new TaskFailure(
    'source_not_stereo',
    'Both channels have the same sound, or one of them has none, so the voice cannot be separated by its position. Give a stereo source.',
    { sourceIndex: source },
  );
}

export const separate: StepRunner<Separate> = {
  weight: ({ seconds }) => seconds / 10,
  reads: ({ from }) => [from],
  writes: ({ vocals, music }) => [vocals, music].filter((file) => file !== null),
  run: separateSound,
};
