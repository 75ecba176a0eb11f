import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { probeMedia } from '../../../transcoder/media/probe/probe-media.ts';
import { demuxerOfFile } from '../../../transcoder/source/sniff.ts';
import { fixture, mediaFixtures, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { ctx } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-probe-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const x264 = ['-c:v', 'libx264', '-preset', 'veryfast'];
const plain = ['-i', fixture('plain.mp4')];
const still = ['-i', fixture('still.png')];
const of = (name: string) => ['-i', fixture(name), '-c', 'copy'];
const copied = [...plain, '-c', 'copy'];
const sound = [...plain, '-map', '0:a'];

/** What is made beside the fixtures, each by one run of ffmpeg. */
const made: Record<string, string[]> = {
  'fragmented.mp4': [...copied, '-movflags', 'frag_keyframe+empty_moov+default_base_moof'],
  'front.mp4': [...copied, '-movflags', '+faststart'],
  'colours-in-band.mp4': [
    ...[...plain, ...x264, '-c:a', 'copy', '-movflags', '-write_colr', '-x264-params'],
    'colorprim=bt709:transfer=bt709:colormatrix=bt709:fullrange=on',
  ],
  'colours-of-the-container.mp4': [
    ...[...copied, '-color_primaries', 'bt2020', '-color_trc', 'smpte170m', '-colorspace', 'bt2020nc'],
  ],
  'full-range.mp4': [...plain, ...x264, '-pix_fmt', 'yuvj420p', '-c:a', 'copy'],
  'full-range-422.mp4': [...plain, ...x264, '-pix_fmt', 'yuvj422p'],
  'interlaced.mp4': [...plain, '-vf', 'interlace', '-flags', '+ildct+ilme', ...x264],
  'deep-422.mp4': [...plain, ...x264, '-pix_fmt', 'yuv422p10le'],
  'deep-intra.mp4': [...plain, ...x264, '-pix_fmt', 'yuv420p10le', '-g', '1'],
  'grey.mp4': [...plain, ...x264, '-pix_fmt', 'gray'],
  'rgb.mp4': [...plain, '-c:v', 'libx264rgb'],
  'baseline.mp4': [...plain, ...x264, '-profile:v', 'baseline'],
  'b-pyramid.mp4': [...plain, ...x264, '-bf', '8', '-x264-params', 'b-pyramid=normal:b-adapt=0'],
  'all-that-a-set-can-tell.mp4': [
    ...[...plain, ...x264, '-movflags', '-write_colr', '-x264-params'],
    [
      ...['nal-hrd=vbr:vbv-maxrate=900:vbv-bufsize=900:pic-struct=1:chromaloc=2:overscan=show'],
      ...['videoformat=pal:fullrange=on:sar=123/457'],
      ...['colorprim=smpte170m:transfer=iec61966-2-1:colormatrix=smpte240m'],
    ].join(':'),
  ],
  'cropped-by-its-set.mp4': [...copied, '-bsf:v', 'h264_metadata=crop_left=4:crop_right=6:crop_top=2'],
  'hevc-full-range.mp4': [
    ...[...plain, '-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv422p10le', '-x265-params'],
    'log-level=none:range=full:sar=2:colorprim=smpte432:transfer=smpte428:colormatrix=bt709',
  ],
  'hlg.mp4': [
    ...[...plain, '-c:v', 'libx265', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p10le', '-x265-params'],
    'log-level=none:colorprim=bt2020:transfer=arib-std-b67:colormatrix=bt2020nc',
  ],
  'hdr-av1.mp4': [
    ...[...plain, '-c:v', 'libsvtav1', '-preset', '12', '-pix_fmt', 'yuv420p10le'],
    ...['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc'],
  ],
  'seven.mp4': [...plain, '-c:v', 'copy', '-c:a', 'aac', '-ac', '8'],
  'low-rate.mp4': [...plain, '-c:v', 'copy', '-c:a', 'aac', '-ar', '22050', '-ac', '1'],
  'alac.m4a': [...sound, '-c:a', 'alac'],
  'flac.mp4': [...plain, '-c:v', 'copy', '-c:a', 'flac', '-strict', '-2'],
  'six.mov': [...plain, '-c:v', 'copy', '-c:a', 'pcm_f32le', '-ac', '6'],
  'late-picture.mp4': ['-itsoffset', '0.7', ...plain, ...plain, '-map', '0:v', '-map', '1:a', '-c', 'copy'],
  'h264.avi': copied,
  'mpeg4.avi': [...plain, '-c:v', 'mpeg4', '-bf', '2', '-c:a', 'libmp3lame'],
  'h264.flv': copied,
  'h264.ts': copied,
  'mpeg2.ts': [...plain, '-c:v', 'mpeg2video', '-c:a', 'mp2'],
  'hevc.ts': of('hevc.mp4'),
  'adts.aac': [...sound, '-c', 'copy'],
  'opus.ogg': [...sound, '-c:a', 'libopus'],
  'ac3.mp4': [...plain, '-c:v', 'copy', '-c:a', 'ac3'],
  'mp3.mp4': [...plain, '-c:v', 'copy', '-c:a', 'libmp3lame'],
  'opus.mp4': [...plain, '-c:v', 'copy', '-c:a', 'libopus', '-strict', '-2'],
  'pcm24.mov': [...plain, '-c:v', 'copy', '-c:a', 'pcm_s24le'],
  'timecode.mov': [...copied, '-timecode', '01:00:00:00'],
  'prores.mov': [...plain, '-c:v', 'prores_ks', '-c:a', 'pcm_s16le'],
  'mjpeg.mov': [...plain, '-c:v', 'mjpeg', '-an'],
  'still.jpg': [...plain, '-frames:v', '1'],
  'still.webp': [...plain, '-frames:v', '1'],
  'deep.png': [...plain, '-frames:v', '1', '-pix_fmt', 'rgba64be'],
  'rotated.mkv': of('rotated.mp4'),
  'wide.mkv': of('wide-pixels.mp4'),
  'hdr.mkv': of('hdr10.mp4'),
  '10bit.mkv': of('h264-10bit.mp4'),
  'vp9.mp4': of('vp9.webm'),
  'av1.mkv': of('av1.mp4'),
  'languages.mkv': [...copied, '-metadata:s:a', 'language=deu', '-metadata:s:v', 'language=und'],
  'mono.wav': [...sound, '-ac', '1', '-c:a', 'pcm_u8'],
  'six.wav': [...sound, '-ac', '6', '-c:a', 'pcm_s24le'],
  'law.wav': [...sound, '-c:a', 'pcm_alaw'],
  'cover.mp3': ['-i', fixture('sound.mp3'), ...still, '-map', '0', '-map', '1', '-c', 'copy'],
  'cover.flac': [
    ...['-i', fixture('sound.flac'), ...still, '-map', '0', '-map', '1', '-c', 'copy'],
    ...['-disposition:v', 'attached_pic'],
  ],
};

/** Facts in which two versions of libav differ without either being wrong, and by how much at most. */
const tolerances: Record<string, (one: number, other: number) => boolean> = {
  duration: (one, other) => Math.abs(one - other) < 0.03,
  startTime: (one, other) => Math.abs(one - other) < 0.008,
  kbps: (one, other) => Math.abs(one / other - 1) < 0.025,
};

function differences(one: unknown, other: unknown, name = '', path = ''): string[] {
  if (typeof one === 'number' && typeof other === 'number') {
    const same = tolerances[name]?.(one, other) ?? Math.abs(one - other) < 1e-6;
    return same ? [] : [`${path}: ${one}, ${other}`];
  }
  if (one && other && typeof one === 'object' && typeof other === 'object') {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    const of = (value: object, key: string): unknown => Reflect.get(value, key);
    return [...names].flatMap((key) => differences(of(one, key), of(other, key), key, `${path}.${key}`));
  }
  // The matrix of RGB is none; older versions leave it untold.
  if (name === 'space' && one === 'gbr' && other === null) return [];
  return one === other ? [] : [`${path}: ${JSON.stringify(one)}, ${JSON.stringify(other)}`];
}

async function compared(path: string): Promise<string[]> {
  const format = await demuxerOfFile(path);
  if (!format) throw new Error(`${path} is not media`);
  const source = await completeSource({ path, format });
  return differences(await probeMedia(ctx, source), await probeMedia({ ...ctx, libav: null }, source));
}

describe('libav tells what ffprobe tells', () => {
  test.each(sampled(mediaFixtures(), 6))('of %s', async (name) => {
    expect(await compared(fixture(name))).toEqual([]);
  });

  test.each(sampled(Object.entries(made), 4))('of %s', async (name, args) => {
    const path = join(directory, name);
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args, path]);
    expect(await compared(path)).toEqual([]);
  });
});

test('tells sound of high efficiency from that of low complexity', async () => {
  const path = join(directory, 'high-efficiency.mp4');
  const low = [...plain, '-c:v', 'copy', '-c:a', 'aac', '-ar', '24000'];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...low, path]);
  const file = await readFile(path);
  // The sync extension of its AudioSpecificConfig, which says no to band replication, is made to say 48 kHz.
  const at = file.indexOf('56e500', 0, 'hex');
  expect(at).toBeGreaterThan(0);
  file[at + 2] = 0x98;
  await writeFile(path, file);
  expect(await compared(path)).toEqual([]);
  const probe = await probeMedia(ctx, await completeSource({ path, format: 'mov' }));
  expect(probe.audio).toMatchObject({ codec: 'aac', sampleRate: 48_000 });
});

/** Of these the header tells all; of the others packets have to be read too. */
const described = [
  ...['plain.mp4', 'rotated.mp4', 'wide-pixels.mp4', 'tagged.mp4', 'vfr.mp4', 'edit-list.mp4', 'odd-444.mp4'],
  ...['h264-10bit.mp4', 'hevc.mp4', 'hevc-10bit.mp4', 'av1.mp4', 'surround.mp4', 'sound.m4a', 'pcm.mov'],
];

test.each(sampled(described, 6))('reads nothing of %s but its index', async (name) => {
  const file = await readFile(fixture(name));
  const data = file.indexOf('mdat') + 4;
  file.fill(0, data, data - 8 + file.readUInt32BE(data - 8));
  const path = join(directory, `wiped-${name}`);
  await writeFile(path, file);
  const [wiped, whole] = await Promise.all(
    [path, fixture(name)].map(async (one) => completeSource({ path: one, format: 'mov' })),
  );
  if (!wiped || !whole) throw new Error('there are no sources');
  expect(await probeMedia(ctx, wiped)).toEqual(await probeMedia(ctx, whole));
});

test('asks libav alone, where there is one', async () => {
  const asked: string[] = [];
  const log = { ...ctx.log, warn: (message: string) => asked.push(message) };
  const nowhere = { ffmpeg: '/nowhere/ffmpeg', ffprobe: '/nowhere/ffprobe' };
  const probe = await probeMedia(
    { ...ctx, programs: nowhere, log: log as never },
    await completeSource({ path: fixture('plain.mp4'), format: 'mov' }),
  );
  expect(probe).toMatchObject({ duration: 6, video: { codec: 'h264', pixelFormat: 'yuv420p' } });
  expect(asked).toEqual([]);
});
