import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumPath, type Player, startPlayer } from '../../browser/player.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { sampled } from '../../sampled.ts';
import { type Done, operate, operateOn, range } from '../operate.ts';

const SEEKS = 11;
const RATE = 2;

interface Case {
  name: string;
  make: () => Promise<Done>;
  /** The number that each frame shows; null where it is mixed or faded. As ffmpeg reads them where that is left out. */
  numbers?: (number | null)[];
  /** Set where packets of the source have to be in it. */
  copied?: true;
}

const url = 'https://media.example.com/clip';

/** Thirty frames a second, each. */
const cases: Case[] = [
  {
    name: 'a range of H.264, with B-frames',
    make: () => operate('cut', 'plain.mp4', { start: 1.3, duration: 3.5 }),
    numbers: range(39, 144),
    copied: true,
  },
  {
    name: 'a range of H.264 without sound',
    make: () => operate('cut', 'no-sound.mp4', { start: 0.7, end: 4.3 }),
    numbers: range(21, 129),
    copied: true,
  },
  {
    name: 'ranges of H.264, joined',
    make: () =>
      operate('cut', 'plain.mp4', {
        segments: [
          { start: 4, end: 5.2 },
          { start: 0.4, end: 2.6 },
        ],
      }),
    numbers: [...range(120, 156), ...range(12, 78)],
    copied: true,
  },
  {
    name: 'ten ranges of H.264 in open GOPs, joined',
    make: () =>
      operate('cut', 'open-gop.mp4', {
        segments: range(0, 10).map((index) => ({ start: (9 - index) * 0.6, end: (9 - index) * 0.6 + 0.4 })),
      }),
    numbers: range(0, 10).flatMap((index) => range((9 - index) * 18, (9 - index) * 18 + 12)),
  },
  {
    name: 'a range of H.264 with fades',
    make: () => operate('cut', 'plain.mp4', { start: 0.5, end: 5.5, fade_in: 0.5, fade_out: 0.5 }),
    numbers: [...range(0, 16).map(() => null), ...range(31, 149), ...range(0, 16).map(() => null)],
    copied: true,
  },
  {
    name: 'H.264 without its silences',
    make: () => operate('silence_process', 'speech.mp4', { mode: 'remove', min_silence: 0.4 }),
  },
  {
    name: 'H.264 rendered as VP9 in webm',
    make: () => operate('transcode', 'plain.mp4', { format: 'webm', codec: 'vp9' }),
    numbers: range(0, 180),
  },
  {
    name: 'H.264 rendered as AV1 in webm',
    make: () => operate('transcode', 'plain.mp4', { format: 'webm', codec: 'av1' }),
    numbers: range(0, 180),
  },
  {
    name: 'a range of VP9 in webm',
    make: () => operate('cut', 'vp9.webm', { start: 1.3, duration: 3.5, format: 'webm' }),
    numbers: range(39, 144),
    copied: true,
  },
  {
    name: 'a range of VP9 from webm in mp4',
    make: () => operate('cut', 'vp9.webm', { start: 1.3, duration: 3.5 }),
    numbers: range(39, 144),
    copied: true,
  },
  {
    name: 'a range of AV1 in mp4',
    make: () => operate('cut', 'av1.mp4', { start: 1.3, duration: 3.5 }),
    numbers: range(39, 144),
    copied: true,
  },
  {
    name: 'a range of AV1 from mp4 in webm',
    make: () => operate('cut', 'av1.mp4', { start: 1.3, duration: 3.5, format: 'webm' }),
    numbers: range(39, 144),
    copied: true,
  },
  {
    name: 'clips merged with a transition',
    make: () =>
      operateOn('merge_urls', ['plain.mp4', 'plain.mp4'], {
        urls: [url, { url, start: 2, end: 5 }],
        transition: 'wipeleft',
        duration: 0.5,
      }),
    numbers: [...range(0, 165), ...range(0, 15).map(() => null), ...range(75, 150)],
    copied: true,
  },
  {
    name: 'clips of VP9 merged in webm',
    make: () =>
      operateOn('merge_urls', ['vp9.webm', 'vp9.webm'], {
        urls: [
          { url, end: 3 },
          { url, start: 2.5 },
        ],
        transition: 'fade',
        duration: 0.5,
        format: 'webm',
      }),
    numbers: [...range(0, 75), ...range(0, 15).map(() => null), ...range(90, 180)],
  },
  {
    name: 'clips of AV1 merged with a hard cut',
    make: () =>
      operateOn('merge_urls', ['av1.mp4', 'av1.mp4'], {
        urls: [
          { url, end: 3.1 },
          { url, start: 2.5 },
        ],
      }),
    numbers: [...range(0, 93), ...range(75, 180)],
  },
];

const why = chromiumPath === undefined ? ' (skipped: there is no Chromium here; CHROMIUM can name one)' : '';

describe.skipIf(chromiumPath === undefined)(`in Chromium${why}`, () => {
  let player: Player;
  beforeAll(async () => {
    player = await startPlayer(chromiumPath ?? '');
  });
  afterAll(() => player.close());

  test.each(sampled(cases, 3))('$name lasts exactly, seeks and plays across every junction', async (one) => {
    const { copied, make } = one;
    const { path, data } = await make();
    const numbers = one.numbers ?? (await readNumbers(path));
    if (copied) expect(data.copied_seconds).toBeGreaterThan(0);
    const { duration } = await player.open(path);
    expect(Math.abs(duration - numbers.length / 30)).toBeLessThan(path.endsWith('webm') ? 0.01 : 0.002);

    const frames = Array.from({ length: SEEKS }, (_, index) =>
      Math.round(((numbers.length - 1) * index) / (SEEKS - 1)),
    );
    const sought = await player.numbersAt(frames.map((frame) => (frame + 0.5) / 30));
    const wanted = frames.map((frame, index) => numbers[frame] ?? sought.numbers[index]);
    expect(sought.numbers).toEqual(wanted);

    const played = await player.playThrough(RATE);
    expect(played.events).toEqual([]);
    expect(Math.abs(played.end - duration)).toBeLessThan(0.002);
    expect(played.frames.length).toBeGreaterThan(numbers.length / 16);
    const times = played.frames.map(({ mediaTime }) => mediaTime);
    expect(times).toEqual([...new Set(times)].toSorted((a, b) => a - b));
    for (const { time, number } of played.frames) {
      const frame = numbers[Math.round(time * 30)];
      if (frame !== null) expect({ time, number }).toEqual({ time, number: frame });
    }
  });
});
