import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readSound } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { table, withTables } from '../../fixtures/mp4-tables.ts';
import { sampled } from '../../sampled.ts';
import { failureOf, operate, operateOn, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** Frames of each of the three clips. */
const CLIP = 60;

const ffmpeg = (...args: string[]) =>
  run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { cwd: scratch() });

const sum = (numbers: readonly number[]) => numbers.reduce((total, one) => total + one, 0);

/** The content of the first box of a type. */
function contentOf(file: Buffer, type: string): Buffer {
  const at = file.indexOf(type, 0, 'latin1');
  return file.subarray(at + 4, at - 4 + file.readUInt32BE(at - 4));
}

/** Clips of different encoders. */
async function joined(name: string, encoders: readonly [string[], string[]], count: number): Promise<string> {
  const [first, other] = encoders;
  const clips: string[] = [];
  for (const [index, encoder] of [first, other, first].slice(0, count).entries()) {
    const clip = `${name}-${index}.mp4`;
    const frames = `select='between(n,${index * CLIP},${(index + 1) * CLIP - 1})',setpts=N/30/TB`;
    await ffmpeg('-i', fixture('plain.mp4'), '-an', '-vf', frames, '-r', '30', ...encoder, clip);
    clips.push(clip);
  }
  return inOneTrack(
    name,
    clips,
    clips.map(() => CLIP),
  );
}

/**
 * Puts clips into one track, which describes the samples of the second one differently, as editors write what they join without encoding.
 * @param lengths Of the clips, in packets.
 */
async function inOneTrack(
  name: string,
  clips: readonly string[],
  lengths: readonly number[],
  { muxing = [], tables = {} }: { muxing?: string[]; tables?: Record<string, Buffer> } = {},
): Promise<string> {
  await writeFile(join(scratch(), `${name}.txt`), clips.map((clip) => `file ${clip}`).join('\n'));
  const whole = join(scratch(), `${name}.mp4`);
  await ffmpeg(
    ...['-f', 'concat', '-auto_convert', '0', '-i', `${name}.txt`, '-c', 'copy', ...muxing, whole],
  );
  const { stdout } = await run(programs, 'ffprobe', [
    ...['-v', 'error', '-show_entries', 'packet=pos', '-of', 'csv=p=0', whole],
  ]);
  const positions = stdout.trim().split('\n').map(Number.parseFloat);
  const entries = await Promise.all(
    clips
      .slice(0, 2)
      .map(async (clip) => contentOf(await readFile(join(scratch(), clip)), 'stsd').subarray(8)),
  );
  const made = withTables(await readFile(whole), {
    stsd: Buffer.concat([table(0, 2), ...entries]),
    stsc: table(
      ...[0, clips.length],
      ...clips.flatMap((_, index) => [sum(lengths.slice(0, index)) + 1, 1, (index % 2) + 1]),
    ),
    stco: table(0, positions.length, ...positions),
    ...tables,
  });
  await writeFile(whole, made);
  return whole;
}

const x264 = (params: string) => [
  '-c:v',
  'libx264',
  '-preset',
  'ultrafast',
  '-g',
  '20',
  '-x264-params',
  params,
];
const x265 = (params: string) => [
  ...['-c:v', 'libx265', '-preset', 'ultrafast', '-tag:v', 'hvc1', '-g', '20'],
  ...['-x265-params', `log-level=none:${params}`],
];

describe.each([
  ['H.264', [x264('cabac=1:bframes=2'), x264('cabac=0:bframes=0:ref=1')]],
  ['HEVC', [x265('bframes=2'), x265('bframes=0:ctu=16:no-sao=1:no-signhide=1')]],
] as const)('a track of %s with two descriptions', (codec, [first, other]) => {
  let source: string;
  beforeAll(async () => {
    source = await joined(codec.replace('.', ''), [first, other], 3);
  });

  test('is what its decoder shows', async () => {
    expect(await readNumbers(source)).toEqual(range(0, 3 * CLIP));
  });

  test.each(
    sampled(
      [
        [0.5, 5.5],
        [1.2, 3.1],
        [2.2, 3.8],
        [3.3, 5.9],
        [4.3, 5.3],
      ],
      3,
    ),
  )('is cut exactly from %f s to %f s', async (start, end) => {
    const done = await operate('cut', source, { start, end });
    expect(await readNumbers(done.path)).toEqual(range(Math.round(start * 30), Math.round(end * 30)));
  });

  test('has the last frame of its last clip', async () => {
    const two = await joined(`${codec.replace('.', '')}-two`, [first, other], 2);
    const done = await operate('frame_last', two, { format: 'png' });
    expect(await readNumbers(done.path)).toEqual([2 * CLIP - 1]);
  });

  test('is cut at keyframes', async () => {
    const done = await operate('cut', source, { start: 1.4, end: 5.1, mode: 'keyframe' });
    const [
      {
        in: [from, to],
      } = { in: [0, 0] },
    ] = done.time_map;
    expect(await readNumbers(done.path)).toEqual(range(Math.round(from * 30), Math.round(to * 30)));
  });

  test('is merged as it is', async () => {
    const frames = range(0, 3 * CLIP);
    const merged = await operateOn('merge_urls', [source, source], {
      urls: ['https://media.example.com/a', 'https://media.example.com/b'],
    });
    expect(await readNumbers(merged.path)).toEqual([...frames, ...frames]);
  });

  test('is transcoded as it is, and not remuxed', async () => {
    const done = await operate('transcode', source, { format: 'mkv' });
    expect(await readNumbers(done.path)).toEqual(range(0, 3 * CLIP));
    for (const format of ['mkv', 'mp4']) {
      const { code, detail } = await failureOf(operate('remux', source, { format }));
      expect([code, detail]).toEqual(['codec_unsupported', expect.stringContaining('Use /transcode.')]);
    }
  });
});

describe('a sound with two descriptions', () => {
  const PACKETS = 100;
  const SECONDS = (PACKETS * 1024) / 48_000;
  const muxing = ['-use_editlist', '0', '-avoid_negative_ts', 'make_zero'];
  let source: string;
  beforeAll(async () => {
    const clips: string[] = [];
    for (const [rate, pitch] of [
      ['48000', '440'],
      ['44100', '880'],
    ]) {
      const clip = `sound-${pitch}.mp4`;
      await ffmpeg(
        ...['-f', 'lavfi', '-i', `sine=${pitch}:r=${rate}:d=4,volume=4`, '-c:a', 'aac'],
        ...['-frames:a', `${PACKETS}`, ...muxing, clip],
      );
      clips.push(clip);
    }
    // Packets of the second clip last 1114.6 ticks of the first one's clock.
    const stts = table(0, 2, PACKETS, 1024, PACKETS, 1115);
    source = await inOneTrack('two-sounds', clips, [PACKETS, PACKETS], { muxing, tables: { stts } });
  });

  const audio = { audio_url: 'https://media.example.com/source' };

  test.each(['mp4', 'mkv'])('is cut into %s as its decoder plays it', async (format) => {
    const start = SECONDS - 1;
    const { path } = await operate('cut', source, { ...audio, start, end: SECONDS + 1, format });
    const sound = await readSound(path);
    expect(pitchOf(sound.subarray(0.2 * 48_000, 0.8 * 48_000))).toBeCloseTo(440, -1);
    expect(pitchOf(sound.subarray(1.2 * 48_000, 1.8 * 48_000))).toBeCloseTo(880, -1);
  });

  test('is not remuxed', async () => {
    for (const format of ['mkv', 'm4a']) {
      const { code, detail } = await failureOf(operate('remux', source, { ...audio, format }));
      expect([code, detail]).toEqual(['codec_unsupported', expect.stringContaining('`audio_only`')]);
    }
  });
});

/** Crossings of zero upwards in a second. */
function pitchOf(sound: Float32Array): number {
  const crossings = sound.reduce(
    (count, level, at) => count + (level >= 0 && (sound[at - 1] ?? 0) < 0 ? 1 : 0),
    0,
  );
  return (crossings * 48_000) / sound.length;
}
