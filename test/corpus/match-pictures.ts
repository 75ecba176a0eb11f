import { PICTURE_BYTES, type Pictures } from './decode.ts';

/** How far on either side of the wanted frame another one is looked for. */
const REACH = 3;
/** Another frame is the better match if its mean square error is less than this share of that of the wanted one… */
const BETTER = 0.6;
/** …and by more than the noise of an encoder, in grey levels squared: of one frame, and on average over all. */
const NOISE = 6;
const MEAN_NOISE = 0.5;
/** A coarse encoder leaves more noise: other frames have to be better by this share of it. */
const OF_NOISE = 0.5;
/** Mean square error at 22 dB: below that it is another picture. */
const OTHER_PICTURE = 410;

/** A frame of an output and the frame of the source that it has to show. */
export interface Pair {
  shown: number;
  wanted: number;
}

/**
 * What is wrong with the frames that are shown, in words. `graded`: colors may have been changed, so that only the order
 * of frames is judged.
 */
export function mismatches(
  output: Pick<Pictures, 'bytes'>,
  source: Pick<Pictures, 'bytes'>,
  pairs: readonly Pair[],
  { graded = false }: { graded?: boolean } = {},
): string[] {
  const errors = pairs.map((pair) => errorsAround(output.bytes, source.bytes, pair));
  const noise = Math.max(NOISE, OF_NOISE * usual(errors.map((around) => Math.min(...around))));
  const wrong = errors.flatMap((around, index) => {
    const found = misshown(around, noise, graded);
    return found === null ? [] : [{ ...(pairs[index] as Pair), found }];
  });
  const [first] = wrong;
  if (!first) return shifted(errors);
  const what =
    first.found === 'other'
      ? `is not frame ${first.wanted} of the source`
      : `shows frame ${first.wanted + first.found} of the source, not ${first.wanted}`;
  return [`${wrong.length} of ${pairs.length} frames are wrong: frame ${first.shown} ${what}`];
}

/** The errors of the frames before, at and after the wanted one; infinite where the source has none. */
function errorsAround(output: Uint8Array, source: Uint8Array, { shown, wanted }: Pair): number[] {
  const count = source.length / PICTURE_BYTES;
  return Array.from({ length: 2 * REACH + 1 }, (_, at) => {
    const index = wanted + at - REACH;
    return index < 0 || index >= count
      ? Number.POSITIVE_INFINITY
      : squaredError(output, shown, source, index);
  });
}

/** @returns how far from the wanted frame the one is that is shown, null where that is the wanted one. */
function misshown(around: readonly number[], noise: number, graded: boolean): number | 'other' | null {
  const own = around[REACH] ?? 0;
  const least = Math.min(...around);
  if (least < own * BETTER && own - least > noise) return around.indexOf(least) - REACH;
  return own > OTHER_PICTURE && !graded ? 'other' : null;
}

const usual = (values: readonly number[]) => values.toSorted((a, b) => a - b)[values.length >> 1] ?? 0;

/** Neighbouring frames of a calm picture differ by less than noise, but all of them together tell. */
function shifted(errors: readonly (readonly number[])[]): string[] {
  const mean = (at: number) => errors.reduce((sum, around) => sum + (around[at] ?? 0), 0) / errors.length;
  const means = Array.from({ length: 2 * REACH + 1 }, (_, at) => mean(at));
  const own = means[REACH] ?? 0;
  const least = Math.min(...means);
  return least < own * BETTER && own - least > MEAN_NOISE
    ? [`all frames are shifted by ${means.indexOf(least) - REACH}`]
    : [];
}

/** Mean square error of two pictures in grey levels squared. */
export function squaredError(left: Uint8Array, n: number, right: Uint8Array, m: number): number {
  // vitest makes a call of each use of an import, which would take most of the time of this loop.
  const size = PICTURE_BYTES;
  const [first, second] = [n * size, m * size];
  let sum = 0;
  for (let at = 0; at < size; at++) {
    const difference = (left[first + at] ?? 0) - (right[second + at] ?? 0);
    sum += difference * difference;
  }
  return sum / size;
}
