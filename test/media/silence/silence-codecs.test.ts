import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { OperationData } from '../../../schema/operations/index.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { isOlder } from '../../../transcoder/model/ffmpeg-version.mjs';
import { readNumbers, readTimes } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { complaints, packetHashes } from '../../fixtures/packets.ts';
import { sampled } from '../../sampled.ts';
import { ctx, type Done, operate, range } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-silence-codecs-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const RATE = 30;
const dataOf = (done: Done) => done.data as OperationData<'silence_process'>;

const x265 = (params: string) => [
  ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', `log-level=none:bframes=4:${params}`],
];

/** Speech with pauses, its picture in other codecs. */
const sources: Record<string, { file: string; args: string[]; format: string }> = {
  'HEVC with closed GOPs': {
    ...{ file: 'closed.mp4', args: x265('keyint=24:open-gop=0:b-adapt=0'), format: 'mp4' },
  },
  'HEVC with open GOPs': { file: 'open.mkv', args: x265('keyint=24:open-gop=1:b-adapt=0'), format: 'mp4' },
  'HEVC of ten bits': {
    ...{ file: 'ten.mp4', args: [...x265('keyint=30'), '-pix_fmt', 'yuv420p10le'], format: 'mkv' },
  },
  AV1: { file: 'svt.mp4', args: ['-c:v', 'libsvtav1', '-preset', '10', '-g', '24'], format: 'mp4' },
  VP9: {
    file: 'alternate.webm',
    args: ['-c:v', 'libvpx-vp9', '-b:v', '400k', '-g', '24', '-cpu-used', '5', '-c:a', 'libopus'],
    format: 'webm',
  },
};

async function make(file: string, args: readonly string[]): Promise<string> {
  const path = join(directory, file);
  const source = ['-i', fixture('speech.mp4'), '-c:a', 'copy'];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...source, ...args, path]);
  return path;
}

test.each(sampled(Object.entries(sources), 3))(
  'silences of %s leave frame by frame what is kept',
  async (_, source) => {
    const path = await make(source.file, source.args);
    const [all, packets] = [await readNumbers(path), await packetHashes(path)];
    const request = { min_silence: 0.3, padding_before: 0.1, padding_after: 0.05, format: source.format };
    const done = await operate('silence_process', path, request);
    const { segments, copied_seconds, rendered_seconds } = dataOf(done);
    // Matroska shifts the picture by what the sound's decoder needs before its first sample.
    const times = await readTimes(path);
    const edge = (time: number) => times.findIndex((shown) => shown >= time - 0.5 / RATE);
    const kept = segments
      .filter(({ action }) => action === 'keep')
      .flatMap(({ start, end }) => range(edge(start), edge(end)));
    const numbers = await readNumbers(done.path);
    expect(numbers).toEqual(kept.map((index) => all[index]));
    expect(await complaints(done.path)).toBe('');
    for (const [index, time] of (await readTimes(done.path)).entries()) {
      expect(Math.abs(time - index / RATE)).toBeLessThan(0.0011);
    }

    expect(copied_seconds).toBeGreaterThan(1);
    expect(copied_seconds + rendered_seconds).toBeCloseTo(done.duration ?? 0, 5);
    const known = new Set(packets);
    const taken = (await packetHashes(done.path)).filter((hash) => known.has(hash)).length;
    // The first packet of a copied run of HEVC may be marked as one that nothing before it is needed for.
    expect(taken).toBeGreaterThanOrEqual(Math.round(copied_seconds * RATE) - segments.length);

    const rendered = await operate(
      'silence_process',
      path,
      { segments, format: source.format },
      { libav: null },
    );
    expect(await readNumbers(rendered.path)).toEqual(numbers);
  },
);

test('a first part without a picture is kept in Matroska in another codec', async () => {
  const segments = [
    { start: 0, end: 0.5, action: 'keep' },
    { start: 0.5, end: 2, action: 'silent' },
  ];
  const request = { mode: 'remove', segments, format: 'mkv', codec: 'hevc' };
  const done = await operate('silence_process', 'late-video.mkv', request);
  expect(await readNumbers(done.path)).toEqual(range(29, 180));
  // AAC begins 1024 samples before the first that is heard; ffmpeg states that delay since version 7, and before moves the picture.
  const late = isOlder(ctx.capabilities.version, 7) ? 1024 / 48_000 : 0;
  expect((await readTimes(done.path))[0]).toBeCloseTo(0.5 + late, 2);
});
