import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../../schema/operations/index.ts';
import type { Warning } from '../../../../schema/task/task.ts';
import { levelMeter } from '../../../../transcoder/media/analyses/audio-levels.ts';
import type { Levels } from '../../../../transcoder/model/plan.ts';
import { totalOf } from '../../../../transcoder/operations/plan/compile/clips.ts';
import { type Frames, pacedFrames } from '../../../../transcoder/operations/plan/frames.ts';
import { decide } from '../../../../transcoder/operations/silence/detect.ts';
import { clipsLeft } from '../../../../transcoder/operations/silence/segments.ts';
import {
  adaptiveThresholds,
  type Run,
  runsOf,
  sameEverywhere,
  smoothed,
  spansAbove,
} from '../../../../transcoder/operations/silence/threshold.ts';

const video_url = 'https://media.example.com/talk.mp4';
const parse = (request: Record<string, unknown> = {}) =>
  operations.silence_process.input.parse({ video_url, ...request });

/** `#` is a loud window, anything else a quiet one. */
const levelsOf = (text: string): Levels => {
  const peak = Float32Array.from(text, (sign) => (sign === '#' ? 0.5 : 0.001));
  return { peak, rms: peak.map((level) => level / 2) };
};
const drawn = (runs: readonly Run[]) =>
  runs.map(({ start, end, heard }) => (heard ? '#' : '.').repeat(end - start)).join('');
const heard = (text: string) => spansAbove(levelsOf(text), text.length, sameEverywhere(-30));
const rules = {
  paddingBefore: 0,
  paddingAfter: 0,
  minClip: 0,
  minSilence: 0,
  protect: [],
};

describe('what is heard', () => {
  test.each([
    ['..##....##', {}, '..##....##'],
    ['..##....##', { paddingBefore: 1, paddingAfter: 2 }, '.#####.###'],
    ['..##....##', { minSilence: 3 }, '####....##'],
    ['..##....##', { minSilence: 5 }, '##########'],
    ['..#.....##', { minClip: 2 }, '........##'],
    ['..#.#.#...', { minClip: 2, minSilence: 2 }, '..........'],
    ['##.##.....', { minClip: 3, minSilence: 3 }, '..........'],
    ['###.##....', { minClip: 3, minSilence: 3 }, '###.......'],
    ['..........', { minSilence: 20 }, '..........'],
    ['##########', { minClip: 20 }, '##########'],
    ['##......##', { protect: [{ start: 4, end: 6 }] }, '##..##..##'],
    ['##......##', { protect: [{ start: 3, end: 6 }], minSilence: 2 }, '######..##'],
    ['##......##', { protect: [{ start: 4, end: 6 }], minClip: 2, minSilence: 2 }, '##..##..##'],
    ['##......##', { protect: [{ start: 8, end: 99 }] }, '##......##'],
  ])('of %s with %o is %s', (text, changes, expected) => {
    expect(drawn(runsOf(heard(text), text.length, { ...rules, ...changes }))).toBe(expected);
  });

  test('is silence where the sound ends before the picture', () => {
    expect(drawn(runsOf(heard('##'), 5, rules))).toBe('##...');
  });
});

describe('the adaptive threshold', () => {
  const noise = (db: number, length: number, seed: number) => {
    let state = seed;
    const random = () => {
      state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
      return state / 2 ** 32;
    };
    return Float32Array.from({ length }, () => 10 ** ((db + 11 + 4 * (random() - 0.5)) / 20));
  };
  const mixed = (quiet: number, loud: number, share: number, length = 2000): Levels => {
    const [low, high] = [noise(quiet, length, 1), noise(loud, length, 2)];
    const peak = low.map((level, index) => (index % 100 < share * 100 ? (high[index] ?? 0) : level));
    return { peak, rms: peak.map((level) => level / 10 ** (11 / 20)) };
  };

  test.each([
    [-60, -25, 0.5],
    [-45, -20, 0.6],
    [-70, -45, 0.5],
    [-55, -20, 0.05],
  ])('lies between noise at %f dB and speech at %f dB of %f of the time', (quiet, loud, share) => {
    const levels = mixed(quiet, loud, share);
    const threshold = adaptiveThresholds(levels).whole;
    const active = levels.peak.reduce((sum, peak) => sum + (peak >= 10 ** (threshold / 20) ? 1 : 0), 0);
    expect(active / 2000).toBeCloseTo(share, 1);
  });

  test('lies below sound that never pauses', () => {
    const levels = mixed(-30, -30, 0.5);
    const threshold = 10 ** (adaptiveThresholds(levels).whole / 20);
    expect(levels.peak.filter((peak) => peak >= threshold).length).toBeGreaterThan(1900);
  });

  /** Minutes of levels after one another. */
  const joined = (...parts: Levels[]): Levels => {
    const both = (of: keyof Levels) => Float32Array.from(parts.flatMap((part) => [...part[of]]));
    return { peak: both('peak'), rms: both('rms') };
  };
  const MINUTE = 6000;
  const shareAbove = (levels: Levels, from: number, to: number) => {
    const spans = spansAbove(levels, levels.peak.length, adaptiveThresholds(levels));
    const within = spans.map(({ start, end }) => Math.max(0, Math.min(end, to) - Math.max(start, from)));
    return within.reduce((sum, length) => sum + length, 0) / (to - from);
  };

  test('follows a room that becomes louder, and one that becomes quieter', () => {
    const [quiet, loud] = [mixed(-70, -45, 0.4, 4 * MINUTE), mixed(-48, -20, 0.4, 4 * MINUTE)];
    for (const levels of [joined(quiet, loud), joined(loud, quiet)]) {
      expect(shareAbove(levels, 0, 3 * MINUTE)).toBeCloseTo(0.4, 1);
      expect(shareAbove(levels, 5 * MINUTE, 8 * MINUTE)).toBeCloseTo(0.4, 1);
    }
  });

  test('takes a long pause for a pause, and a long even sound for a sound', () => {
    const talk = mixed(-60, -25, 0.5, 4 * MINUTE);
    const pause = joined(talk, mixed(-60, -60, 0, 5 * MINUTE), talk);
    expect(shareAbove(pause, 4 * MINUTE, 9 * MINUTE)).toBeLessThan(0.01);
    const tone = joined(talk, mixed(-25, -25, 0, 5 * MINUTE), talk);
    expect(shareAbove(tone, 4 * MINUTE, 9 * MINUTE)).toBeGreaterThan(0.99);
  });

  test('lies above digital silence', () => {
    expect(adaptiveThresholds({ peak: new Float32Array(100), rms: new Float32Array(100) }).whole).toBe(-60);
  });
});

const windows = fc
  .array(fc.tuple(fc.boolean(), fc.integer({ min: 1, max: 120 })), { minLength: 1, maxLength: 40 })
  .map((runs) => runs.map(([loud, length]) => (loud ? '#' : '.').repeat(length)).join(''));
const asked = fc.record({
  min_silence: fc.integer({ min: 5, max: 100 }).map((value) => value / 100),
  min_clip: fc.integer({ min: 0, max: 60 }).map((value) => value / 100),
  padding_before: fc.integer({ min: 0, max: 30 }).map((value) => value / 100),
  padding_after: fc.integer({ min: 0, max: 30 }).map((value) => value / 100),
  keep_silence: fc.integer({ min: 0, max: 40 }).map((value) => value / 100),
  threshold_db: fc.constant(-30),
});
const paced = (zero: number, step: number) =>
  pacedFrames({ zero, step, count: 100_000, until: zero + 100_000 * step });
const grids = fc
  .tuple(fc.constantFrom(0, 0.01, 0.5), fc.constantFrom(1 / 24, 1001 / 30_000, 1 / 30, 1001 / 60_000))
  .map(([zero, step]) => paced(zero, step));

function decided(text: string, request: Record<string, unknown>, grid: Frames | null) {
  const warnings: Warning[] = [];
  try {
    return decide(parse(request), { duration: text.length / 100, grid }, { levels: levelsOf(text) }, warnings)
      .segments;
  } catch (error) {
    if ((error as { code?: string }).code === 'all_silent') return null;
    throw error;
  }
}

describe('nothing that would be left', () => {
  const refusal = (text: string, request: Record<string, unknown>) => () =>
    decide(
      parse({ detector: 'energy', threshold_db: -30, ...request }),
      { duration: text.length / 100, grid: null },
      { levels: levelsOf(text) },
      [],
    );
  const short = { padding_before: 0, padding_after: 0 };

  test('is explained by the level if nothing reaches it', () => {
    expect(refusal('.'.repeat(40), {})).toThrow('Nothing reaches -30 dB; the noise floor is');
  });

  test('is explained by the least duration if a sound is shorter', () => {
    expect(refusal(`..###${'.'.repeat(40)}`, short)).toThrow(
      'Every sound is shorter than `min_clip` (0.1 s)',
    );
    expect(refusal(`..###${'.'.repeat(40)}`, { ...short, min_clip: 0.03 })).not.toThrow();
  });
});

describe('for any sound', () => {
  test('segments are the whole source in order, and alternate', () => {
    fc.assert(
      fc.property(windows, asked, fc.option(grids), (text, request, grid) => {
        const segments = decided(text, request, grid);
        if (!segments) return;
        expect(segments[0]?.start).toBe(0);
        expect(segments.at(-1)?.end).toBe(text.length / 100);
        for (const [index, { start, end, action }] of segments.entries()) {
          expect(end).toBeGreaterThan(start);
          const next = segments[index + 1];
          if (!next) continue;
          expect(next.start).toBe(end);
          expect(next.action).not.toBe(action);
        }
      }),
    );
  });

  test('no run is shorter than allowed, and smoothing again changes nothing', () => {
    fc.assert(
      fc.property(
        windows,
        fc.integer({ min: 0, max: 60 }),
        fc.integer({ min: 0, max: 60 }),
        (text, minClip, minSilence) => {
          const runs = runsOf(heard(text), text.length, { ...rules, minClip, minSilence });
          expect(smoothed(runs, { minClip, minSilence })).toEqual(runs);
          if (runs.length === 1) return;
          for (const { start, end, heard } of runs) {
            expect(end - start).toBeGreaterThanOrEqual(heard ? minClip : minSilence);
          }
        },
      ),
    );
  });

  test('boundaries lie between frames', () => {
    fc.assert(
      fc.property(windows, asked, grids, (text, request, grid) => {
        const end = grid.until;
        for (const { start } of decided(text, request, grid)?.slice(1) ?? []) {
          // Before the first frame and behind the last there is sound alone.
          if (start < grid.at(0) || start > end) continue;
          const index = (start - grid.at(0)) / grid.step;
          expect(Math.abs(index - Math.round(index))).toBeLessThan(1e-4);
        }
      }),
    );
  });

  test('the list that was found, applied, is the same list, whatever the settings', () => {
    fc.assert(
      fc.property(windows, asked, fc.option(grids), (text, request, grid) => {
        const segments = decided(text, request, grid);
        if (!segments) return;
        const source = { duration: text.length / 100, grid };
        const input = parse({ ...request, segments });
        expect(decide(input, source, {}, []).segments).toEqual(segments);
      }),
    );
  });

  test('what is protected is kept', () => {
    fc.assert(
      fc.property(windows, asked, fc.integer({ min: 0, max: 500 }), (text, request, at) => {
        const range = { start: at / 100, end: at / 100 + 0.3 };
        if (range.end > text.length / 100) return;
        const segments = decided(text, { ...request, protect_ranges: [range] }, null) ?? [];
        const silent = segments.filter(({ action }) => action === 'silent');
        for (const { start, end } of silent) {
          expect(end <= range.start + 1e-6 || start >= range.end - 1e-6).toBe(true);
        }
      }),
    );
  });

  test('clips lie end to end in the output, on frames, and never drift', () => {
    fc.assert(
      fc.property(windows, asked, grids, fc.integer({ min: 2, max: 16 }), (text, request, grid, speed) => {
        const fromStart = paced(0, grid.step);
        const segments = decided(text, request, fromStart);
        if (!segments) return;
        for (const mode of ['remove', 'speed_up', 'mute'] as const) {
          const clips = clipsLeft(segments, { mode, silent_speed: speed }, fromStart);
          for (const [index, clip] of clips.entries()) {
            expect(clip.out).toBe(clips[index - 1]?.outEnd ?? 0);
            expect(clip.outEnd).toBeGreaterThan(clip.out);
            const frames = clip.out / grid.step;
            expect(Math.abs(frames - Math.round(frames))).toBeLessThan(1e-3);
          }
          if (mode === 'mute') expect(totalOf(clips)).toBeCloseTo(text.length / 100, 6);
        }
      }),
    );
  });
});

test('more segments than a list may have are merged, and a warning says so', () => {
  const text = '###...'.repeat(4000);
  const warnings: Warning[] = [];
  const request = { threshold_db: -30, min_silence: 0.05, min_clip: 0, padding_before: 0, padding_after: 0 };
  const source = { duration: text.length / 100, grid: null };
  decide(parse(request), source, { levels: levelsOf(text) }, warnings);
  expect(warnings).toEqual([]);
  const many = '######......'.repeat(4000);
  const { segments } = decide(
    parse(request),
    { ...source, duration: many.length / 100 },
    { levels: levelsOf(many) },
    warnings,
  );
  expect(segments.length).toBeLessThanOrEqual(3000);
  expect(warnings[0]?.code).toBe('segments_merged');
});

describe('a request', () => {
  test.each([
    [{ segments: [{ start: 0, end: 0, action: 'keep' }] }, '/segments/0/end'],
    [
      {
        segments: [
          { start: 0, end: 2, action: 'keep' },
          { start: 1, end: 3, action: 'silent' },
        ],
      },
      '/segments/1/start',
    ],
    [{ protect_ranges: [{ start: 2, end: 1 }] }, '/protect_ranges/0/end'],
    [{ export: ['edl', 'edl'] }, '/export'],
    [{ audio_url: video_url }, '/video_url'],
    [{ threshold_db: 'loud' }, '/threshold_db'],
  ])('with %o is refused at %s', (request, pointer) => {
    const parsed = operations.silence_process.input.safeParse({ video_url, ...request });
    expect(parsed.error?.issues.map(({ path }) => `/${path.join('/')}`)).toContain(pointer);
  });
});

describe('the meter', () => {
  test('takes samples in pieces of any length', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -32_768, max: 32_767 }), { minLength: 2, maxLength: 900 }),
        fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 50 }),
        (samples, cuts) => {
          const bytes = Buffer.from(Int16Array.from(samples).buffer);
          const whole = levelMeter(8000, 2, 100);
          whole.push(bytes);
          const parts = levelMeter(8000, 2, 100);
          let at = 0;
          for (const length of [...cuts, bytes.length]) {
            parts.push(bytes.subarray(at, at + length));
            at += length;
          }
          expect(parts.end()).toEqual(whole.end());
        },
      ),
    );
  });

  test('gives peak and RMS of the loudest channel for every 10 ms', () => {
    const meter = levelMeter(1000, 2, 2);
    const samples = Array.from({ length: 30 }, (_, index) => [0, index < 10 ? 16_384 : -8192]).flat();
    meter.push(Buffer.from(Int16Array.from(samples).buffer));
    const { peak, rms } = meter.end();
    expect([...peak]).toEqual([0.5, 0.25]);
    expect([...rms]).toEqual([0.5, 0.25]);
  });
});
