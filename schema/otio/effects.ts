import { isNode, type Node, own, type Reading } from './reading.ts';
import type { Path } from './timeline.ts';
import { isUnset } from './unset-effects.ts';

/** Slowest and fastest rate at which a clip is played. */
const [SLOWEST, FASTEST] = [0.1, 16];
/** Rates this close to 1 are 1: an hour differs by less than a sample, and only what plays at 1 is copied. */
export const SAME_SPEED = 1e-9;

/**
 * The rate at which a clip is played: the product of its time warps; 0 for a freeze, null if it cannot be played so.
 * @param frames Of its range. A program that plays whole frames reaches a rate only nearly, and exceeds the fastest one with few.
 */
export function rateOf(reading: Reading, clip: Node, path: Path, frames: number | undefined): number | null {
  let rate: number | null = 1;
  for (const [index, effect] of reading.list(clip, 'effects', path).entries()) {
    const at = [...path, 'effects', index];
    const scalar = scalarOf(reading, effect, at);
    rate = rate === null || scalar === null ? null : rate * scalar;
  }
  if (rate !== null && Math.abs(rate - 1) < SAME_SPEED) return 1;
  const fastest = frames === undefined ? FASTEST : FASTEST * (1 + 0.5 / Math.max(1, frames));
  if (rate === null || rate === 0 || (rate >= SLOWEST && rate <= fastest)) return rate;
  const why = rate < 0 ? 'plays backwards, which `/speed` does' : `has a rate of ${rate}`;
  return reading.refuse(
    [...path, 'effects'],
    `${why}. A clip plays at 0 (a freeze) or at ${SLOWEST} to ${FASTEST}.`,
  );
}

/** What time warps divide the length of a clip by, whatever its other effects are. */
export function warpOf(clip: Node): number {
  const effects = own(clip, 'effects');
  return (Array.isArray(effects) ? effects : []).reduce<number>((product, effect) => {
    if (!isNode(effect) || own(effect, 'enabled') === false) return product;
    const scalar = own(effect, 'OTIO_SCHEMA') === 'LinearTimeWarp.1' ? own(effect, 'time_scalar') : 1;
    return typeof scalar === 'number' && Number.isFinite(scalar) ? product * Math.abs(scalar) : product;
  }, 1);
}

function scalarOf(reading: Reading, effect: unknown, path: Path): number | null {
  const schema = reading.schemaOf(effect, path);
  if (schema === null || !isNode(effect)) return null;
  if (own(effect, 'enabled') === false) return 1;
  if (schema === 'FreezeFrame.1') return 0;
  if (schema === 'LinearTimeWarp.1') {
    const scalar = own(effect, 'time_scalar');
    if (typeof scalar === 'number' && Number.isFinite(scalar)) return scalar;
    return reading.refuse([...path, 'time_scalar'], 'must be a number');
  }
  if (schema === 'Effect.1' && isUnset(effect)) return 1;
  const name = reading.text(effect, 'effect_name') ?? reading.text(effect, 'name');
  const what = name === null ? `\`${schema}\`` : `\`${schema}\` (${name.slice(0, 60)})`;
  return reading.refuse(
    path,
    `${what} is not supported; of effects, \`LinearTimeWarp.1\` and \`FreezeFrame.1\` are.`,
  );
}
