import { mixToOne } from '../sound.ts';
import type { MakeStyle } from '../stage.ts';

/** Seconds of sound along the line, and the seconds searched for the rising edge at which it begins. */
const SHOWN = 0.034;
const SEARCHED = 0.016;
/** Alpha of the current line and of the previous ones. */
const TRAIL = [1, 0.34, 0.14];

export const line: MakeStyle = ({ mask, scene, sound, box, unit, endOf }) => {
  const shown = Math.round(SHOWN * scene.sampleRate);
  const searched = Math.round(SEARCHED * scene.sampleRate);
  const [left, right] = [new Float32Array(shown + searched), new Float32Array(shown + searched)];
  const gain = 10 ** (scene.gainDb / 20) * 2.2;
  const soft = Math.max(1, Math.round(2 + 8 * scene.smoothing));
  const count = Math.max(64, Math.round(box.width / (2 * unit)));
  const middle = box.y + box.height / 2;
  const half = box.height / 2 - 4 * unit;
  const trail: Float32Array[] = [];

  function pointsOf(frame: number): Float32Array {
    sound.read(endOf(frame) - left.length, left, right);
    mixToOne(left, right);
    const wave = softened(left, soft);
    const from = risingEdge(wave, searched);
    const points = new Float32Array(2 * (count + 1));
    for (let index = 0; index <= count; index++) {
      const along = index / count;
      const place = from + along * (shown - 1);
      const at = Math.floor(place);
      const a = wave[at] ?? 0;
      const value = a + ((wave[at + 1] ?? a) - a) * (place - at);
      const taper = Math.sin(Math.PI * along) ** 0.8;
      points[2 * index] = box.x + along * box.width;
      points[2 * index + 1] = middle - Math.tanh(value * gain) * taper * half;
    }
    return points;
  }

  return {
    glow: { reach: 30 * unit, strength: 0.75 },
    draw: (at) => {
      trail.unshift(pointsOf(at));
      trail.length = Math.min(trail.length, TRAIL.length);
      for (const [age, points] of trail.entries()) {
        mask.polyline(points, (age === 0 ? 2 : 1.2) * unit, TRAIL[age] ?? 0);
      }
    },
  };
};

/** Moving average over `width` samples; removes detail too fine for a line. */
function softened(samples: Float32Array, width: number): Float32Array {
  const softer = new Float32Array(samples.length);
  let sum = 0;
  for (let index = 0; index < samples.length; index++) {
    sum += (samples[index] ?? 0) - (samples[index - width] ?? 0);
    softer[index] = sum / width;
  }
  return softer;
}

/** The steepest rising zero crossing. Starting there keeps a sustained tone still. */
function risingEdge(wave: Float32Array, searched: number): number {
  let [best, steepest] = [0, 0];
  for (let index = 1; index < searched; index++) {
    const [before, after] = [wave[index - 1] ?? 0, wave[index] ?? 0];
    if (before > 0 || after <= 0 || after - before <= steepest * 1.02) continue;
    [best, steepest] = [index, after - before];
  }
  return best;
}
