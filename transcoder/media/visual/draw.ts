import type { Scene } from '../../model/visual-scene.ts';
import { Glow } from './glow.ts';
import { Mask } from './mask.ts';
import type { Sound } from './sound.ts';
import { styles } from './styles/index.ts';

/** Picture size at which a fine line is one pixel wide: the size of a flat style at 720p. */
const FINE = 620;

/** Draws the frames of a scene in order, reusing one mask: one byte per pixel, 255 at full color. */
export function drawer(scene: Scene, sound: Sound): (frame: number) => Uint8Array {
  const mask = new Mask(scene.width, scene.height);
  const { margin, sampleRate, opacity } = scene;
  const box = {
    x: margin,
    y: margin,
    width: scene.width - 2 * margin,
    height: scene.height - 2 * margin,
  };
  const [numerator, denominator] = scene.rate;
  const frame = denominator / numerator;
  const endOf = (index: number) => Math.round((index + 1) * frame * sampleRate);
  const unit = Math.sqrt(box.width * box.height) / FINE;
  const style = styles[scene.style]({ mask, scene, sound, box, unit, frame, endOf });
  const glow = new Glow(mask, style.glow.reach, style.glow.strength);
  const dimmed = Uint8Array.from({ length: 256 }, (_, value) => Math.round(value * opacity));
  return (index) => {
    mask.clear();
    style.draw(index);
    glow.apply(mask);
    if (opacity < 1) {
      for (let at = 0; at < mask.pixels.length; at++) mask.pixels[at] = dimmed[mask.pixels[at] ?? 0] ?? 0;
    }
    return mask.pixels;
  };
}
