import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { x264Build } from '../../../transcoder/bitstream/x264-version.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { probeMedia } from '../../../transcoder/media/probe/probe-media.ts';
import { repacked } from '../../../transcoder/media/remux/remux.ts';
import { demuxerOfFile } from '../../../transcoder/source/sniff.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { ctx, operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** A build that coded 4:4:4 in a way of its own. The fixture only says that it is of this build. */
const BUILD = 142;
const NAME = 'x264 - core ';
const [SECONDS, RATE, GOP] = [4, 25, 20];

const ffmpeg = (...args: string[]) =>
  run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { cwd: scratch() });

const at = (name: string) => join(scratch(), name);

async function make(name: string, build: number | null, pixels: string): Promise<void> {
  await ffmpeg(
    ...['-f', 'lavfi', '-i', `testsrc2=s=192x108:r=${RATE}:d=${SECONDS}`, '-pix_fmt', pixels],
    // Without 8×8 transforms, the builds code alike.
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-x264-params', `8x8dct=0:keyint=${GOP}:scenecut=0`, name],
  );
  if (build === null) return;
  const bytes = await readFile(at(name));
  bytes.write(String(build), bytes.indexOf(NAME) + NAME.length, 'latin1');
  await writeFile(at(name), bytes);
}

/** How often x264 names itself in the stream, and as which build first. */
async function namesIn(path: string): Promise<{ count: number; build: number | null }> {
  await ffmpeg(
    '-i',
    path,
    '-map',
    '0:v',
    '-c',
    'copy',
    '-bsf:v',
    'h264_mp4toannexb',
    '-f',
    'h264',
    'raw.h264',
  );
  const bytes = await readFile(at('raw.h264'));
  return { count: bytes.toString('latin1').split(NAME).length - 1, build: x264Build(bytes) };
}

/** Which packets of the video are keyframes, in the order of the file. */
async function keyframesOf(name: string): Promise<number[]> {
  const entries = ['-select_streams', 'v', '-show_entries', 'packet=flags', '-of', 'csv=p=0'];
  const { stdout } = await run(programs, 'ffprobe', ['-v', 'error', ...entries, at(name)]);
  const flags = stdout.trim().split('\n');
  return flags.flatMap((flag, index) => (flag.startsWith('K') ? [index] : []));
}

async function repackedOf(name: string) {
  const path = at(name);
  const source = await completeSource({ path, format: (await demuxerOfFile(path)) ?? 'mov' });
  const probe = await probeMedia(ctx, source);
  return {
    source,
    made: await repacked(ctx, source, probe, {
      ...{ directory: scratch(), name: `of-${name}`, remuxedFor: 'decoding' },
    }),
  };
}

beforeAll(async () => {
  for (const container of ['mp4', 'mkv']) await make(`old.${container}`, BUILD, 'yuv444p');
  await make('new.mp4', null, 'yuv444p');
  await make('old-420.mp4', BUILD, 'yuv420p');
});

describe.each(sampled(['mp4', 'mkv'], 3))(
  '4:4:4 of an x264 whose version a decoder has to know, in %s',
  (container) => {
    test('says it at each keyframe', async () => {
      const name = `old.${container}`;
      await repackedOf(name);
      expect(await namesIn(at(name))).toEqual({ count: 1, build: BUILD });
      expect(await namesIn(at(`of-${name}`))).toEqual({ count: (SECONDS * RATE) / GOP, build: BUILD });
    });

    test('keeps its keyframes, and its end is found', async () => {
      const name = `old.${container}`;
      await repackedOf(name);
      expect(await keyframesOf(`of-${name}`)).toEqual(await keyframesOf(name));
      expect((await operate('frame_last', at(name), {})).data).toMatchObject({
        timestamp: SECONDS - 1 / RATE,
      });
    });

    test('says it in a cut that copies from a later keyframe on', async () => {
      const asked = { video_url: 'https://media.example.com/old', start: 1.6, end: 3.2, mode: 'keyframe' };
      const done = await operate('cut', at(`old.${container}`), asked);
      expect((await namesIn(done.path)).build).toBe(BUILD);
    });
  },
);

test.each(sampled(['new.mp4', 'old-420.mp4'], 3))('%s is read as it is', async (name) => {
  const { source, made } = await repackedOf(name);
  expect(made).toBe(source);
});
