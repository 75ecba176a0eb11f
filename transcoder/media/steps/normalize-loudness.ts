import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gainArguments, PEAK_DB, rawLoudnessArguments } from '../../ffmpeg/level.ts';
import { parseLoudness } from '../../ffmpeg/loudness-meter.ts';
import { run } from '../../ffmpeg/run.ts';
import type { Loudness } from '../../model/plan.ts';
import type { Level } from '../../model/steps.ts';
import type { MediaContext } from '../execute/media-context.ts';
import type { StepRunner } from './step-runner.ts';

/** So near is near enough, in LU. */
const NEAR = 0.2;
/** A limiter takes of the loudness what it takes of the peaks, so that the gain is tried again. */
const MOST_ROUNDS = 4;

/** What a level step gives to the report of its operation. */
interface Leveled {
  gain_db: number;
  loudness_lufs: number | null;
  true_peak_db: number | null;
}

interface Conditions {
  /** The job's. */
  directory: string;
  signal?: AbortSignal | undefined;
}

/** Writes the sound at its level and removes what it was made of. Throws TaskFailure, or the reason of `signal`. */
async function levelSound(ctx: MediaContext, step: Level, conditions: Conditions): Promise<Leveled> {
  const { directory, signal } = conditions;
  const ffmpeg = (args: string[]) =>
    run(ctx.programs, 'ffmpeg', args, { cwd: directory, signal, onProgress: () => {}, stallSeconds: 60 });
  const measure = async (file: string): Promise<Loudness | null> =>
    parseLoudness((await ffmpeg(rawLoudnessArguments(file, step))).stderrTail);

  const before = await measure(step.from);
  let gain = before ? gainOf(step.lufs, before) : 0;
  const limited = before !== null && before.truePeak + gain > PEAK_DB;
  await ffmpeg(gainArguments(step, gain, limited));
  let after = before && { integrated: before.integrated + gain, truePeak: before.truePeak + gain };
  for (let round = 1; before && limited; round += 1) {
    after = (await measure(step.file)) ?? before;
    const short = step.lufs === null ? 0 : step.lufs - after.integrated;
    if (Math.abs(short) <= NEAR || round === MOST_ROUNDS) break;
    gain += short;
    await ffmpeg(gainArguments(step, gain, limited));
  }
  await rm(join(directory, step.from));
  return {
    gain_db: decimals(gain),
    loudness_lufs: after && decimals(after.integrated),
    true_peak_db: after && decimals(after.truePeak),
  };
}

/** Without a loudness to be reached it stays as it is, and is only kept from clipping. */
function gainOf(lufs: number | null, { integrated, truePeak }: Loudness): number {
  return lufs === null ? Math.min(0, PEAK_DB - truePeak) : lufs - integrated;
}

const decimals = (value: number) => Math.round(value * 100) / 100;

export const level: StepRunner<Level> = {
  reads: ({ from }) => [from],
  writes: ({ file }) => [file],
  run: levelSound,
};
