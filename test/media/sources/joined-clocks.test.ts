import { readFile, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readPulses } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { VP8 } from '../../fixtures/vp8.ts';
import { sampled } from '../../sampled.ts';
import { failureOf, operate, operateOn, range } from '../operate.ts';
import { scratch } from '../scratch.ts';
import { expectRead, pulsesWithFrames } from './pulses-with-frames.ts';

/** Recordings that were joined byte by byte, each with a clock of its own, as segments of a stream with advertisements are. */
const SECONDS = 2;
const RATE = 30;

const H264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-g', '30', '-bf', '2', '-c:a', 'aac'];

async function joined(name: string, begins: readonly number[], encoder = H264): Promise<string> {
  const parts: Buffer[] = [];
  for (const [index, begin] of begins.entries()) {
    const part = join(scratch(), `part-${index}-${name}`);
    await run(programs, 'ffmpeg', [
      ...['-v', 'error', '-y', '-ss', `${index * SECONDS}`, '-t', `${SECONDS}`, '-i', fixture('plain.mp4')],
      ...[...encoder, '-output_ts_offset', `${begin}`, part],
    ]);
    parts.push(await readFile(part));
  }
  const path = join(scratch(), name);
  await writeFile(path, Buffer.concat(parts));
  return path;
}

describe.each(
  sampled(
    [
      ['with a clock that begins again', [0, 0, 0]],
      ['with a clock that jumps ahead and back', [0, 1000, 0]],
      ['of which each begins a tenth of a second before the last one ends', [0, 1.9, 3.8]],
      ['of which each begins two frames before the last one ends', [0, 1.933333, 3.866667]],
      ['with a pause of a second and one of an hour', [0, SECONDS + 1, 3600]],
    ],
    4,
  ),
)('joined recordings %s', (name, begins) => {
  test('are shown one after another', async () => {
    const path = await joined(`${name.replaceAll(' ', '-')}.ts`, begins);
    await expectRead(path, 3 * SECONDS * RATE);
    await expectToEnd(path, begins);
    const sound = await operate('transcode', path, { format: 'wav', audio_only: true });
    expect((await readPulses(sound.path)).length).toBeGreaterThan(4);
  }, 60_000);
});

const PACKET = 188;
const SOUND_PID = 0x101;

test('a recording that was cut off within a packet of sound does not hide the others', async () => {
  const whole = await readFile(await joined('once.ts', [0]));
  const packets = Array.from({ length: whole.length / PACKET }, (_, at) => at * PACKET);
  const last = packets.findLast((at) => (whole.readUInt16BE(at + 1) & 0x1fff) === SOUND_PID) ?? 0;
  const path = join(scratch(), 'cut-off.ts');
  await writeFile(path, Buffer.concat([whole.subarray(0, last), whole]));
  const made = await operate('transcode', path, { quality: 'low' });
  const numbers = await readNumbers(made.path);
  expect(numbers.slice(-SECONDS * RATE)).toEqual(range(0, SECONDS * RATE));
  expect(numbers.length).toBeGreaterThan(2 * SECONDS * RATE - 5);
});

const MPEG2 = ['-c:v', 'mpeg2video', '-b:v', '4M', '-g', '15', '-bf', '2'];

describe.each([
  ['MPEG-1', 'mpg', ['-c:v', 'mpeg1video', '-b:v', '4M', '-g', '15', '-bf', '2', '-c:a', 'mp2']],
  ['MPEG-2', 'vob', [...MPEG2, '-c:a', 'ac3']],
])('program streams of %s', (_, extension, encoder) => {
  test.each([
    ['with a clock that begins again', [0, 0, 0]],
    ['with a clock that jumps ahead and back', [0, 1000, 0]],
  ])(
    'that were joined, %s, are shown and heard one after another',
    async (name, begins) => {
      const path = await joined(`${name.replaceAll(' ', '-')}.${extension}`, begins, encoder);
      await expectRead(path, 3 * SECONDS * RATE, { copies: false });
      await expectToEnd(path, begins);
    },
    60_000,
  );

  test.each(sampled([-90_000, 900_000, 90_000 * 36_000], 3, 1))(
    'whose clock jumps by %i ticks within a group of pictures keep picture and sound together',
    async (ticks) => {
      const path = await joined(`jumps-by-${ticks}.${extension}`, [0], encoder);
      await writeFile(path, jumping(await readFile(path), ticks));
      const whole = await operate('transcode', path, { quality: 'low' });
      expect(await readNumbers(whole.path)).toEqual(range(0, SECONDS * RATE));
      expect(whole.duration).toBeCloseTo(SECONDS, 1);
      await pulsesWithFrames(whole.path);
    },
    60_000,
  );
});

/** Moves the times of all packets of a program stream from the pack in its middle on (ISO/IEC 13818-1, 2.5.3.3 and 2.4.3.6). */
function jumping(bytes: Buffer, ticks: number): Buffer {
  for (let at = bytes.indexOf(PACK, bytes.length / 2); at >= 0; at = bytes.indexOf(START, at + 4)) {
    const stream = bytes[at + 3] ?? 0;
    const isMedia = stream === 0xbd || (stream >= 0xc0 && stream <= 0xef);
    if (isMedia) for (const stamp of stampsOf(bytes, at + 6)) move(bytes, stamp, ticks);
    // Within a packet, the same bytes may be of its pictures.
    if (stream >= 0xbb) at += 2 + bytes.readUInt16BE(at + 4);
  }
  return bytes;
}

const START = Buffer.from([0, 0, 1]);
const PACK = Buffer.from([0, 0, 1, 0xba]);

/** Where the times of a packet are stated, by its flags: in MPEG-2 in a header, in MPEG-1 behind stuffing and the size of a buffer. */
function stampsOf(bytes: Buffer, header: number): number[] {
  let at = header;
  if ((bytes[at] ?? 0) >> 6 === 2)
    return [at + 3, at + 8].slice(0, Math.max(0, ((bytes[at + 1] ?? 0) >> 6) - 1));
  while (bytes[at] === 0xff) at += 1;
  if ((bytes[at] ?? 0) >> 6 === 1) at += 2;
  return [at, at + 5].slice(0, Math.max(0, ((bytes[at] ?? 0) >> 4) - 1));
}

/** 33 bits, with a bit that is set behind each part of 3, 15 and 15. */
function move(bytes: Buffer, at: number, ticks: number): void {
  const high = bytes[at] ?? 0;
  const [middle, low] = [bytes.readUInt16BE(at + 1) >> 1, bytes.readUInt16BE(at + 3) >> 1];
  const stated = ((high >> 1) & 7) * 2 ** 30 + middle * 2 ** 15 + low;
  const moved = stated + ticks;
  bytes[at] = (high & 0xf1) | (Math.floor(moved / 2 ** 30) << 1);
  bytes.writeUInt16BE((Math.floor(moved / 2 ** 15) % 2 ** 15) * 2 + 1, at + 1);
  bytes.writeUInt16BE((moved % 2 ** 15) * 2 + 1, at + 3);
}

/** The end of what is shown, as operations tell it that do not read all of a source. */
async function expectToEnd(path: string, begins: readonly number[]): Promise<void> {
  const frames = begins.length * SECONDS * RATE;
  const last = await operate('frame_last', path, {});
  expect(await readNumbers(last.path)).toEqual([frames - 1]);
  // Whatever time the clock skips or repeats, the recordings last as long as they are.
  if (begins.some((begin, index) => begin < (begins[index - 1] ?? 0))) {
    expect(last.data.source_duration).toBeCloseTo(begins.length * SECONDS, 0);
    expect((await operate('probe', path, {})).data.duration).toBeCloseTo(begins.length * SECONDS, 0);
  }
  const copied = await operate('remux', path, { format: 'mkv' });
  expect(await readNumbers(copied.path)).toEqual(range(0, frames));
}

/** Bytes before the first tag of an FLV: its header, and the size of no tag (Adobe Flash Video File Format, annex E.2 and E.3). */
const FLV_HEADER = 13;

/** A recording that a recorder of live streams goes on with after each pause: its clock begins again. */
async function resumed(name: string, encoders: readonly (readonly string[])[]): Promise<string> {
  const parts: Buffer[] = [];
  for (const [index, encoder] of encoders.entries()) {
    const part = join(scratch(), `part-${index}-${name}`);
    await run(programs, 'ffmpeg', [
      ...['-v', 'error', '-y', '-ss', `${index * SECONDS}`, '-t', `${SECONDS}`, '-i', fixture('plain.mp4')],
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-g', '30', ...encoder, '-c:a', 'aac', '-bitexact', part],
    ]);
    const bytes = await readFile(part);
    parts.push(index === 0 ? bytes : bytes.subarray(FLV_HEADER));
  }
  const path = join(scratch(), name);
  await writeFile(path, Buffer.concat(parts));
  return path;
}

const PLAIN = ['-bf', '2'];
const OTHER = ['-bf', '0', '-profile:v', 'baseline'];

describe.each(
  sampled(
    [
      ['with the same encoder', [PLAIN, PLAIN, PLAIN]],
      ['with another encoder', [PLAIN, OTHER, OTHER]],
      ['with another encoder, and then the first one', [PLAIN, OTHER, PLAIN]],
    ],
    4,
  ),
)('an FLV that goes on %s', (name, encoders) => {
  const frames = encoders.length * SECONDS * RATE;

  test('shows one recording after another', async () => {
    const path = await resumed(`${name.replaceAll(' ', '-')}.flv`, encoders);
    const whole = await operate('transcode', path, { quality: 'low' });
    expect(await readNumbers(whole.path)).toEqual(range(0, frames));
    await pulsesWithFrames(whole.path);
    for (const [from, to] of [
      [70, 110],
      [95, 170],
      [125, 175],
    ] as const) {
      const part = await operate('cut', path, { start: from / RATE, end: to / RATE });
      const numbers = await readNumbers(part.path);
      // The source begins with its sound, and where it goes on, with whichever lasts longer.
      const [first = 0, last = 0] = [numbers[0], numbers.at(-1)];
      expect(Math.abs(first - from)).toBeLessThan(5);
      expect(Math.abs(last + 1 - to)).toBeLessThan(5);
      expect(numbers).toEqual(range(first, last + 1));
    }
    const urls = ['https://a.example/1', 'https://a.example/2'];
    const merged = await readNumbers(
      (await operateOn('merge_urls', [path, path], { video_urls: urls })).path,
    );
    // At an even frame rate, a frame is repeated while nothing goes on.
    const shown = merged.filter((number, at) => number !== merged[at - 1]);
    expect(shown).toEqual([...range(0, frames), ...range(0, frames)]);
  }, 120_000);
});

describe.each(
  sampled(
    [
      ["of a browser's recorder", 'live.webm', [...VP8, '-deadline', 'realtime', '-live', '1']],
      [
        'of WebM whose lengths are stated',
        'whole.webm',
        ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8'],
      ],
      [
        'of Matroska, each of another encoder',
        'encoders.mkv',
        ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '0'],
      ],
      ['of FLV', 'whole.flv', ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '2']],
      [
        'of MP4 in fragments',
        'whole.mp4',
        [
          ...['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '2'],
          ...['-movflags', 'frag_keyframe+empty_moov+default_base_moof+negative_cts_offsets'],
        ],
      ],
    ],
    4,
  ),
)('files %s', (_, name, encoder) => {
  test('are shown one after another', async () => {
    const parts: Buffer[] = [];
    const sound = /flv|mp4/.test(name) ? 'aac' : 'libopus';
    for (const index of [0, 1, 2]) {
      const part = join(scratch(), `part-${index}-${name}`);
      const other = name === 'encoders.mkv' && index === 1 ? ['-profile:v', 'baseline'] : [];
      await run(programs, 'ffmpeg', [
        ...['-v', 'error', '-y', '-ss', `${index * SECONDS}`, '-t', `${SECONDS}`, '-i', fixture('plain.mp4')],
        ...['-g', '30', ...encoder, ...other, '-b:v', '2M', '-c:a', sound, part],
      ]);
      parts.push(await readFile(part));
    }
    const path = join(scratch(), name);
    await writeFile(path, Buffer.concat(parts));
    await expectRead(path, 3 * SECONDS * RATE, { copies: name.startsWith('whole') });
    await expectToEnd(path, [0, 0, 0]);
    expect((await operate('probe', path, {})).data.container).toBe(extname(name).slice(1));
  }, 120_000);
});

test('files of Matroska with different sounds are refused', async () => {
  const parts: Buffer[] = [];
  for (const codec of ['libopus', 'aac']) {
    const part = join(scratch(), `${codec}.mkv`);
    const coded = ['-c:v', 'libx264', '-bf', '0', '-c:a', codec, part];
    await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-t', '1', '-i', fixture('plain.mp4'), ...coded]);
    parts.push(await readFile(part));
  }
  const path = join(scratch(), 'different-sounds.mkv');
  await writeFile(path, Buffer.concat(parts));
  const { code, detail } = await failureOf(operate('transcode', path, {}));
  expect(code).toBe('source_damaged');
  expect(detail).toMatch(/several recordings, .* cannot be read as one\. .* \/merge_urls joins them\./);
});

describe('joined files of FLAC', () => {
  const made = async (name: string, seconds: number, channels: number) => {
    const path = join(scratch(), name);
    const noise = `anoisesrc=d=${seconds}:seed=${seconds}:r=44100`;
    await run(programs, 'ffmpeg', [
      ...['-v', 'error', '-y', '-f', 'lavfi', '-i', noise, '-ac', `${channels}`, '-sample_fmt', 's16', path],
    ]);
    return readFile(path);
  };

  test('are heard one after another', async () => {
    const path = join(scratch(), 'alike.flac');
    await writeFile(path, Buffer.concat([await made('long.flac', 3, 2), await made('short.flac', 2, 2)]));
    expect((await operate('probe', path, {})).data.duration).toBeCloseTo(5, 1);
    const sound = await operate('transcode', path, { format: 'wav', audio_only: true });
    expect((await operate('probe', sound.path, {})).data.duration).toBeCloseTo(5, 1);
  });

  test.each([
    ['one is', [3]],
    ['two are', [3, 2]],
  ])('may each begin with tags of ID3: %s heard', async (_, lengths) => {
    const path = join(scratch(), `tagged-${lengths.length}.flac`);
    const tagged = lengths.map(async (seconds) => [ID3, await made(`${seconds}-s.flac`, seconds, 2)]);
    await writeFile(path, Buffer.concat((await Promise.all(tagged)).flat()));
    const sound = await operate('transcode', path, { format: 'wav', audio_only: true });
    const seconds = lengths.reduce((sum, length) => sum + length);
    expect((await operate('probe', sound.path, {})).data.duration).toBeCloseTo(seconds, 1);
  });

  test('are refused if their samples differ', async () => {
    const path = join(scratch(), 'different.flac');
    await writeFile(path, Buffer.concat([await made('stereo.flac', 2, 2), await made('mono.flac', 2, 1)]));
    const { code, detail } = await failureOf(operate('transcode', path, { format: 'wav', audio_only: true }));
    expect(code).toBe('source_damaged');
    expect(detail).toMatch(/several recordings, .* \/merge_urls joins them\./);
  });
});

/** Ten bytes of header state the length of the rest. */
const ID3 = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\0\x20', 'latin1'), Buffer.alloc(0x20)]);
