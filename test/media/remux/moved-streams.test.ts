import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readPulses } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate, range } from '../operate.ts';
import { scratch } from '../scratch.ts';
import { expectRead, pulsesWithFrames } from '../sources/pulses-with-frames.ts';

/** Segments of transport streams that were joined byte by byte, as players save streams with advertisements. */
const SECONDS = 2;
const RATE = 30;
const WITH_SOUND = ['-c:a', 'aac'];

/** @param segments Options of the muxer or of the sound of each. */
async function joined(name: string, segments: readonly (readonly string[])[]): Promise<string> {
  const parts: Buffer[] = [];
  for (const [index, options] of segments.entries()) {
    const part = join(scratch(), `part-${index}-${name}`);
    await run(programs, 'ffmpeg', [
      ...['-v', 'error', '-y', '-ss', `${index * SECONDS}`, '-t', `${SECONDS}`, '-i', fixture('plain.mp4')],
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-g', '30', '-bf', '2', ...options],
      ...['-output_ts_offset', `${index * SECONDS}`, part],
    ]);
    parts.push(await readFile(part));
  }
  const path = join(scratch(), name);
  await writeFile(path, Buffer.concat(parts));
  return path;
}

/** Beginning with the PID of the picture, and then of the sound. */
const at = (pid: number, table: number) => [
  ...WITH_SOUND,
  ...['-mpegts_start_pid', `${pid}`, '-mpegts_pmt_start_pid', `${table}`],
];

describe.each(
  sampled(
    [
      ['under other PIDs', [at(0x100, 0x1000), at(0x200, 0x1000), at(0x300, 0x1000)]],
      [
        'under PIDs that another stream and the table had',
        [at(0x100, 0x1000), at(0x101, 0x100), at(0x100, 0x1000)],
      ],
    ],
    3,
  ),
)('a program whose streams go on %s', (name, segments) => {
  test('is read to its end', async () => {
    const path = await joined(`${name.replaceAll(' ', '-')}.ts`, segments);
    await expectRead(path, 3 * SECONDS * RATE);
    const copy = await operate('remux', path, { format: 'mp4' });
    expect(await readNumbers(copy.path)).toEqual(range(0, 3 * SECONDS * RATE));
    expect((await readPulses(copy.path)).length).toBeGreaterThan(4);
  }, 60_000);
});

test('sound that a program has from its second table on is heard', async () => {
  const path = await joined('later-sound.ts', [['-an'], WITH_SOUND, WITH_SOUND]);
  const whole = await operate('transcode', path, { quality: 'low' });
  expect(await readNumbers(whole.path)).toEqual(range(0, 3 * SECONDS * RATE));
  expect(await readPulses(whole.path)).toHaveLength(4);
}, 60_000);

test('a picture has the sound of its own program, not of one that is listed first', async () => {
  const path = join(scratch(), 'programs.ts');
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-y', '-t', '6', '-i', fixture('plain.mp4')],
    ...['-f', 'lavfi', '-i', 'sine=frequency=300:duration=6'],
    ...['-map', '1:a', '-map', '0:v', '-map', '0:a', '-c:v', 'libx264', '-preset', 'veryfast', ...WITH_SOUND],
    ...['-program', 'title=radio:st=0', '-program', 'title=television:st=1:st=2', path],
  ]);
  for (const options of [
    { name: 'transcode', quality: 'low' },
    { name: 'cut', start: 1, end: 5 },
  ] as const) {
    const { name, ...request } = options;
    const made = await operate(name, path, request);
    await pulsesWithFrames(made.path);
  }
  const sound = await operate('transcode', path, { format: 'wav', audio_only: true });
  expect((await readPulses(sound.path)).length).toBeGreaterThan(4);
}, 60_000);

/** Bytes behind each packet for its repair. Every third time, the first one is like that of a packet. */
const repair = (at: number) => Buffer.alloc(16, at % 3 === 1 ? SYNC : 0x80);
const SYNC = 0x47;

test.each([
  ['188', () => []],
  ['204', (at: number) => [repair(at)]],
])(
  'packets of %s bytes that are sent twice are read once',
  async (size, behind) => {
    const plain = await readFile(await joined(`once-${size}.ts`, [WITH_SOUND, WITH_SOUND, WITH_SOUND]));
    const packets = Array.from({ length: plain.length / 188 }, (_, at) =>
      plain.subarray(at * 188, at * 188 + 188),
    );
    const path = join(scratch(), `twice-${size}.ts`);
    await writeFile(
      path,
      Buffer.concat(
        packets.flatMap((packet, at) => {
          const sent = [packet, ...behind(at)];
          return at % 3 ? sent : [...sent, ...sent];
        }),
      ),
    );
    const whole = await operate('transcode', path, { quality: 'low' });
    expect(await readNumbers(whole.path)).toEqual(range(0, 3 * SECONDS * RATE));
    await pulsesWithFrames(whole.path);
    const frame = await operate('frame', path, { timestamps: [3.54], format: 'png' });
    expect(await readNumbers(frame.path)).toEqual([105]);
  },
  60_000,
);

/** A transport stream without the packets of one of its streams, which its table still lists. */
async function without(pid: number): Promise<string> {
  const plain = await readFile(await joined('listed.ts', [at(0x100, 0x1000)]));
  const packets = Array.from({ length: plain.length / 188 }, (_, index) =>
    plain.subarray(index * 188, index * 188 + 188),
  );
  const path = join(scratch(), `without-${pid}.ts`);
  await writeFile(path, Buffer.concat(packets.filter((one) => (one.readUInt16BE(1) & 0x1fff) !== pid)));
  return path;
}

test('sound that a table lists and that never comes is named and left out', async () => {
  const path = await without(0x101);
  for (const format of ['mp4', 'mkv'] as const) {
    const copy = await operate('remux', path, { format });
    expect(await readNumbers(copy.path)).toEqual(range(0, SECONDS * RATE));
    expect(copy.warnings).toEqual([
      { code: 'stream_dropped', detail: expect.stringContaining('1 (audio, aac)') },
    ]);
  }
  await expect(operate('remux', path, { tracks: [{ index: 1 }] })).rejects.toMatchObject({
    code: 'track_not_found',
    message: expect.stringContaining('`tracks[0]`'),
  });
}, 60_000);

test('a picture that a table lists and that never comes is left out of the copied sound', async () => {
  const copy = await operate('remux', await without(0x100), { audio_url: true, format: 'mkv' });
  expect((await readPulses(copy.path)).length).toBeGreaterThan(0);
  expect(copy.data.tracks).toMatchObject([{ type: 'audio' }]);
  expect(copy.warnings).toEqual([]);
}, 60_000);
