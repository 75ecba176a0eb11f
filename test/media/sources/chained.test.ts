import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { oggPageAt } from '../../../transcoder/bitstream/ogg-page.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { readNumbers, readPulses, readSound } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { oggChecksum } from '../../fixtures/ogg-checksum.ts';
import { sampled } from '../../sampled.ts';
import { failureOf, libav, operate, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** A click half a second after the beginning of each recording, and the length of both. */
const [FIRST, SECOND, CLICK] = [1.6, 2.2, 0.5];

async function recording(name: string, seconds: number, args: string[]): Promise<Buffer> {
  const path = join(scratch(), name);
  const click = `0.02*sin(300*t)+0.9*sin(6283*t)*between(t,${CLICK},${CLICK + 0.02})`;
  const source = `aevalsrc='${click}':s=48000:d=${seconds}`;
  await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', source, ...args, path]);
  return readFile(path);
}

/** A cover as a tag (RFC 9639, 8.8), which libav reads as a picture track: one pixel of GIF, with its type, names and size before it. */
function cover(): string {
  const picture = Buffer.from('R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7', 'base64');
  const words = (...values: number[]) => Buffer.from(values.flatMap((value) => [0, 0, 0, value]));
  const name = Buffer.from('image/gif');
  const block = [words(3, name.length), name, words(0, 1, 1, 24, 0, picture.length), picture];
  return `METADATA_BLOCK_PICTURE=${Buffer.concat(block).toString('base64')}`;
}
const covered = ['-c:a', 'libvorbis', '-metadata', cover()];

const kinds: [name: string, first: string[], second: string[]][] = [
  ['Vorbis', ['-c:a', 'libvorbis', '-q:a', '3'], ['-c:a', 'libvorbis', '-q:a', '7']],
  ['Vorbis with covers', covered, [...covered, '-q:a', '7']],
  ['Vorbis of two rates', ['-c:a', 'libvorbis', '-ar', '44100'], ['-c:a', 'libvorbis', '-ac', '2']],
  ['Opus', ['-c:a', 'libopus'], ['-c:a', 'libopus', '-ac', '2']],
  ['FLAC', ['-c:a', 'flac'], ['-c:a', 'flac']],
];

test.each(sampled(kinds, 3))(
  'recordings that are chained in one Ogg file are all heard: %s',
  async (name, one, other) => {
    const file = name.replaceAll(' ', '-');
    const [first, second] = [
      await recording(`${file}-1.ogg`, FIRST, one),
      await recording(`${file}-2.ogg`, SECOND, other),
    ];
    const path = join(scratch(), `${file}.ogg`);
    await writeFile(path, Buffer.concat([first, second, first]));
    const seconds = FIRST + SECOND + FIRST;
    const probed = await operate('probe', path, {});
    expect(probed.data).toMatchObject({ duration: expect.closeTo(seconds, 1) });
    const asked = { audio_only: true, format: 'wav' };
    const pulses = await readPulses((await operate('transcode', path, asked)).path);
    const due = [CLICK, FIRST + CLICK, FIRST + SECOND + CLICK];
    expect(pulses).toHaveLength(due.length);
    for (const [index, at] of due.entries()) expect(pulses[index]).toBeCloseTo(at, 1);
    const url = 'https://media.example.com/radio.ogg';
    const part = await operate('cut', path, { audio_url: url, start: 2, end: 5 });
    expect((await readSound(part.path)).length / 48_000).toBeCloseTo(3, 1);
    expect(await readPulses(part.path)).toHaveLength(2);
    for (const format of ['ogg', 'mkv']) {
      const { code, detail } = await failureOf(operate('remux', path, { audio_url: url, format }));
      expect(code).toBe('codec_unsupported');
      expect(detail).toContain('several recordings one after another');
    }
  },
);

/** Frames of the fixture, the last one not among them, with its sound from the beginning. */
async function film(name: string, [from, to]: [number, number], args: string[]): Promise<Buffer> {
  const path = join(scratch(), name);
  const frames = `trim=start_frame=${from}:end_frame=${to},setpts=PTS-STARTPTS`;
  const encode = ['-c:v', 'libtheora', '-c:a', 'libvorbis', '-t', `${(to - from) / 30}`, ...args];
  const input = ['-v', 'error', '-y', '-i', fixture('plain.mp4'), '-vf', frames];
  await run(programs, 'ffmpeg', [...input, ...encode, path]);
  return readFile(path);
}

test('films that are chained in one Ogg file are all shown', async () => {
  const parts = [
    await film('film-1.ogv', [0, 45], ['-serial_offset', '10', '-q:v', '8']),
    await film('film-2.ogv', [60, 90], ['-serial_offset', '20', '-q:v', '8']),
  ];
  const path = join(scratch(), 'films.ogv');
  await writeFile(path, Buffer.concat(parts));
  const numbers = [...range(0, 45), ...range(60, 90)];
  const probed = await operate('probe', path, { url: 'https://media.example.com/films.ogv' });
  expect(probed.data).toMatchObject({ duration: expect.closeTo(2.5, 1) });
  expect(await readNumbers((await operate('transcode', path, {})).path)).toEqual(numbers);
  const part = await operate('cut', path, { start: 1, end: 2 });
  expect(await readNumbers(part.path)).toEqual(numbers.slice(30, 60));
  const copy = await operate('remux', path, { format: 'mkv' });
  expect(await readNumbers(copy.path)).toEqual(numbers);
  const last = await operate('frame_last', path, { format: 'png' });
  expect(await readNumbers(last.path)).toEqual([89]);
});

test('films of different codec setups that are chained in one Ogg file are refused', async () => {
  const parts = [
    await film('good.ogv', [0, 45], ['-serial_offset', '10', '-q:v', '8']),
    await film('poor.ogv', [60, 90], ['-serial_offset', '20', '-q:v', '6']),
  ];
  const path = join(scratch(), 'unlike.ogv');
  await writeFile(path, Buffer.concat(parts));
  const { code, detail } = await failureOf(operate('cut', path, { start: 0, end: 1 }));
  expect(code).toBe('source_damaged');
  expect(detail).toContain('several recordings');
});

test('a copy that libav cannot read to its end is not taken for proven', async () => {
  const path = join(scratch(), 'twice.ogg');
  const one = await recording('twice-1.ogg', FIRST, ['-c:a', 'libvorbis']);
  await writeFile(path, Buffer.concat([one, one]));
  // Has the headers of the second recording as packets of sound.
  const copy = join(scratch(), 'copy.ogg');
  await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-i', path, '-c', 'copy', copy]);
  const sources = [
    await completeSource({ path, format: 'ogg' }),
    await completeSource({ path: copy, format: 'ogg' }),
  ] as const;
  const [from, made] = [sources[0].parts(), sources[1].parts()];
  const found = await libav?.ask(
    { kind: 'compare', from, made, tracks: [[0, 0]] },
    { sources: [...sources], signal: undefined },
  );
  expect(found?.problem).toBe('The packets of the output cannot be read to the end.');
});

test('a recording alone is read as it is', async () => {
  const path = join(scratch(), 'alone.ogg');
  await writeFile(path, await recording('alone-1.ogg', FIRST, ['-c:a', 'libvorbis']));
  const asked = { audio_url: 'https://media.example.com/a.ogg', start: 0, end: FIRST };
  expect(await readPulses((await operate('cut', path, asked)).path)).toHaveLength(1);
});

test.each(sampled(['one', 'two'], 3))(
  'FLAC that was saved while it ran begins with its first page: %s recordings',
  async (count) => {
    const saved = late(await recording(`late-${count}.ogg`, FIRST, ['-c:a', 'flac']), 48_000 * 18_000);
    const path = join(scratch(), `late-${count}-saved.ogg`);
    await writeFile(path, Buffer.concat(count === 'one' ? [saved] : [saved, saved]));
    const due = count === 'one' ? [CLICK] : [CLICK, FIRST + CLICK];
    const seconds = due.length * FIRST;
    const probed = await operate('probe', path, {});
    expect(probed.data).toMatchObject({ duration: expect.closeTo(seconds, 1) });
    const url = 'https://media.example.com/radio.ogg';
    const cut = await operate('cut', path, { audio_url: url, start: 0.2, end: seconds });
    expect((await readSound(cut.path)).length / 48_000).toBeCloseTo(seconds - 0.2, 1);
    const pulses = await readPulses(cut.path);
    expect(pulses).toHaveLength(due.length);
    for (const [index, at] of due.entries()) expect(pulses[index]).toBeCloseTo(at - 0.2, 1);
  },
);

/** Ogg whose pages say that they end this number of samples later (RFC 3533, 6), each with a new checksum. */
function late(bytes: Buffer, samples: number): Buffer {
  for (let at = 0; at < bytes.length; ) {
    const page = oggPageAt(bytes, at);
    if (!page) throw new Error('a page is missing');
    const end = bytes.readBigInt64LE(at + END_AT);
    if (end > 0n) bytes.writeBigInt64LE(end + BigInt(samples), at + END_AT);
    bytes.writeUInt32LE(0, at + SUM_AT);
    bytes.writeUInt32LE(oggChecksum(bytes.subarray(at, at + page.length)), at + SUM_AT);
    at += page.length;
  }
  return bytes;
}

const [END_AT, SUM_AT] = [6, 22];
