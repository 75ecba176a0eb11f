import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { elementsOf } from '../../fixtures/ebml.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { VP8 } from '../../fixtures/vp8.ts';
import { sampled } from '../../sampled.ts';
import { operate, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

const RATE = 30;

/** Without the table of sync samples, every sample is one (ISO/IEC 14496-12, 8.6.2). */
async function withoutTable(): Promise<Buffer> {
  const file = await readFile(fixture('plain.mp4'));
  file.write('free', file.indexOf('stss'), 'latin1');
  return file;
}

/** The flags of a sample that is no sync sample (8.8.3.1). */
const DEPENDENT = 0x01010000;

/** @param flags Of every sample of the fragments. */
async function fragmented(flags: number): Promise<Buffer> {
  const path = join(scratch(), 'fragments.mp4');
  const args = ['-v', 'error', '-y', '-i', fixture('plain.mp4'), '-map', '0:v', '-c', 'copy'];
  await run(programs, 'ffmpeg', [...args, '-movflags', 'frag_keyframe+empty_moov+default_base_moof', path]);
  const file = await readFile(path);
  for (const [type, flagged, place] of [
    ['tfhd', 0x20, 'last'],
    ['trun', 0x04, 'first'],
  ] as const) {
    for (let at = file.indexOf(type); at >= 0; at = file.indexOf(type, at + 4)) {
      if ((file.readUInt32BE(at + 4) & flagged) === 0) continue;
      // In a run, after the number of samples and the offset of the data.
      file.writeUInt32BE(flags, place === 'first' ? at + 16 : at - 4 + file.readUInt32BE(at - 4) - 4);
    }
  }
  return file;
}

test.each(
  sampled(
    [
      ['an mp4 that flags every sample as a keyframe', withoutTable],
      ['an mp4 whose fragments flag every sample as a keyframe', () => fragmented(0)],
      ['an mp4 whose fragments flag no sample as a keyframe', () => fragmented(DEPENDENT)],
    ],
    3,
  ),
)('%s shows the right frames, and what can be copied is copied', async (name, make) => {
  const path = join(scratch(), `${name}.mp4`);
  await writeFile(path, await make());
  const count = (await readNumbers(fixture('plain.mp4'))).length;

  const shown = [0, 47, 76];
  const still = await operate('frame', path, {
    timestamps: shown.map((n) => (n + 0.5) / RATE),
    format: 'png',
  });
  const numbers = await Promise.all(still.files.map(async (file) => (await readNumbers(file.path))[0]));
  expect(numbers).toEqual(shown);
  const last = await operate('frame_last', path, { format: 'png' });
  expect(await readNumbers(last.path)).toEqual([count - 1]);
  const part = await operate('cut', path, { start: 0.5, end: 3.5 });
  expect(await readNumbers(part.path)).toEqual(range(15, 105));
  expect(part.data.copied_seconds).toBeGreaterThan(1);
  const fromKey = await operate('cut', path, { start: 1.1, end: 2.5, mode: 'keyframe' });
  expect((await readNumbers(fromKey.path))[0]).toBe(30);
});

const SEGMENT = 0x18538067;
const CLUSTER = 0x1f43b675;
const CUES = 0x1c53bb6b;
const UNKNOWN = 0x1c53bb6a;
/** The list of the parts of a file, which ffmpeg writes first, names the index as well. */
const SEEK_HEAD_END = 300;
const SIMPLE_BLOCK = 0xa3;
/** After the number of the track, in one byte, and the time, in two (RFC 9559, 10.2). */
const FLAGS_AT = 3;
const KEYFRAME = 0x80;

/** Sets or clears the flag of every block, and gives the index of keyframes an unknown name, as recorders that stream write none. */
function flagBlocks(file: Buffer, keyframe: boolean): void {
  file.writeUInt32BE(UNKNOWN, file.indexOf(Buffer.from(CUES.toString(16), 'hex'), SEEK_HEAD_END));
  const segment = elementsOf(file).find(({ id }) => id === SEGMENT)?.content ?? Buffer.alloc(0);
  const clusters = elementsOf(segment).filter(({ id }) => id === CLUSTER);
  for (const { id, content } of clusters.flatMap((cluster) => elementsOf(cluster.content))) {
    if (id !== SIMPLE_BLOCK) continue;
    const others = content.readUInt8(FLAGS_AT) & ~KEYFRAME;
    content.writeUInt8(others | (keyframe ? KEYFRAME : 0), FLAGS_AT);
  }
}

const fast = ['-deadline', 'realtime', '-cpu-used', '8'];

describe.each(
  sampled(
    [
      ['VP8', [...VP8, ...fast, '-b:v', '1M']],
      ['VP9', ['-c:v', 'libvpx-vp9', ...fast, '-b:v', '1M']],
      ['AV1', ['-c:v', 'libsvtav1', '-preset', '12', '-crf', '30']],
      ['MPEG-2', ['-c:v', 'mpeg2video', '-q:v', '2', '-bf', '2']],
      ['MPEG-4', ['-c:v', 'mpeg4', '-q:v', '2', '-bf', '0']],
      ['Theora', ['-c:v', 'libtheora', '-q:v', '9']],
    ] as const,
    3,
  ),
)('Matroska with %s', (codec, encoder) => {
  const whole = join(scratch(), `${codec}.mkv`);

  beforeAll(async () => {
    const args = ['-v', 'error', '-nostdin', '-y', '-i', fixture('no-sound.mp4'), ...encoder];
    await run(programs, 'ffmpeg', [...args, '-g', '30', '-bitexact', whole]);
  });

  test.each(
    sampled(
      [
        ['every', true],
        ['no', false],
      ],
      3,
    ),
  )('that flags %s block as a keyframe shows the right frames', async (which, keyframe) => {
    const path = join(scratch(), `${codec}-${which}.mkv`);
    const file = await readFile(whole);
    flagBlocks(file, keyframe);
    await writeFile(path, file);

    const shown = [0, 47, 76, 100];
    const timestamps = shown.map((n) => (n + 0.5) / RATE);
    const still = await operate('frame', path, { timestamps, format: 'png' });
    const numbers = await Promise.all(still.files.map(async (made) => (await readNumbers(made.path))[0]));
    expect(numbers).toEqual(shown);
    for (const [from, to] of [
      [50, 120],
      [121, 140],
    ] as const) {
      const part = await operate('cut', path, { start: from / RATE, end: to / RATE });
      expect(await readNumbers(part.path)).toEqual(range(from, to));
    }
  });
});
