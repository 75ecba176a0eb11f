import type { StatedBlock } from './block-times.ts';

/** In seconds. Containers round times by less. */
const ROUNDED = 0.01;

/**
 * Whether a recorder gave packets of sound the times at which they arrived: there are both gaps and overlaps between them, though the sound
 * goes on through all of them. @param blocks Packets that follow one another.
 */
export function isUnsteady(blocks: readonly StatedBlock[]): boolean {
  const steps = blocks.slice(1).map(({ time }, at) => {
    const { time: before, length } = blocks[at] ?? { time, length: 0 };
    return time - before - length;
  });
  return steps.some((step) => step > ROUNDED) && steps.some((step) => step < -ROUNDED);
}
