import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { probeMedia } from '../../../transcoder/media/probe/probe-media.ts';
import type { Span } from '../../../transcoder/model/source/byte-ranges.ts';
import { isSpliced } from '../../../transcoder/model/splice.ts';
import { fixture, mediaFixtures, programs } from '../../fixtures/make.ts';
import { table, withTables } from '../../fixtures/mp4-tables.ts';
import { sampled } from '../../sampled.ts';
import { ctx, libav } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** Two surveys: the first by the index, where there is one; the second of a source that may lack bytes, whose packets are read. */
async function surveys(path: string, range: [number, number]) {
  const source = await completeSource({ path, format: 'mov' });
  const { video } = await probeMedia(ctx, source);
  if (!libav || !video || !isSpliced(video.codec)) return null;
  const about = { kind: 'survey' as const, codec: video.codec, stream: video.index, ranges: [range] };
  const parts = source.parts();
  const asked = async (present: Span[] | null) =>
    libav?.ask({ ...about, source: { ...parts, present } }, { sources: [source] });
  return { index: await asked(null), packets: await asked([[0, parts.bytes]]) };
}

const files = mediaFixtures().filter((name) => /\.(mp4|mov)$/.test(name) && !/^empty/.test(name));

test.each(sampled(files, 3))('the index of %s says what its packets say', async (name) => {
  for (const range of [
    [-1e9, 1e9],
    [15_000, 40_000],
  ] as [number, number][]) {
    const found = await surveys(fixture(name), range);
    expect(found?.index).toEqual(found?.packets);
  }
});

test.each(
  sampled(
    [
      ['begins between keyframes', ['-ss', '1.3']],
      ['ends between keyframes', ['-t', '2.7']],
      ['has a gap', ['-itsoffset', '2.5']],
    ],
    3,
  ),
)('the index of a copy that %s says what its packets say', async (name, args) => {
  const path = join(scratch(), `${name.replaceAll(' ', '-')}.mp4`);
  const copy = ['-i', fixture('plain.mp4'), '-map', '0', '-c', 'copy', path];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args, ...copy]);
  const found = await surveys(path, [-1e9, 1e9]);
  expect(found?.index?.parts[0]?.length).toBeGreaterThan(50);
  expect(found?.index).toEqual(found?.packets);
});

test('the last frame of a phone, to which its index gives no duration, lasts as long as libav says', async () => {
  const path = join(scratch(), 'phone.mp4');
  const file = await readFile(fixture('no-sound.mp4'));
  await writeFile(path, withTables(file, { stts: table(0, 2, 179, 512, 1, 0) }));
  const found = await surveys(path, [-1e9, 1e9]);
  expect(found?.index?.parts[0]?.length).toBe(180);
  expect(found?.index).toEqual(found?.packets);
});
