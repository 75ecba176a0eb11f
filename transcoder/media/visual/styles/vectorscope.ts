import type { MakeStyle } from '../stage.ts';

/** Interpolated points between two samples; they turn the dots into a line. */
const FINER = 5;
/** Light that is not drawn. */
const FAINT = 0.002;

export const vectorscope: MakeStyle = ({ mask, scene, sound, box, unit, frame, endOf }) => {
  const count = Math.max(1, Math.round(scene.sampleRate * Math.max(frame, 1 / 30)));
  const [left, right] = [new Float32Array(count + 1), new Float32Array(count + 1)];
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const radius = Math.min(box.width, box.height) / 2 - 2 * unit;
  const light = new Float32Array(mask.width * mask.height);
  const fading = Math.exp(-frame / (0.03 + 0.25 * scene.smoothing));
  const gain = 10 ** (scene.gainDb / 20) * 1.1;
  const charge = (1.6 * unit * unit) / FINER;

  /** Adds light at a point, distributed over the four nearest pixels. */
  function shine(px: number, py: number): void {
    const column = Math.floor(px - 0.5);
    const row = Math.floor(py - 0.5);
    if (column < 0 || row < 0 || column + 1 >= mask.width || row + 1 >= mask.height) return;
    const fx = px - 0.5 - column;
    const fy = py - 0.5 - row;
    const at = row * mask.width + column;
    light[at] = (light[at] ?? 0) + charge * (1 - fx) * (1 - fy);
    light[at + 1] = (light[at + 1] ?? 0) + charge * fx * (1 - fy);
    light[at + mask.width] = (light[at + mask.width] ?? 0) + charge * (1 - fx) * fy;
    light[at + mask.width + 1] = (light[at + mask.width + 1] ?? 0) + charge * fx * fy;
  }

  /** Mid (L+R) points up, side (R−L) points sideways; loud sound is compressed into the circle. */
  function placeOf(l: number, r: number): [number, number] {
    const [across, along] = [(r - l) * gain, (l + r) * gain];
    const distance = Math.sqrt(across * across + along * along);
    const bent = distance > 0 ? (Math.tanh(distance) / distance) * radius * 0.94 : 0;
    return [x + across * bent, y - along * bent];
  }

  /** Draws the light and lets it fade until the next frame. */
  function develop(pixels: Uint8Array): void {
    for (let index = 0; index < light.length; index++) {
      const value = light[index] ?? 0;
      if (value === 0) continue;
      if (value > FAINT) pixels[index] = Math.max(pixels[index] ?? 0, (255 * value) / (value + 0.4));
      light[index] = value > FAINT / 100 ? value * fading : 0;
    }
  }

  mask.circle(x, y, radius, 1.5 * unit, 0.3);
  const arm = radius * Math.SQRT1_2;
  mask.capsule(x - arm, y - arm, x + arm, y + arm, 0.5 * unit, 0.13);
  mask.capsule(x - arm, y + arm, x + arm, y - arm, 0.5 * unit, 0.13);
  const scale = mask.pixels.slice();

  return {
    glow: { reach: 18 * unit, strength: 0.9 },
    draw: (at) => {
      mask.pixels.set(scale);
      sound.read(endOf(at) - left.length, left, right);
      let [px, py] = placeOf(left[0] ?? 0, right[0] ?? 0);
      for (let index = 1; index <= count; index++) {
        const [nx, ny] = placeOf(left[index] ?? 0, right[index] ?? 0);
        // A beam that does not move would saturate its pixel.
        if (nx === px && ny === py) continue;
        for (let part = 1; part <= FINER; part++) {
          shine(px + ((nx - px) * part) / FINER, py + ((ny - py) * part) / FINER);
        }
        [px, py] = [nx, ny];
      }
      develop(mask.pixels);
    },
  };
};
