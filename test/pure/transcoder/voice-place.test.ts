import { expect, test } from 'vitest';
import { voicePlace } from '../../../transcoder/engines/hosts/voice-place.ts';

const RATE = 48_000;

/** Two seconds of sounds at places in degrees: 0 is left, 45 the center. Each has another tone, with overtones, every other moment. */
function placeOf(sounds: readonly { at: number; level: number }[]) {
  const samples = new Float32Array(2 * 2 * RATE);
  for (const [index, { at, level }] of sounds.entries()) {
    const [left, right] = [Math.cos((Math.PI * at) / 180), Math.sin((Math.PI * at) / 180)];
    for (let frame = 0; frame < samples.length / 2; frame++) {
      const turn = (2 * Math.PI * (170 + 90 * index) * frame) / RATE;
      const value = level * (Math.sin(turn) + Math.sin(2 * turn) / 2 + Math.sin(5 * turn) / 3);
      samples[2 * frame] = (samples[2 * frame] ?? 0) + left * value;
      samples[2 * frame + 1] = (samples[2 * frame + 1] ?? 0) + right * value;
    }
  }
  const places = voicePlace();
  places.add(samples);
  return places.found();
}

const music = [
  { at: 10, level: 0.01 },
  { at: 80, level: 0.01 },
];

test.each([
  ['the center', 45, 45],
  ['the center, nearly', 45.4, 45],
  ['the left channel', 0, 0],
  ['6 dB off the center', 26.6, 27],
  ['2 dB off the center', 38, 38],
  ['3.7 dB off the center', 33, 33],
  ['4 dB off the center, on the right', 58, 58],
  ['both channels with opposite polarity', 135, 135],
])('a voice over quieter music is found in %s', (_, at, place) => {
  expect(placeOf([{ at, level: 0.1 }, ...music])).toEqual({ place, apart: true });
});

test('a voice in the center stays the voice under an instrument that is louder by 6 dB', () => {
  const both = [
    { at: 45, level: 0.1 },
    { at: 15, level: 0.2 },
  ];
  expect(placeOf(both)).toEqual({ place: 45, apart: true });
});

test('of two voices with a channel for each, neither is the voice', () => {
  const both = [
    { at: 0, level: 0.1 },
    { at: 90, level: 0.08 },
  ];
  expect(placeOf(both)).toEqual({ place: null, apart: true });
});

test.each([0, 30, 45, 90, 135])('one sound in both channels at %i degrees is not two', (at) => {
  const { place, apart } = placeOf([{ at, level: 0.1 }]);
  expect(apart).toBe(false);
  expect(place).toBeCloseTo(at, 3);
});

test('silence is in the center', () => {
  expect(placeOf([])).toEqual({ place: 45, apart: true });
});
