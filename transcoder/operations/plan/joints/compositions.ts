import type { ComposedName } from '../../../../schema/media/transitions.ts';
import { glitch } from './glitch.ts';
import type { Composition } from './joint.ts';
import { flash, lightLeak } from './light.ts';
import { spin } from './spin.ts';
import { whip } from './whip.ts';
import { zoomBlur } from './zoom-blur.ts';

/** How each composed transition is drawn. */
export const compositions: Record<ComposedName, Composition> = {
  glitch,
  whipleft: whip('left'),
  whipright: whip('right'),
  whipup: whip('up'),
  whipdown: whip('down'),
  spin: spin(1),
  spinccw: spin(-1),
  zoomblurin: zoomBlur('in'),
  zoomblurout: zoomBlur('out'),
  flash,
  lightleak: lightLeak,
};
