import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { listPackets } from '../../../transcoder/media/analyses/packets.ts';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { probeMedia } from '../../../transcoder/media/probe/probe-media.ts';
import { canSeek } from '../../../transcoder/model/source/media-probe.ts';
import { demuxerOfFile } from '../../../transcoder/source/sniff.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { ctx, type Done, operate } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-frames-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Decibels; infinite where every pixel is the same. */
async function likeness(one: string, other: string): Promise<number> {
  const { stderrTail } = await run(programs, 'ffmpeg', [
    ...['-hide_banner', '-nostdin', '-i', one, '-i', other],
    ...['-lavfi', '[0:v][1:v]psnr', '-f', 'null', '-'],
  ]);
  const average = /average:(\S+)/.exec(stderrTail)?.[1];
  return average === 'inf' ? Number.POSITIVE_INFINITY : Number(average);
}

/** What is drawn by libav and by the programs, from the same request. */
async function both(source: string, request: Record<string, unknown>): Promise<[Done, Done]> {
  const warnings: string[] = [];
  const onWarning = (message: string) => warnings.push(message);
  const byLibav = await operate('frame', source, request, { onWarning });
  expect(warnings).toEqual([]);
  return [byLibav, await operate('frame', source, request, { libav: null })];
}

async function leastLikeness([one, other]: [Done, Done]): Promise<number> {
  expect(one.data).toEqual(other.data);
  expect(one.files.length).toBe(other.files.length);
  const all = one.files.map((file, index) => likeness(file.path, other.files[index]?.path ?? ''));
  return Math.min(...(await Promise.all(all)));
}

async function made(name: string, args: string[]): Promise<string> {
  const path = join(directory, name);
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args, path]);
  return path;
}

describe('libav draws what the programs draw', () => {
  test.each(
    sampled(
      [
        'plain.mp4',
        'open-gop.mp4',
        'rotated.mp4',
        'wide-pixels.mp4',
        'odd-444.mp4',
        'h264-10bit.mp4',
        'hevc-10bit.mp4',
        'tagged.mp4',
        'edit-list.mp4',
        'late.ts',
        'vfr.mkv',
        'vp9.webm',
        'av1.mp4',
        'anim.gif',
      ],
      3,
    ),
  )('pixel by pixel: %s', async (source) => {
    const times = { timestamps: [0.02, 0.71, 0.5, 0.71] };
    expect(await leastLikeness(await both(source, { format: 'png', ...times }))).toBe(
      Number.POSITIVE_INFINITY,
    );
  });

  test.each(
    sampled(
      [
        ['jpeg', {}],
        ['webp', { quality: 80 }],
        ['jpeg', { width: 100, height: 100, fit: 'cover' }],
        ['png', { width: 101, height: 60, fit: 'stretch' }],
        ['webp', { width: 64, sheet: true }],
        ['jpeg', { width: 64, sheet: true }],
      ],
      3,
    ),
  )('as %s with %o', async (format, shape) => {
    for (const source of ['rotated.mp4', 'h264-10bit.mp4']) {
      const request = { format, count: 3, ...shape };
      expect(await leastLikeness(await both(source, request))).toBeGreaterThan(45);
    }
  });

  test('of HDR, within the colors of a screen', async () => {
    const params = 'log-level=error:hdr10=1:repeat-headers=1:max-cll=1000,400';
    const path = await made('hdr.mp4', [
      ...['-i', fixture('plain.mp4'), '-t', '1', '-an', '-vf', 'hue=s=0.05', '-pix_fmt', 'yuv420p10le'],
      ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', params, '-tag:v', 'hvc1'],
      ...['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc'],
    ]);
    const drawn = await both(path, { count: 2 });
    expect(drawn[0].warnings).toMatchObject([{ code: 'hdr_tonemapped' }]);
    expect(await leastLikeness(drawn)).toBeGreaterThan(45);
  });

  test.each(
    sampled(
      [
        ['full.mp4', ['-c:v', 'libx264', '-pix_fmt', 'yuvj420p']],
        ['prores.mov', ['-c:v', 'prores_ks', '-an']],
        ['interlaced.mp4', ['-vf', 'interlace', '-flags', '+ildct+ilme', '-c:v', 'libx264']],
        ['mpeg2.ts', ['-c:v', 'mpeg2video', '-bf', '2', '-c:a', 'mp2']],
        ['mpeg4.avi', ['-c:v', 'mpeg4', '-an']],
        ['fragmented.mp4', ['-c', 'copy', '-movflags', 'frag_keyframe+empty_moov']],
      ],
      3,
    ),
  )('of %s', async (name, args) => {
    const path = await made(name, ['-i', fixture('plain.mp4'), '-t', '2', ...args]);
    expect(await leastLikeness(await both(path, { timestamps: [0, 0.9, 1.5] }))).toBeGreaterThan(45);
  });

  test('of flv, whose keyframes a seek finds by when they are decoded', async () => {
    const path = await made('plain.flv', ['-i', fixture('plain.mp4'), '-c', 'copy']);
    // The picture begins 0.021 s behind the sound.
    for (const { files } of await both(path, { timestamps: [0, 1, 1.5, 2.5, 4], format: 'png' })) {
      const pictures = files.map((file) => file.path).filter((name) => name.endsWith('.png'));
      const numbers = await Promise.all(pictures.map((picture) => readNumbers(picture)));
      expect(numbers.flat()).toEqual([0, 29, 44, 74, 119]);
    }
  });

  test.each(sampled(['jpg', 'webp', 'png'], 3))('of a still: %s', async (extension) => {
    const path = await made(`still.${extension}`, ['-i', fixture('plain.mp4'), '-frames:v', '1']);
    expect(await leastLikeness(await both(path, { timestamps: [0, 0], format: 'png' }))).toBe(
      Number.POSITIVE_INFINITY,
    );
  });
});

describe('libav lists the packets that ffprobe lists', () => {
  test.each(
    sampled(['plain.mp4', 'open-gop.mp4', 'vfr.mkv', 'edit-list.mp4', 'late.ts', 'vp9.webm', 'anim.gif'], 3),
  )('of %s', async (name) => {
    const path = fixture(name);
    const format = await demuxerOfFile(path);
    if (!format) throw new Error(`${name} is not media`);
    const source = await completeSource({ path, format });
    const probe = await probeMedia(ctx, source);
    const { video } = probe;
    if (!video) throw new Error(`${name} has no video`);
    const without = { ...ctx, libav: null };
    const [all, expected] = [
      await listPackets(ctx, source, video, [], undefined),
      await listPackets(without, source, video, [], undefined),
    ];
    const facts = (packets: typeof all) => packets.map(({ pts, key }) => ({ pts, key }));
    expect(facts(all)).toEqual(facts(expected));
    if (!canSeek(probe)) return;
    const from = expected[0]?.pts ?? 0;
    const part = await listPackets(ctx, source, video, [[from + 0.4, from + 0.6]], undefined);
    const wanted = expected.filter(({ pts }) => pts >= from + 0.4 && pts <= from + 0.6);
    expect(facts(part)).toEqual(expect.arrayContaining(facts(wanted)));
    expect(part[0]).toEqual(all[0]);
  });
});
