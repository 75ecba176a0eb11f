import type { Chain, Filter } from '../../../model/steps.ts';
import { eased, progress, speed, stepped } from './curves.ts';
import type { Composition } from './joint.ts';
import { smearChains } from './mix.ts';

/** Widths that the camera pans: over the clip, its mirror image, the mirror image of the next clip, to that one. */
const TRAVEL = 3;
/** Longest motion blur, as a share of the width. */
const LONGEST = 0.35;
const STAGES = 6;
const SAMPLES = 2 ** STAGES - 1;

export type Heading = 'left' | 'right' | 'up' | 'down';

/** A fast pan with motion blur in its direction. The pictures move towards `heading`. */
export function whip(heading: Heading): Composition {
  const across = heading === 'left' || heading === 'right';
  const ahead = heading === 'left' || heading === 'up';
  return (joint) => {
    const { frames, size } = joint;
    const side = across ? size.width : size.height;
    const even = (share: number) => 2 * Math.ceil((side * share) / 2);
    const longest = even(LONGEST);
    const p = progress(joint);
    const blur = `min(${Math.max(0, longest - 2 * STAGES)},${(side * TRAVEL) / frames}*${speed(p)})`;
    const shift = (stage: number) => stepped(`${blur}*${2 ** stage / SAMPLES}`, 2);
    const path = `${side * TRAVEL}*${ahead ? eased(p) : `(1-${eased(p)})`}`;
    /** A part of the picture along the pan. */
    const cut = (length: string | number, from: string | number): Filter => ({
      name: 'crop',
      options: across ? { w: length, h: 'ih', x: from, y: 0 } : { w: 'iw', h: length, x: 0, y: from },
    });
    const along = across ? 'iw' : 'ih';
    const [one, two] = ahead ? ['a1', 'b1'] : ['b1', 'a1'];
    const mirror: Filter = { name: across ? 'hflip' : 'vflip' };
    /** How much narrower the picture is after a stage: the longest shift. */
    const lost = (stage: number) => 2 * Math.ceil((longest * 2 ** stage) / SAMPLES / 2);
    const margin = Array.from({ length: STAGES }, (_, stage) => lost(stage)).reduce(
      (sum, more) => sum + more,
    );
    const strip: Chain[] = [
      { from: [one], filters: [{ name: 'split' }], to: ['one', 'one0'] },
      { from: ['one0'], filters: [mirror], to: ['one1'] },
      { from: [two], filters: [{ name: 'split' }], to: ['two', 'two0'] },
      { from: ['two0'], filters: [mirror, { name: 'split' }], to: ['two1', 'two2'] },
      { from: ['two2'], filters: [cut(margin, 0)], to: ['two3'] },
      {
        from: ['one', 'one1', 'two1', 'two', 'two3'],
        filters: [
          { name: across ? 'hstack' : 'vstack', options: { inputs: 5 } },
          cut(side + margin, `max(0,${path}-${blur}/2)`),
        ],
        to: ['strip'],
      },
    ];
    return [
      ...strip,
      ...smearChains(
        { from: 'strip', to: 'v' },
        STAGES,
        (stage) => [cut(`${along}-${lost(stage)}`, shift(stage))],
        (stage) => [cut(`${along}-${lost(stage)}`, 0)],
      ),
    ];
  };
}
