import { describe, expect, test } from 'vitest';
import { type CaptionPreset, captionEntranceNames } from '../../../schema/media/caption-presets.ts';
import { entranceSeconds } from '../../../transcoder/operations/plan/captions/entrance.ts';
import { sampled } from '../../sampled.ts';
import { failureOf } from '../operate.ts';
import { drawnOver, expectInside, marginsOf, textsOf } from './drawn.ts';

const texts = {
  latin: 'The quick brown fox jumps over the lazy dog.',
  'one long word': 'Donaudampfschifffahrt',
  arabic: 'مرحبا بكم في هذا الفيديو',
  devanagari: 'नमस्ते, आज हम शहर में',
  japanese: '今日は街を歩いてみましょう',
  emoji: 'Party 🎉 with 👍🏽 ❤️',
};
const RATE = 20;
const [width, height] = [270, 480];
const presets: readonly CaptionPreset[] = ['bold_box', 'word_pop', 'neon'];

/** A caption a second. */
const captions = Object.values(texts).map((text, index) => ({ start: index, end: index + 1, text }));
const document = (preset: CaptionPreset, entrance: string) =>
  textsOf(
    // Captions of one and of several lines, which reach the margins.
    { captions, preset, entrance, layout: 'phrase', max_lines: 3, outputs: [] },
    { width, height, duration: captions.length },
  )[0] ?? '';
const framesOf = (text: string) => {
  const picture = { width, height, rate: RATE, color: '0x808080' };
  const bytes = drawnOver(text, picture, captions.length, 'gray');
  const size = width * height;
  return Array.from({ length: bytes.length / size }, (_, at) => bytes.subarray(at * size, (at + 1) * size));
};
function difference(one: Buffer, other: Buffer): number {
  let sum = 0;
  for (let at = 0; at < one.length; at++) sum += Math.abs((one[at] ?? 0) - (other[at] ?? 0));
  return sum / one.length;
}

describe.each(sampled(presets, 3))('captions of %s', (preset) => {
  const still = framesOf(document(preset, 'none'));
  const bare = Buffer.alloc(width * height, 128);
  const outer = marginsOf(width, height);

  test.each(sampled(captionEntranceNames.slice(1), 3))(
    'enter by %s within the margins, and then stand as without it',
    (entrance) => {
      const frames = framesOf(document(preset, entrance));
      expect(frames).toHaveLength(still.length);
      for (const [at, frame] of frames.entries()) {
        expectInside(frame, outer, width, `${entrance} in frame ${at}`);
        const second = (at % RATE) / RATE;
        const [found, wanted] = [frame, still[at] ?? bare];
        // A word that is spoken while its caption enters does not pop up, too.
        if (second >= 0.45) expect(difference(found, wanted), `frame ${at}`).toBeLessThan(0.6);
      }
      for (const [index, name] of Object.keys(texts).entries()) {
        const from = index * RATE;
        const seen = (at: number) => difference(frames[from + at] ?? bare, bare);
        expect(seen(0), `${name} begins`).toBeLessThan(0.4 * seen(RATE / 2));
        expect(seen(RATE - 1), `${name} is seen`).toBeGreaterThan(0.5);
      }
    },
  );
});

test('an entrance takes at most a quarter of the time, and is left out if it would not be seen', () => {
  const cue = (length: number) => ({ start: 3, end: 3 + length, lines: [] });
  for (const entrance of captionEntranceNames.slice(1)) {
    expect(entranceSeconds(entrance, cue(10))).toBeLessThanOrEqual(0.45);
    expect(entranceSeconds(entrance, cue(0.4))).toBeCloseTo(0.1, 6);
    expect(entranceSeconds(entrance, cue(0.1))).toBe(0);
  }
  expect(entranceSeconds('none', cue(10))).toBe(0);
});

test('captions with hundreds of emoji are refused with an entrance', async () => {
  const many = [{ start: 0, end: 5, text: '🎉'.repeat(401) }];
  const draw = (entrance: string) =>
    textsOf({ captions: many, entrance, outputs: [] }, { width, height, duration: 5 });
  const failure = await failureOf((async () => draw('pop'))());
  expect([failure.code, failure.detail]).toEqual([
    'captions_invalid',
    'The captions have 401 emoji; at most 400 can be drawn with an `entrance`.',
  ]);
});
