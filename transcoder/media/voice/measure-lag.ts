import { join } from 'node:path';
import { MOST_DRIFT_MS } from '../../../schema/operations/redub-vc.ts';
import { readFloats, writeFloats } from '../../engines/hosts/floats.ts';
import { stretch } from '../../engines/speech/stretch.ts';
import { trimSilence } from '../../engines/speech/wave.ts';
import { greatest } from '../../model/numbers/min-max.ts';
import { TaskFailure } from '../../model/task-failure.ts';
import type { Conversion } from './conversion.ts';

/** If the durations differ by more than this factor, the result is not a conversion of the original. */
const MOST_STRETCH = 1.25;

/** Seconds of leading silence that a conversion may add or remove. */
const REACH = 0.4;

interface Passages {
  /** Raw files at the result's rate. */
  wanted: string;
  found: string;
  /** Length of the wanted passage. */
  samples: number;
}

/** Aligns a converted passage with its original: shifts it, and stretches it if a shift is not enough. */
export async function alignToOriginal(
  conversion: Conversion,
  { wanted, found, samples }: Passages,
): Promise<Float32Array> {
  const { directory } = conversion;
  const made = await readFloats(join(directory, found));
  const lag = await lagOf(conversion, wanted, made);
  if (lag !== null) {
    const moved = movedBy(made, lag, samples);
    const off = await worstOf(conversion, wanted, moved);
    if (off !== null && off * 1000 <= MOST_DRIFT_MS / 2) return moved;
  }
  return stretched(conversion, { wanted, made, samples });
}

/** Stretches the audible part to the start and length of the original. */
async function stretched(
  conversion: Conversion,
  { wanted, made, samples }: { wanted: string; made: Float32Array<ArrayBuffer>; samples: number },
): Promise<Float32Array> {
  const { programs, directory, step, signal } = conversion;
  const { sampleRate } = step;
  const before = await readFloats(join(directory, wanted));
  const own = trimSilence({ samples: before, sampleRate });
  const other = trimSilence({ samples: made, sampleRate });
  const ratio = other.samples.length / Math.max(1, own.samples.length);
  if (ratio > MOST_STRETCH || ratio < 1 / MOST_STRETCH) {
    throw new TaskFailure('engine_failed', 'The converted voice does not follow the timing of the speech.');
  }
  await writeFloats(join(directory, 'stretch.raw'), other.samples);
  const asked = {
    from: 'stretch.raw',
    file: 'stretched.raw',
    sampleRate,
    channels: 1,
    samples: own.samples.length,
  };
  await stretch({ programs }, { kind: 'stretch', ...asked }, { directory, signal });
  const result = new Float32Array(samples);
  result.set(
    (await readFloats(join(directory, 'stretched.raw'))).subarray(0, samples - own.start),
    own.start,
  );
  const lag = await lagOf(conversion, wanted, result);
  return lag === null ? result : movedBy(result, lag, samples);
}

function movedBy(made: Float32Array, lag: number, samples: number): Float32Array {
  const result = new Float32Array(samples);
  const kept = made.subarray(Math.max(0, lag), Math.max(0, lag) + samples);
  const at = Math.max(0, -lag);
  result.set(kept.subarray(0, Math.max(0, samples - at)), at);
  return result;
}

/** Median lag of the sound against a file, in samples; null if it cannot be measured. */
async function lagOf(conversion: Conversion, wanted: string, made: Float32Array): Promise<number | null> {
  const lags = (await lagsOf(conversion, wanted, made)).toSorted((a, b) => a - b);
  const middle = lags[Math.floor(lags.length / 2)];
  return middle === undefined ? null : Math.round(middle * conversion.step.sampleRate);
}

async function worstOf(conversion: Conversion, wanted: string, made: Float32Array): Promise<number | null> {
  const lags = await lagsOf(conversion, wanted, made);
  return lags.length === 0 ? null : greatest(lags.map(Math.abs));
}

async function lagsOf(
  { engines, directory, step, signal }: Conversion,
  wanted: string,
  made: Float32Array,
): Promise<number[]> {
  const [file, other] = [join(directory, 'lag.raw'), join(directory, wanted)];
  const { length } = await readFloats(other);
  const filled = new Float32Array(Math.max(length, made.length));
  filled.set(made);
  await writeFloats(file, filled);
  const passages = [{ at: 0, samples: length }];
  const { lags } = await engines.compare(
    { found: file, wanted: other, sampleRate: step.sampleRate, passages, reach: REACH },
    { signal },
  );
  return lags.flat();
}
