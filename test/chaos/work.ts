import type { Seeded } from './seeded.ts';
import { FAILED_SOURCES, type Wanted } from './wanted.ts';

/** A request and what has to come of it. */
export interface Work {
  path: string;
  input: Record<string, unknown>;
  wanted: Wanted;
}

type Media = (name: string) => string;

const video = (frames: number): Wanted => ({ type: 'video', frames });

/** Small work of every kind; the weights say how often. Fixtures run at 30 frames a second, six seconds if not told otherwise. */
const kinds: readonly (readonly [number, (media: Media, seeded: Seeded) => Work])[] = [
  [
    20,
    (media, seeded) => {
      const frame = Math.floor(seeded.between(0, 90));
      const frames = Math.floor(seeded.between(10, 80));
      const input = { video_url: media('plain.mp4'), start: frame / 30, duration: frames / 30 };
      return { path: '/cut', input, wanted: video(frames) };
    },
  ],
  [
    10,
    (media) => {
      const segments = [
        { start: 0.5, end: 1.5 },
        { start: 3, end: 4.5 },
      ];
      return { path: '/cut', input: { video_url: media('long-gop.mp4'), segments }, wanted: video(75) };
    },
  ],
  [
    10,
    (media) => {
      const input = { video_url: media('plain.mp4'), aspect_ratio: '1:1' };
      return { path: '/crop', input, wanted: video(180) };
    },
  ],
  [
    10,
    (media) => ({
      path: '/transcode',
      input: { video_url: media('plain.mp4'), height: 90 },
      wanted: video(180),
    }),
  ],
  [
    7,
    (media) => {
      const input = { video_url: media('pauses.mp4'), height: 120 };
      return { path: '/transcode', input, wanted: video(3564) };
    },
  ],
  [
    10,
    (media) => {
      const urls = [media('plain.mp4'), { url: media('no-sound.mp4'), start: 1, end: 3 }];
      return { path: '/merge_urls', input: { urls }, wanted: video(240) };
    },
  ],
  [
    8,
    (media) => ({
      path: '/silence_process',
      input: { video_url: media('speech.mp4'), export: ['edl'] },
      wanted: { type: 'video', frames: null },
    }),
  ],
  [
    6,
    (media) => ({ path: '/frame/last', input: { video_url: media('vp9.webm') }, wanted: { type: 'file' } }),
  ],
  [
    6,
    (media) => ({
      path: '/frame',
      input: { video_url: media('plain.mp4'), count: 3 },
      wanted: { type: 'file' },
    }),
  ],
  [4, (media) => ({ path: '/probe', input: { url: media('tagged.mp4') }, wanted: { type: 'file' } })],
  [
    4,
    (media) => ({
      path: '/captions/auto',
      input: { video_url: media('plain.mp4'), captions_url: media('hostile.srt') },
      wanted: { type: 'failure', code: 'captions_invalid' },
    }),
  ],
  [
    6,
    (media, seeded) => {
      const [name, code] = seeded.pick(FAILED_SOURCES);
      return {
        path: '/crop',
        input: { video_url: media(name), aspect_ratio: '1:1' },
        wanted: { type: 'failure', code },
      };
    },
  ],
];

export function mixedWork(count: number, media: Media, seeded: Seeded): Work[] {
  return Array.from({ length: count }, () => seeded.weighted(kinds)(media, seeded));
}
