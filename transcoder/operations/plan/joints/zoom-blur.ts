import type { Chain, Filter } from '../../../model/steps.ts';
import type { Size } from '../geometry.ts';
import { eased, progress, ramp, speed, stepped } from './curves.ts';
import { type Composition, type JointPicture, scaled } from './joint.ts';
import { mirrored, mirroredSize } from './mirrored.ts';
import { mixChains, smearChains } from './mix.ts';

/** How much larger the one clip becomes, and from how much smaller the other comes. */
const NEAR = 2;
const FAR = 0.6;
/** Longest motion blur: how much its last picture is enlarged. */
const LONGEST = 0.4;
const STAGES = 5;
const SAMPLES = 2 ** STAGES - 1;
/** The pictures cross here; outside of it one of them is not seen. */
const CROSSING = { from: 0.3, to: 0.7 };

/** A camera move towards or away from the center with motion blur, through one clip into the next. */
export function zoomBlur(direction: 'in' | 'out'): Composition {
  return (joint) => {
    const { frames, size } = joint;
    const p = progress(joint);
    const [gone, left] = direction === 'in' ? [eased(p), `(1-${eased(p)})`] : [`(1-${eased(p)})`, eased(p)];
    const nearLabel = direction === 'in' ? 'a1' : 'b1';
    const farLabel = direction === 'in' ? 'b1' : 'a1';
    const canvas = mirroredSize(size, { width: size.width / FAR, height: size.height / FAR });
    const blur = `min(${LONGEST},${(Math.log(NEAR / FAR) / frames) * 2}*${speed(p)})`;
    /** Logarithmic, as a camera that moves steadily sees it. The blur enlarges by half its length. */
    const near = `(pow(${NEAR},${gone}*${seen(p, 'a1' === nearLabel)})/(1+${blur}/2))`;
    const far = `(pow(${FAR},${left}*${seen(p, 'a1' === farLabel)})/(1+${blur}/2))`;
    const chains: Chain[] = [
      { from: [nearLabel], filters: zoomed(joint, size, near), to: ['near'] },
      {
        from: [farLabel],
        filters: [
          ...mirrored(size, { width: size.width / FAR, height: size.height / FAR }),
          ...zoomed(joint, canvas, far),
        ],
        to: ['far'],
      },
    ];
    const order: [string, string] = direction === 'in' ? ['near', 'far'] : ['far', 'near'];
    return [
      ...chains,
      ...mixChains(joint, ramp(progress(joint, 'T'), CROSSING.from, CROSSING.to), order, 'mixed'),
      ...smearChains({ from: 'mixed', to: 'v' }, STAGES, (stage) =>
        zoomed(joint, size, `(1+${blur}*${2 ** stage / SAMPLES})`),
      ),
    ];
  };
}

/** 1 while a clip is visible, otherwise 0: invisible pictures need not be enlarged. */
const seen = (p: string, first: boolean) =>
  first ? `lte(${p},${CROSSING.to})` : `gte(${p},${CROSSING.from})`;

/** The middle of an enlarged or reduced picture, `to` in size. Sides change by whole chroma samples at both ends. */
function zoomed(joint: JointPicture, of: Size, factor: string): Filter[] {
  const to = joint.size;
  const side = (own: number, target: number) => {
    const most = stepped(`${own}*${factor}-${target}`, 4);
    return `(${target}+max(0,${most}))`;
  };
  const [w, h] = [side(of.width, to.width), side(of.height, to.height)];
  const middle: Filter = {
    name: 'crop',
    options: { w: to.width, h: to.height, x: `(${w}-${to.width})/2`, y: `(${h}-${to.height})/2` },
  };
  return scaled(joint, { w, h, eval: 'frame', flags: 'bilinear' }, [middle]);
}
