import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { type DemuxedPacket, packetsOf } from '../../fixtures/demuxed.ts';
import { programs } from '../../fixtures/make.ts';
import { likeness } from '../../fixtures/packets.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** Frames that are rendered next to copied packets cost about what the source spends on them, at about its quality. */

const [FPS, SECONDS, GOP] = [30, 12, 60];
const contents = {
  noise: `testsrc2=s=320x180:r=${FPS},noise=alls=6:allf=t`,
  flat: `testsrc=s=320x180:r=${FPS}`,
};
const encoders = {
  h264: ['-c:v', 'libx264', '-preset', 'veryfast', '-g', `${GOP}`],
  hevc: [
    ...['-c:v', 'libx265', '-preset', 'superfast', '-tag:v', 'hvc1'],
    ...['-x265-params', `log-level=error:keyint=${GOP}:open-gop=0`],
  ],
};

interface Source {
  codec: keyof typeof encoders;
  content: keyof typeof contents;
  crf: 18 | 23 | 28 | 33;
}

const made = new Map<string, Promise<string>>();

function sourceOf({ codec, content, crf }: Source): Promise<string> {
  const path = join(scratch(), `${codec}-${content}-${crf}.mp4`);
  const input = ['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', contents[content]];
  const encode = ['-t', `${SECONDS}`, '-pix_fmt', 'yuv420p', ...encoders[codec], '-crf', `${crf}`, path];
  const making = made.get(path) ?? run(programs, 'ffmpeg', [...input, ...encode]).then(() => path);
  made.set(path, making);
  return making;
}

interface Span {
  start: number;
  end: number;
}

const total = (packets: readonly DemuxedPacket[]) => packets.reduce((sum, { size }) => sum + size, 0);
const largestKey = (packets: readonly DemuxedPacket[]) =>
  Math.max(...packets.filter(({ key }) => key).map(({ size }) => size));
const early = 0.5 / FPS;
const shown = (packets: readonly DemuxedPacket[], spans: readonly Span[]) =>
  packets.filter(({ time }) => spans.some(({ start, end }) => time >= start - early && time < end - early));

/** PSNR of each frame of the output against the frame of the source that it shows, in decibels. */
function likenessOf(path: string, source: string, spans: readonly Span[]): Promise<number[]> {
  const chosen = spans.map(({ start, end }) => `between(t,${start - early},${end - 1.02 * early})`).join('+');
  return likeness(path, source, `select='${chosen}'`);
}

const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;

async function cut(about: Source, request: Record<string, unknown>, spans: readonly Span[]) {
  const source = await sourceOf(about);
  const done = await operate('cut', source, request);
  const [own, ours] = [await packetsOf(source, 'v'), await packetsOf(done.path, 'v')];
  const kept = shown(own, spans);
  expect(ours).toHaveLength(kept.length);
  const alike = (await likenessOf(done.path, source, spans)).filter((decibels) => Number.isFinite(decibels));
  return { done, own, ours, kept, alike };
}

const sources = (['h264', 'hevc'] as const).flatMap((codec) =>
  (['noise', 'flat'] as const).flatMap((content) =>
    ([18, 23, 28, 33] as const).map((crf) => ({ codec, content, crf })),
  ),
);

/** Ends inside a GOP on both sides. */
const ranged = { start: 1, end: 11.5 };
/** Half of the source in twenty segments. */
const segments = Array.from({ length: 20 }, (_, index) => ({ start: index * 0.6, end: index * 0.6 + 0.3 }));

/** Least mean PSNR of all frames, by CRF of the source: the rendered ones lose about as much as the source lost before. */
const floors = {
  noise: { 18: 37, 23: 34, 28: 31, 33: 28 },
  flat: { 18: 45, 23: 44, 28: 42, 33: 38 },
} as const;

/** Of two joints, in keyframes of the source. */
const MOST_EXTRA = 4;
/**
 * Bytes of many segments compared with the source's own. Without noise, a frame takes so few bytes that the B-frames, which
 * rendered frames lack, make most of the difference.
 */
const mostBytes = { noise: 1.5, flat: 3.5 };

describe('a cut', () => {
  test.each(sampled(sources, 3))(
    'costs little more than its source: $codec, $content, CRF $crf',
    async (about) => {
      const { done, own, ours, kept, alike } = await cut(about, ranged, [ranged]);
      expect(done.data.copied_seconds).toBeGreaterThan(8);
      expect(largestKey(ours) / largestKey(own)).toBeLessThan(1.5);
      expect((total(ours) - total(kept)) / largestKey(own)).toBeLessThan(MOST_EXTRA);
      expect(mean(alike)).toBeGreaterThan(floors[about.content][about.crf]);
    },
  );

  test.each(sampled(sources, 3))(
    'of many segments is near them in size: $codec, $content, CRF $crf',
    async (about) => {
      const { own, ours, kept, alike } = await cut(about, { segments }, segments);
      expect(largestKey(ours) / largestKey(own)).toBeLessThan(1.5);
      expect(total(ours) / total(kept)).toBeLessThan(mostBytes[about.content]);
      expect(mean(alike)).toBeGreaterThan(floors[about.content][about.crf]);
    },
  );
});
