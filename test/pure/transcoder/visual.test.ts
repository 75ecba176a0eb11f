import { describe, expect, test } from 'vitest';
import { visualStyleNames, visualStyles } from '../../../schema/media/visual-styles.ts';
import { drawer } from '../../../transcoder/media/visual/draw.ts';
import { Glow } from '../../../transcoder/media/visual/glow.ts';
import { Mask } from '../../../transcoder/media/visual/mask.ts';
import { palettePicture } from '../../../transcoder/media/visual/palette.ts';
import type { Sound } from '../../../transcoder/media/visual/sound.ts';
import { logarithmicBands } from '../../../transcoder/media/visual/spectrum.ts';
import { HIGHEST, LOWEST } from '../../../transcoder/media/visual/stage.ts';
import { realMagnitudes } from '../../../transcoder/model/numbers/fourier.ts';
import type { Scene } from '../../../transcoder/model/visual-scene.ts';

const RATE = 32_000;

/** The same sound on both sides; silent before its start. */
const soundOf = (sample: (seconds: number) => number): Sound => ({
  read: (first, left, right) => {
    for (const index of left.keys()) {
      const at = first + index;
      left[index] = at < 0 ? 0 : sample(at / RATE);
      right[index] = left[index] ?? 0;
    }
  },
  close: () => {},
});

const silence = soundOf(() => 0);

function sceneOf(style: Scene['style'], changes: Partial<Scene> = {}): Scene {
  const round = visualStyles[style].shape === 'round';
  return {
    style,
    width: round ? 220 : 420,
    height: round ? 220 : 160,
    margin: 8,
    rate: [30, 1],
    frames: 90,
    bars: 32,
    smoothing: 0.3,
    gainDb: 0,
    opacity: 1,
    sampleRate: RATE,
    ...changes,
  };
}

function framesOf(scene: Scene, sound: Sound, count: number): Uint8Array[] {
  const draw = drawer(scene, sound);
  return Array.from({ length: count }, (_, frame) => draw(frame).slice());
}

const sum = (pixels: Uint8Array) => pixels.reduce((total, value) => total + value, 0);

describe('a Fourier transform', () => {
  test('finds a tone in its bin and nothing in the others', () => {
    const samples = Float32Array.from({ length: 256 }, (_, at) => Math.cos((2 * Math.PI * 19 * at) / 256));
    const magnitudes = new Float32Array(128);
    realMagnitudes(256)(samples, magnitudes);
    expect(magnitudes[19]).toBeCloseTo(128, 3);
    expect(Math.max(...magnitudes.filter((_, bin) => bin !== 19))).toBeLessThan(0.001);
  });
});

describe('bars', () => {
  test('light up where a swept tone is, within a frame of it', () => {
    const [from, to, seconds] = [60, 10_000, 5];
    const growth = Math.log(to / from) / seconds;
    const sweep = soundOf((t) => 0.5 * Math.sin((2 * Math.PI * from * (Math.exp(growth * t) - 1)) / growth));
    const scene = sceneOf('bars', { smoothing: 0, bars: 48, frames: 150 });
    const bands = logarithmicBands(scene.bars, LOWEST, HIGHEST);
    const barAt = (t: number) => {
      const frequency = from * Math.exp(growth * t);
      return bands.findIndex((band) => band.from <= frequency && frequency < band.to);
    };
    const pitch = (scene.width - 2 * scene.margin) / scene.bars;
    for (const [frame, pixels] of framesOf(scene, sweep, 150).entries()) {
      if (frame < 8) continue;
      const columns = Array.from({ length: scene.bars }, (_, bar) => {
        const column = Math.floor(scene.margin + pitch * (bar + 0.5));
        let height = 0;
        for (let row = 0; row < scene.height; row++) {
          height += (pixels[row * scene.width + column] ?? 0) > 200 ? 1 : 0;
        }
        return height;
      });
      const highest = Math.max(...columns);
      const lit = columns.flatMap((height, bar) => (height === highest ? [bar] : []));
      const near = [-1, 0, 1, 2].map((step) => barAt((frame + step) / 30));
      expect(
        lit.some((bar) => near.includes(bar)),
        `frame ${frame}: ${lit} of ${near}`,
      ).toBe(true);
    }
  });
});

describe('the wave', () => {
  test.each([90, 180, 256])('with %i bars shows the sound at its time after an hour', (bars) => {
    const [rate, frame] = [30, 30 * 3600];
    const scene = sceneOf('wave', { bars, frames: frame + 1 });
    const places: number[] = [];
    const noted: Sound = { ...silence, read: (first) => void places.push(first) };
    drawer(scene, noted)(frame);
    const slot = (6 / bars) * RATE;
    const slots = places.filter((place) => place !== frame * (RATE / rate));
    expect(slots.length).toBeGreaterThanOrEqual(bars);
    const shown = slots.map((place) => place / slot);
    for (const place of shown) expect(Math.abs(place - Math.round(place)) * slot).toBeLessThanOrEqual(1);
    expect(Math.min(...shown) / (bars / 6)).toBeCloseTo(3600 - 3, 0);
    expect(Math.max(...shown) / (bars / 6)).toBeCloseTo(3600 + 3, 0);
  });
});

const same = (a: Uint8Array | undefined, b: Uint8Array | undefined) =>
  a !== undefined && b !== undefined && Buffer.compare(a, b) === 0;

const spectral: readonly string[] = visualStyleNames.filter(
  (name) => name !== 'wave' && name !== 'vectorscope',
);

describe.each(visualStyleNames.filter((name) => name !== 'vectorscope'))('style %s', (style) => {
  test('looks the same if one channel has opposite polarity', () => {
    const same = soundOf((t) => 0.5 * Math.sin(2 * Math.PI * (300 + 200 * t) * t));
    const opposed: Sound = {
      ...same,
      read: (first, left, right) => {
        same.read(first, left, right);
        for (const index of right.keys()) right[index] = -(right[index] ?? 0);
      },
    };
    const scene = sceneOf(style, { frames: 12 });
    expect(framesOf(scene, opposed, 12)).toEqual(framesOf(scene, same, 12));
  });
});

describe.each(visualStyleNames)('style %s', (style) => {
  test('stands still while nothing is heard', () => {
    const scene = sceneOf(style);
    const frames = framesOf(scene, silence, 12);
    if (style !== 'wave') {
      for (const frame of frames) expect(same(frame, frames[0])).toBe(true);
      return;
    }
    const middle = scene.height / 2;
    for (const frame of frames) {
      const bright = [...frame.entries()].flatMap(([at, value]) =>
        value > 127 ? [Math.abs(Math.floor(at / scene.width) + 0.5 - middle)] : [],
      );
      expect(Math.max(...bright)).toBeLessThan(5);
    }
  });

  test('shows a click in the very frame that it is heard in', () => {
    const click = soundOf((t) => (t >= 1 && t < 1.004 ? Math.sin(2 * Math.PI * 1500 * t) : 0));
    const frames = framesOf(sceneOf(style, { gainDb: 12 }), click, 33);
    const [before, now] = [29, 30].map((frame) => sum(frames[frame] ?? new Uint8Array()));
    if (style !== 'wave') expect(same(frames[29], frames[20])).toBe(true);
    expect(now).not.toBe(before);
    if (spectral.includes(style)) expect(now).toBeGreaterThan((before ?? 0) * 1.05 + 500);
  });

  test('is drawn the same every time, and fainter where it is asked to be', () => {
    const chord = soundOf(
      (t) => 0.3 * Math.sin(2 * Math.PI * 220 * t) + 0.2 * Math.sin(2 * Math.PI * 1760 * t),
    );
    const last = (scene: Scene) => framesOf(scene, chord, 10).at(-1) ?? new Uint8Array();
    const whole = last(sceneOf(style));
    expect(same(last(sceneOf(style)), whole)).toBe(true);
    expect(Math.max(...last(sceneOf(style, { opacity: 0.5 })))).toBe(Math.round(Math.max(...whole) / 2));
  });

  test('leaves nothing at the edges but glow', () => {
    const noise = soundOf((t) => Math.sin(2 * Math.PI * 90 * t) * 0.9 + Math.sin(40_000 * t * t) * 0.4);
    const scene = sceneOf(style, { margin: 24 });
    const pixels = framesOf(scene, noise, 20).at(-1) ?? new Uint8Array();
    expect(Math.max(...pixels.subarray(0, 8 * scene.width))).toBeLessThan(128);
    expect(Math.max(...pixels.subarray(-8 * scene.width))).toBeLessThan(128);
  });

  test('works with the fewest and the most bars, and in a tiny picture', () => {
    const tone = soundOf((t) => Math.sin(2 * Math.PI * 440 * t));
    for (const [bars, side] of [
      [8, 200],
      [256, 200],
      [64, 16],
    ] as const) {
      const scene = sceneOf(style, { bars, width: side, height: side, margin: 2 });
      expect(framesOf(scene, tone, 3)).toHaveLength(3);
    }
  });
});

describe('a glow', () => {
  const glowing = (side: number, [from, to]: [number, number]) => {
    const mask = new Mask(side, side);
    mask.roundRect(from, from, to, to, 6, 1);
    new Glow(mask, 24, 0.8).apply(mask);
    return mask.pixels;
  };

  test.each([40, 48])('is the same on opposite sides, up to the edges of %i pixels', (side) => {
    for (const inset of [0, 2, 10]) {
      const pixels = glowing(side, [inset, side - inset]);
      expect(same(pixels, pixels.toReversed())).toBe(true);
    }
  });

  test.each([41, 42, 43])('falls steadily to all edges of %i pixels', (side) => {
    const pixels = glowing(side, [12, 24]);
    const across = Array.from({ length: side - 24 }, (_, step) => pixels[18 * side + 24 + step] ?? 0);
    const down = Array.from({ length: side - 24 }, (_, step) => pixels[(24 + step) * side + 18] ?? 0);
    for (const values of [across, down]) {
      for (const [step, value] of values.entries()) {
        expect(value).toBeLessThanOrEqual((values[step - 1] ?? 255) + 1);
      }
      expect(values[2]).toBeGreaterThan(10);
    }
  });
});

test('colors go from the first to the last through those between them', () => {
  const colors = ['#ff0000', '#00ff00', '#0000ff'];
  const picture = palettePicture({ style: 'bars', width: 101, height: 2, margin: 0, colors });
  const pixels = picture.subarray(picture.length - 3 * 101 * 2);
  const at = (column: number) => [...pixels.subarray(3 * column, 3 * column + 3)];
  const [first, middle, last] = [at(0), at(50), at(100)];
  expect(Math.abs((first[0] ?? 0) - 255)).toBeLessThan(12);
  expect(middle).toEqual([0, 255, 0]);
  expect(Math.abs((last[2] ?? 0) - 255)).toBeLessThan(12);
});
