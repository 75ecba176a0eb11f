import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { probeMedia } from '../../../transcoder/media/probe/probe-media.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { filteredPictures } from '../../fixtures/decoded.ts';
import { fixture, programs, stateMatrix } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { ctx, operateOn, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

const url = 'https://media.example.com/a.mp4';

/** How frames are stored, and the matrix that makes them upright. */
const stored = {
  flipped: { filter: 'vflip', matrix: [1, 0, 0, -1], rotation: 0 },
  mirrored: { filter: 'hflip', matrix: [-1, 0, 0, 1], rotation: 180 },
  transposed: { filter: 'transpose=0', matrix: [0, 1, 1, 0], rotation: 90 },
  'transposed twice': { filter: 'transpose=3', matrix: [0, -1, -1, 0], rotation: 270 },
} as const;
type Stored = keyof typeof stored;

/** The first two seconds of `plain.mp4`, stored so. */
async function made(name: Stored): Promise<string> {
  const path = join(scratch(), `${name.replace(' ', '-')}.mp4`);
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-i', fixture('plain.mp4'), '-t', '2', '-vf', stored[name].filter],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '18', '-c:a', 'copy', path],
  ]);
  await stateMatrix(path, stored[name].matrix);
  return path;
}

describe.each(sampled(Object.keys(stored) as Stored[], 3))('a picture that is stored %s', (name) => {
  test('is known as mirrored, by libav and by ffprobe', async () => {
    const source = await completeSource({ path: await made(name), format: 'mov' });
    for (const libav of [ctx.libav, null]) {
      const { video } = await probeMedia({ ...ctx, libav }, source);
      expect(video).toMatchObject({ mirrored: true, rotation: stored[name].rotation });
    }
  });

  test('is upright in a merge, first and last', async () => {
    const path = await made(name);
    for (const files of [
      [path, 'plain.mp4'],
      ['plain.mp4', path],
    ]) {
      const urls = files.map(() => ({ url, end: 1 }));
      const done = await operateOn('merge_urls', files, { urls });
      expect(await readNumbers(done.path)).toEqual([...range(0, 30), ...range(0, 30)]);
    }
  });

  test('is upright in AV1', async () => {
    const request = { video_url: url, codec: 'av1', quality: { crf: 20 } };
    const done = await operateOn('transcode', [await made(name)], request);
    expect(await readNumbers(done.path)).toEqual(range(0, 60));
  });

  test('gets its captions as players mirror it', async () => {
    const captions = '1\n00:00:00,500 --> 00:00:01,500\nHello there.\n';
    const captioned = async (source: string) => {
      const request = { video_url: url, captions, style: { font_size_percent: 14 } };
      const { path } = await operateOn('captions_auto', [source], request);
      return filteredPictures(path, "select='eq(n,30)',scale=96:54:flags=area,format=gray", 1);
    };
    const [found, wanted] = [await captioned(await made(name)), await captioned('plain.mp4')];
    const far = found.reduce((sum, level, at) => sum + Math.abs(level - (wanted[at] ?? 0)), 0) / found.length;
    expect(found).toHaveLength(wanted.length);
    expect(far).toBeLessThan(4);
  });
});
