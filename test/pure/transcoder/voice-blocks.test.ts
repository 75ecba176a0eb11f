import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LEVELS, passagesOf } from '../../../transcoder/engines/hosts/speech-passages.ts';
import { blocksOf } from '../../../transcoder/media/voice/rubberband.ts';

const RATE = 100;

/** Each level for its number of seconds. */
const levels = (...parts: [seconds: number, level: number][]) =>
  Float32Array.from(parts.flatMap(([seconds, level]) => new Array(seconds * LEVELS).fill(level)));

describe('passages', () => {
  test('are found however little of the sound is speech', () => {
    expect(passagesOf(levels([200, 0], [4, 0.1], [200, 0]), RATE)).toEqual([{ at: 19_990, samples: 420 }]);
  });

  test('are none in silence, and in what is nearly silent', () => {
    expect(passagesOf(levels([20, 0]), RATE)).toEqual([]);
    expect(passagesOf(levels([20, 0.00005]), RATE)).toEqual([]);
    expect(passagesOf(new Float32Array(0), RATE)).toEqual([]);
  });
});

describe('blocks of a voice', () => {
  test('are the whole sound, of bounded length, and cut no passage, however long the silences are', () => {
    const passages = fc
      .array(fc.tuple(fc.integer({ min: 50, max: 1_500_000 }), fc.integer({ min: 5, max: 28 * RATE })), {
        maxLength: 12,
      })
      .map((parts) => {
        let at = 0;
        return parts.map(([pause, samples]) => {
          const passage = { at: at + pause, samples };
          at = passage.at + samples;
          return passage;
        });
      });
    fc.assert(
      fc.property(passages, fc.nat(1_500_000), (spoken, after) => {
        const last = spoken.at(-1) ?? { at: 0, samples: 1 };
        const total = last.at + last.samples + after;
        const blocks = blocksOf(spoken, total, RATE);
        let at = 0;
        for (const block of blocks) {
          expect(block.at).toBe(at);
          expect(block.samples).toBeGreaterThan(0);
          expect(block.samples).toBeLessThanOrEqual(150 * RATE);
          at += block.samples;
        }
        expect(at).toBe(total);
        const cut = spoken.filter((passage) =>
          blocks.some((block) => block.at > passage.at && block.at < passage.at + passage.samples),
        );
        expect(cut).toEqual([]);
      }),
    );
  });

  test('are joined up to a minute', () => {
    const passages = Array.from({ length: 30 }, (_, index) => ({ at: index * 500, samples: 400 }));
    for (const { samples } of blocksOf(passages, 15_000, RATE).slice(0, -1))
      expect(samples).toBeGreaterThan(50 * RATE);
  });
});
