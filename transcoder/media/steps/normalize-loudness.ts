import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { gainArguments, PEAK_DB, rawLoudnessArguments } from '../../ffmpeg/level.ts';
import { parseLoudness } from '../../ffmpeg/loudness-meter.ts';
import { run } from '../../ffmpeg/run.ts';
import type { Loudness } from '../../model/plan.ts';
import type { Level } from '../../model/steps.ts';
import type { MediaContext } from '../execute/media-context.ts';
import type { StepRunner } from './step-runner.ts';

/** Accepted deviation from the target loudness, in LU. */
const NEAR = 0.2;
/** Limiting peaks also lowers the loudness, therefore the gain is corrected in several rounds. */
const MOST_ROUNDS = 4;

/** What a level step adds to the operation's report. */
interface Leveled {
  gain_db: number;
  loudness_lufs: number | null;
  true_peak_db: number | null;
}

interface Conditions {
  /** The job's directory. */
  directory: string;
  signal?: AbortSignal | undefined;
}

/** Writes the levelled sound and deletes its input. Throws TaskFailure, or the reason of `signal`. */
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

/** Without a target loudness, the gain only prevents clipping. */
function gainOf(lufs: number | null, { integrated, truePeak }: Loudness): number {
  return lufs === null ? Math.min(0, PEAK_DB - truePeak) : lufs - integrated;
}

const decimals = (value: number) => Math.round(value * 100) / 100;

export const level: StepRunner<Level> = {
  reads: ({ from }) => [from],
  writes: ({ file }) => [file],
  run: levelSound,
};
