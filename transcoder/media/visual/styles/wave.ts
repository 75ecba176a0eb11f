import type { MakeStyle } from '../stage.ts';

/** Seconds of sound across the width. */
const SHOWN = 6;
const TO_COME = 0.32;

export const wave: MakeStyle = ({ mask, scene, sound, box, unit, frame, endOf }) => {
  const slot = SHOWN / scene.bars;
  const samples = Math.max(1, Math.round(slot * scene.sampleRate));
  const [left, right] = [new Float32Array(samples), new Float32Array(samples)];
  const known = new Map<number, number>();
  const gain = 10 ** (scene.gainDb / 20);
  const pitch = box.width / scene.bars;
  const wide = Math.max(1, pitch * 0.56);
  const [middleX, middleY] = [box.x + box.width / 2, box.y + box.height / 2];
  const least = Math.min(wide / 2, 3 * unit);
  const swell = new Float32Array(Math.max(1, Math.round(frame * scene.sampleRate)));
  const other = new Float32Array(swell.length);
  let beat = 0;

  /** Amplitude of the sound in a slot, 0–1. */
  function heightOf(index: number): number {
    const before = known.get(index);
    if (before !== undefined) return before;
    // A slot is rarely a whole number of samples.
    sound.read(Math.round(index * slot * scene.sampleRate), left, right);
    const height = loudness(left, right, gain);
    known.set(index, height);
    known.delete(index - 2 * scene.bars);
    return height;
  }

  return {
    glow: { reach: 22 * unit, strength: 0.4 },
    draw: (at) => {
      sound.read(endOf(at) - swell.length, swell, other);
      const now = loudness(swell, other, gain);
      beat = Math.max(now, beat * Math.exp(-frame / (0.06 + 0.2 * scene.smoothing)));
      const place = (endOf(at) / scene.sampleRate - frame / 2) / slot;
      const reach = Math.ceil(scene.bars / 2) + 1;
      for (let index = Math.floor(place) - reach; index <= place + reach; index++) {
        const x = middleX + (index + 0.5 - place) * pitch;
        if (x < box.x - wide || x > box.x + box.width + wide) continue;
        const away = Math.abs(x - middleX) / (box.width / 2);
        const near = Math.exp(-((away * 9) ** 2));
        const height = heightOf(index) * (0.82 + 0.18 * near * beat) * (1 + 0.2 * near * beat);
        const half = Math.max(least, (Math.min(1, height) * box.height) / 2);
        const played = Math.min(1, Math.max(0, place - index));
        const edge = Math.min(1, Math.max(0, (1 - away) * 7));
        const alpha = (TO_COME + (1 - TO_COME) * played) * edge;
        mask.roundRect(x - wide / 2, middleY - half, x + wide / 2, middleY + half, wide / 2, alpha);
      }
    },
  };
};

/** RMS on a perceptual scale: half the amplitude is not half as loud. */
function loudness(left: Float32Array, right: Float32Array, gain: number): number {
  let sum = 0;
  for (let index = 0; index < left.length; index++) {
    sum += (left[index] ?? 0) ** 2 + (right[index] ?? 0) ** 2;
  }
  const rms = Math.sqrt(sum / (2 * left.length)) * gain;
  return Math.min(1, (rms * 2.4) ** 0.75);
}
