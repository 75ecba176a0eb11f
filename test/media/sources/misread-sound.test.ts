import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { box } from '../../../transcoder/bitstream/mp4/write-tables.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { programs } from '../../fixtures/make.ts';
import { table, withTables } from '../../fixtures/mp4-tables.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

const ffmpeg = (...args: string[]) =>
  run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { cwd: scratch() });

const RATE = 48_000;

/** The description of one channel of samples, as ISO/IEC 23003-5 has it. */
function described(tag: 'ipcm' | 'fpcm', bits: number, littleEndian: boolean): Buffer {
  const entry = Buffer.alloc(28);
  entry.writeUInt16BE(1, 6);
  entry.writeUInt16BE(1, 16);
  entry.writeUInt16BE(16, 18);
  entry.writeUInt32BE(RATE * 0x1_00_00, 24);
  const form = box('pcmC', Buffer.from([0, 0, 0, 0, Number(littleEndian), bits]));
  return Buffer.concat([table(0, 1), box(tag, entry, form)]);
}

async function samplesOf(path: string): Promise<Int16Array> {
  const raw = join(scratch(), 'samples.raw');
  await ffmpeg('-i', path, '-f', 's16le', raw);
  const bytes = await readFile(raw);
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2).slice();
}

async function deepSamplesOf(path: string): Promise<Int32Array> {
  const raw = join(scratch(), 'deep.raw');
  await ffmpeg('-i', path, '-f', 's32le', raw);
  const bytes = await readFile(raw);
  return new Int32Array(bytes.buffer, bytes.byteOffset, bytes.length / 4).slice();
}

test.each(
  sampled(
    [
      { codec: 'pcm_s16be', tag: 'ipcm', bits: 16, little: false },
      { codec: 'pcm_s16le', tag: 'ipcm', bits: 16, little: true },
      { codec: 'pcm_s24le', tag: 'ipcm', bits: 24, little: true },
      { codec: 'pcm_s32be', tag: 'ipcm', bits: 32, little: false },
      { codec: 'pcm_f32le', tag: 'fpcm', bits: 32, little: true },
      { codec: 'pcm_f64be', tag: 'fpcm', bits: 64, little: false },
    ] as const,
    3,
  ),
)('$codec in $tag of mp4 sounds as it was recorded', async ({ codec, tag, bits, little }) => {
  const [quicktime, file] = [`${codec}.mov`, join(scratch(), `${codec}.mp4`)];
  const sweep = `aevalsrc=0.4*sin(2000*t*t):s=${RATE}:d=2`;
  await ffmpeg('-f', 'lavfi', '-i', sweep, '-c:a', codec, '-brand', 'isom', quicktime);
  const wanted = await samplesOf(quicktime);
  const stsd = described(tag, bits, little);
  await writeFile(file, withTables(await readFile(join(scratch(), quicktime)), { stsd }));

  const made = await operate('transcode', file, { audio_only: true, format: 'wav' });
  const heard = await samplesOf(made.path);
  expect(heard).toHaveLength(wanted.length);
  expect(heard.findIndex((sample, at) => Math.abs(sample - (wanted[at] ?? 0)) > 1)).toBe(-1);
});

/** The remainder of a division by a polynomial (RFC 9639, 9.1.8 and 9.3). */
function remainder(bytes: Uint8Array, bits: 8 | 16): number {
  const polynomial = bits === 8 ? 0x07 : 0x8005;
  let left = 0;
  for (const byte of bytes) {
    left ^= byte << (bits - 8);
    for (let bit = 0; bit < 8; bit++) {
      const carries = (left >> (bits - 1)) & 1;
      left = ((left << 1) ^ (carries ? polynomial : 0)) & (2 ** bits - 1);
    }
  }
  return left;
}

const BLOCK = 4096;

/** FLAC of one channel, whose samples of 32 bits are written as they are. */
function flac32(samples: Int32Array): Buffer {
  const information = Buffer.alloc(34);
  information.writeUInt16BE(BLOCK, 0);
  information.writeUInt16BE(BLOCK, 2);
  information.writeUInt32BE(RATE * 0x10_00 + 31 * 0x10, 10);
  information.writeUInt32BE(samples.length, 14);
  const frames = Array.from({ length: samples.length / BLOCK }, (_, number) => {
    const start = Buffer.from([0xff, 0xf8, 0xca, 0x0e, number]);
    const header = Buffer.from([...start, remainder(start, 8), 2]);
    const values = Buffer.alloc(4 * BLOCK);
    for (let at = 0; at < BLOCK; at++) values.writeInt32BE(samples[number * BLOCK + at] ?? 0, 4 * at);
    const frame = Buffer.concat([header, values]);
    const check = Buffer.alloc(2);
    check.writeUInt16BE(remainder(frame, 16));
    return Buffer.concat([frame, check]);
  });
  return Buffer.concat([Buffer.from('fLaC'), Buffer.from([0x80, 0, 0, 34]), information, ...frames]);
}

/** A step of the 24 bits of the result. */
const STEP = 256;

test('FLAC with samples of 32 bits sounds as it was recorded', async () => {
  const [file, name] = [join(scratch(), 'wide.flac'), 'wide.wav'];
  await ffmpeg(
    '-f',
    'lavfi',
    '-i',
    `aevalsrc=0.4*sin(2000*t*t):s=${RATE}`,
    '-af',
    `atrim=end_sample=${8 * BLOCK}`,
    '-c:a',
    'pcm_s32le',
    name,
  );
  const wanted = await deepSamplesOf(name);
  await writeFile(file, flac32(wanted));

  const made = await operate('transcode', file, { audio_only: true, format: 'wav' });
  const heard = await deepSamplesOf(made.path);
  expect(heard).toHaveLength(wanted.length);
  expect(heard.findIndex((sample, at) => Math.abs(sample - (wanted[at] ?? 0)) > STEP)).toBe(-1);
  expect((await operate('probe', file, {})).data.streams).toEqual([
    expect.objectContaining({ codec: 'flac' }),
  ]);
});

test.each(sampled(['alac', 'libopus'], 3))(
  'samples that Core Audio files of %s state as priming are not heard',
  async (codec) => {
    const [plain, file] = [`${codec}.caf`, join(scratch(), `primed-${codec}.caf`)];
    const sweep = `aevalsrc=0.4*sin(2000*t*t):s=${RATE}:d=2`;
    await ffmpeg('-f', 'lavfi', '-i', sweep, '-c:a', codec, plain);
    const wanted = await samplesOf(plain);
    const bytes = await readFile(join(scratch(), plain));
    const counts = bytes.indexOf('pakt') + 12;
    // Behind two numbers of 64 bits, of packets and of frames that are heard.
    bytes.writeBigInt64BE(bytes.readBigInt64BE(counts + 8) - BigInt(PRIMING), counts + 8);
    bytes.writeInt32BE(bytes.readInt32BE(counts + 16) + PRIMING, counts + 16);
    await writeFile(file, bytes);

    const url = 'https://media.example.com/primed.caf';
    const made = await operate('cut', file, { audio_url: url, start: 0, end: 1 });
    const heard = await samplesOf(made.path);
    const [late, early] = [PRIMING, 0].map((skipped) => distance(heard, wanted.subarray(skipped)));
    expect(late).toBeLessThan((early ?? 0) / 10);
  },
);

const PRIMING = 2112;

/** Mean difference of the samples from 0.1 s to 0.9 s. */
function distance(heard: Int16Array, wanted: Int16Array): number {
  const [from, to] = [0.1 * RATE, 0.9 * RATE];
  let sum = 0;
  for (let at = from; at < to; at++) sum += Math.abs((heard[at] ?? 0) - (wanted[at] ?? 0));
  return sum / (to - from);
}
