import { PICTURE_BYTES, type Pictures } from './decode.ts';

/** How far on either side of the wanted frame another one is looked for. */
const REACH = 3;
/** Another frame is the better match if its mean square error is less than this share of that of the wanted one… */
const BETTER = 0.6;
/** …and by more than the noise of an encoder, in grey levels squared. */
const NOISE = 1.5;
/** Mean square error at 22 dB: below that it is another picture. */
const OTHER_PICTURE = 410;

/** A frame of an output and the frame of the source that it has to show. */
export interface Pair {
  shown: number;
  wanted: number;
}

/** Every pair that shows another frame, in words. `graded`: colours may have been changed, so that only the order of frames is judged. */
export function mismatches(
  output: Pick<Pictures, 'bytes'>,
  source: Pick<Pictures, 'bytes'>,
  pairs: readonly Pair[],
  { graded = false }: { graded?: boolean } = {},
): string[] {
  const wrong = pairs.flatMap((pair) => {
    const found = misshown(output.bytes, source.bytes, pair, graded);
    return found === null ? [] : [{ ...pair, found }];
  });
  const [first] = wrong;
  if (!first) return [];
  const shift = first.found === 'other' ? null : first.found - first.wanted;
  const what =
    shift === null
      ? `is not frame ${first.wanted} of the source`
      : `shows frame ${first.wanted + shift} of the source, not ${first.wanted}`;
  return [`${wrong.length} of ${pairs.length} frames are wrong: frame ${first.shown} ${what}`];
}

/** @returns the frame of the source that is shown, null where that is the wanted one. */
function misshown(
  output: Uint8Array,
  source: Uint8Array,
  { shown, wanted }: Pair,
  graded: boolean,
): number | 'other' | null {
  const error = (index: number) => squaredError(output, shown, source, index);
  const own = error(wanted);
  const count = source.length / PICTURE_BYTES;
  let best = wanted;
  let least = own;
  for (let index = Math.max(0, wanted - REACH); index <= Math.min(count - 1, wanted + REACH); index++) {
    const other = error(index);
    if (other >= least) continue;
    best = index;
    least = other;
  }
  if (best !== wanted && least < own * BETTER && own - least > NOISE) return best;
  return own > OTHER_PICTURE && !graded ? 'other' : null;
}

/** Mean square error of two pictures in grey levels squared. */
export function squaredError(left: Uint8Array, n: number, right: Uint8Array, m: number): number {
  let sum = 0;
  for (let at = 0; at < PICTURE_BYTES; at++) {
    const difference = (left[n * PICTURE_BYTES + at] ?? 0) - (right[m * PICTURE_BYTES + at] ?? 0);
    sum += difference * difference;
  }
  return sum / PICTURE_BYTES;
}
