import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from '../../transcoder/ffmpeg/run.ts';
import { probeMedia } from '../../transcoder/media/probe.ts';
import { completeSource } from '../../transcoder/media-source.ts';
import { demuxerOfFile } from '../../transcoder/source/sniff.ts';
import { fixture, fixtures, programs } from '../fixtures/make.ts';
import { ctx } from './engine.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-probe-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

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
    ...[...plain, '-c:v', 'libx264', '-c:a', 'copy', '-movflags', '-write_colr', '-x264-params'],
    'colorprim=bt709:transfer=bt709:colormatrix=bt709:fullrange=on',
  ],
  'full-range.mp4': [...plain, '-c:v', 'libx264', '-pix_fmt', 'yuvj420p', '-c:a', 'copy'],
  'interlaced.mp4': [...plain, '-vf', 'interlace', '-flags', '+ildct+ilme', '-c:v', 'libx264'],
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
  return differences(await probeMedia(ctx, source), await probeMedia({ ...ctx, engine: null }, source));
}

describe('the engine tells what ffprobe tells', () => {
  const media = readdirSync(fixtures).filter((name) => !/^(stamp|empty|master)/.test(name));

  test.each(media)('of %s', async (name) => {
    expect(await compared(fixture(name))).toEqual([]);
  });

  test.each(Object.entries(made))('of %s', async (name, args) => {
    const path = join(directory, name);
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args, path]);
    expect(await compared(path)).toEqual([]);
  });
});

test('asks the engine alone, where there is one', async () => {
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
