import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OperationName } from '../../../schema/operations/index.ts';
import { pidOf } from '../../../transcoder/bitstream/transport/program-tables.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { probeMedia } from '../../../transcoder/media/probe/probe-media.ts';
import { readable } from '../../../transcoder/media/remux/remux.ts';
import { demuxerOfFile } from '../../../transcoder/source/sniff.ts';
import { programs } from '../../fixtures/make.ts';
import { likeness } from '../../fixtures/packets.ts';
import { sampled } from '../../sampled.ts';
import { type Attempts, startAttempts } from '../attempt.ts';
import { ctx, operateOn } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** Transport streams that are so long that a cut reads only a part of them. */
const SECONDS = 100;
/** Of the one with groups of pictures of 15 seconds. */
const LONGER = 240;
const FPS = 10;
const PACKET = 188;
const pictures = (seconds: number) => [
  ...['-f', 'lavfi', '-i', `testsrc2=s=320x180:r=${FPS}:d=${seconds},noise=alls=80:allf=t`],
  ...['-f', 'lavfi', '-i', `aevalsrc='0.3*sin(2*PI*(200+t)*t)+0.5*lt(mod(t,1),0.01)':d=${seconds}:s=48000`],
];
const rate = ['-b:v', '900k', '-maxrate', '1800k', '-bufsize', '900k', '-pix_fmt', 'yuv420p'];
const x264 = (params: string) => ['-c:v', 'libx264', '-preset', 'ultrafast', '-x264-params', params];
const hevc = (params: string) => [
  '-c:v',
  'libx265',
  '-preset',
  'ultrafast',
  '-x265-params',
  `${params}:log-level=none`,
];

const at = (name: string) => join(scratch(), name);
const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);

/** By name, how a file is made: encoded, or muxed again from another one. */
const files: Record<string, readonly string[]> = {
  'closed.ts': [...x264('keyint=30:bframes=2'), '-c:a', 'aac'],
  'open.ts': [...x264('open-gop=1:keyint=25:min-keyint=25:bframes=3:b-adapt=0'), '-c:a', 'mp2'],
  'hevc.ts': [...hevc('keyint=30'), '-c:a', 'aac'],
  'mpeg2.ts': ['-c:v', 'mpeg2video', '-bf', '2', '-g', '15', '-c:a', 'mp2'],
};
const again: Record<string, readonly string[]> = {
  'camcorder.m2ts': ['-mpegts_m2ts_mode', '1'],
  'late.ts': ['-output_ts_offset', '80000'],
  'wrapping.ts': ['-output_ts_offset', '95400'],
  'mute.ts': ['-an'],
  'renamed.ts': ['-streamid', '1:0x222'],
};

beforeAll(async () => {
  const inputs = pictures(SECONDS);
  const long = pictures(LONGER);
  await ffmpeg(
    ...long,
    ...x264('keyint=150:min-keyint=150:scenecut=0'),
    '-c:a',
    'ac3',
    ...rate,
    at('long.ts'),
  );
  for (const [name, args] of Object.entries(files)) await ffmpeg(...inputs, ...args, ...rate, at(name));
  for (const [name, args] of Object.entries(again))
    await ffmpeg('-i', at('closed.ts'), '-c', 'copy', ...args, '-f', 'mpegts', at(name));
  const both = ['-i', at('closed.ts'), '-i', at('open.ts'), '-map', '0', '-map', '1', '-c', 'copy'];
  const programs = ['-program', 'title=A:st=0:st=1', '-program', 'title=B:st=2:st=3'];
  await ffmpeg(...both, ...programs, at('programs.ts'));
}, 600_000);

let attempts: Attempts;
beforeAll(async () => {
  attempts = await startAttempts(scratch());
});
afterAll(() => attempts?.close());

interface Made {
  path: string;
  /** Of each picture of the result, its time and a hash of it. */
  frames: string[];
  samples: Buffer;
  data: unknown;
}

interface Asked extends Record<string, unknown> {
  operation?: OperationName;
  /** Which field has the address of the source. */
  of?: string;
  /** Parts of the source to join, in place of that field. */
  clips?: { start: number; end: number }[];
}

function inputOf({ operation: _, of = 'video_url', clips, ...request }: Asked, url: string) {
  return clips ? { ...request, urls: clips.map((clip) => ({ url, ...clip })) } : { ...request, [of]: url };
}

/** A whole attempt on a file of the folder, and the share of the file that it read. */
async function read(name: string, asked: Asked): Promise<Made & { share: number; seconds: number }> {
  const { operation = 'cut' } = asked;
  const input = inputOf(asked, attempts.media(name));
  const outcome = await attempts.run(operation, input, AbortSignal.timeout(120_000));
  if (outcome.type !== 'completed') throw new Error(JSON.stringify(outcome));
  const { files, data, bytes_read = 0 } = outcome.result;
  const { size } = await stat(at(name));
  const times = asked.clips?.length ?? 1;
  const share = bytes_read / (size * times);
  const seconds = outcome.metering.source_seconds / times;
  return { ...(await decoded(attempts.stored(files[0]?.key ?? ''))), data, share, seconds };
}

/** The same of the whole file. */
async function readWhole(name: string, asked: Asked): Promise<Made> {
  const input = inputOf(asked, 'https://media.example.com/a');
  const sources = (asked.clips ?? [null]).map(() => at(name));
  const { path, data } = await operateOn(asked.operation ?? 'cut', sources, input);
  return { ...(await decoded(path)), data };
}

/** How long a file is once all of it is remuxed. */
async function secondsOf(name: string): Promise<number> {
  const source = await completeSource({ path: at(name), format: 'mpegts' });
  const containing = { directory: await mkdtemp(join(scratch(), 'whole-')), name: 'whole' };
  const { probe } = await readable(ctx, source, { probe: (one) => probeMedia(ctx, one) }, containing);
  return probe.duration ?? 0;
}

async function decoded(path: string): Promise<Omit<Made, 'data'>> {
  const directory = await mkdtemp(join(scratch(), 'decoded-'));
  const [listed, samples] = [join(directory, 'frames.txt'), join(directory, 'samples.raw')];
  await writeFile(listed, '');
  await writeFile(samples, '');
  const format = await demuxerOfFile(path);
  const streams = format ? (await probeMedia(ctx, await completeSource({ path, format }))).streams : [];
  if (streams.some(({ video }) => video)) await ffmpeg('-i', path, '-map', '0:v', '-f', 'framemd5', listed);
  if (streams.some(({ audio }) => audio)) await ffmpeg('-i', path, '-map', '0:a', '-f', 's16le', samples);
  const frames = (await readFile(listed, 'utf8')).split('\n').filter((line) => /^0/.test(line));
  return { path, frames, samples: await readFile(samples) };
}

const five = { start: 70.21, duration: 5 };
const whole = (name: string) => () => readFile(at(name));
const cutTo = (file: Buffer, share: number, packet = PACKET) =>
  file.subarray(0, Math.floor((file.length * share) / packet) * packet);

/** The packets of a file without those from one share of it to another. */
const without = (from: number, to: number) => async () => {
  const file = await readFile(at('closed.ts'));
  return Buffer.concat([cutTo(file, from), file.subarray(cutTo(file, to).length)]);
};

/** Two recordings, of which the second one begins with a keyframe that the first one shows two seconds before its end. */
async function overlapping(): Promise<Buffer> {
  const file = await readFile(at('closed.ts'));
  let begins = cutTo(file, 0.33).length;
  const isEntry = (packet: Buffer) =>
    pidOf(packet) === 0x100 && ((packet[3] ?? 0) & 0x20) !== 0 && ((packet[5] ?? 0) & 0x40) !== 0;
  while (!isEntry(file.subarray(begins, begins + PACKET))) begins += PACKET;
  const tables = file.subarray(0, 3 * PACKET);
  return Buffer.concat([cutTo(file, begins / file.length + 2 / SECONDS), tables, file.subarray(begins)]);
}

/** A file of which some packets of sound are sent twice. */
async function twice(): Promise<Buffer> {
  const file = await readFile(at('closed.ts'));
  const [from, to] = [cutTo(file, 0.7).length, cutTo(file, 0.72).length];
  const packets: Buffer[] = [];
  for (let place = from; place < to; place += PACKET) {
    const packet = file.subarray(place, place + PACKET);
    const carries = ((packet[3] ?? 0) & 0x10) !== 0;
    packets.push(packet, ...(carries && pidOf(packet) === 0x101 ? [packet] : []));
  }
  return Buffer.concat([file.subarray(0, from), ...packets, file.subarray(to)]);
}

/** A file whose program sends its sound under another PID from its middle on. */
async function moved(): Promise<Buffer> {
  const file = await readFile(at('closed.ts'));
  const renamed = await readFile(at('renamed.ts'));
  return Buffer.concat([cutTo(file, 0.5), renamed.subarray(cutTo(renamed, 0.5).length)]);
}

const joined = async () => Buffer.concat([await readFile(at('closed.ts')), await readFile(at('open.ts'))]);

const rows: [what: string, file: () => Promise<Buffer>, request: Asked, inPart: boolean][] = [
  ['H.264 in closed groups', whole('closed.ts'), five, true],
  ['its beginning', whole('closed.ts'), { start: 1.3, duration: 5 }, true],
  ['its end', whole('closed.ts'), { start: 96.9, end: 110 }, true],
  [
    'two ranges',
    whole('closed.ts'),
    {
      segments: [
        { start: 72, end: 73.5 },
        { start: 70.3, end: 71 },
      ],
    },
    true,
  ],
  ['from a keyframe', whole('closed.ts'), { ...five, mode: 'keyframe' }, true],
  ['sound alone', whole('closed.ts'), { ...five, of: 'audio_url' }, true],
  ['open groups', whole('open.ts'), five, true],
  ['HEVC', whole('hevc.ts'), five, true],
  ['the packets of camcorders', whole('camcorder.m2ts'), five, true],
  ['a clock of 22 hours', whole('late.ts'), five, true],
  ['no sound', whole('mute.ts'), five, true],
  ['a start within a group', without(0, 0.012), five, true],
  ['a hole of five seconds ahead of it', without(0.3, 0.35), five, true],
  ['groups of 15 seconds', whole('long.ts'), { start: 150, duration: 4 }, true],
  ['a frame', whole('closed.ts'), { operation: 'frame', timestamps: [70.21] }, true],
  ['frames of open groups', whole('open.ts'), { operation: 'frame', timestamps: [73.4, 70.21] }, true],
  ['the last frame', whole('closed.ts'), { operation: 'frame', timestamps: [100] }, true],
  [
    'clips',
    whole('closed.ts'),
    {
      operation: 'merge_urls',
      clips: [
        { start: 20.03, end: 23 },
        { start: 22.51, end: 25 },
      ],
    },
    true,
  ],
  [
    'frames before black ones',
    whole('closed.ts'),
    { operation: 'frame', timestamps: [70.21], skip_black: true },
    false,
  ],
  ['most of the source', whole('closed.ts'), { start: 10, duration: 60 }, false],
  ['groups of 15 seconds, near its end', whole('long.ts'), { start: 200, duration: 4 }, true],
  ['other streams behind it', moved, { start: 5, duration: 3 }, false],
  [
    'a clock that jumps ahead where nothing is read',
    without(0.2, 0.35),
    { start: 60.21, duration: 5 },
    false,
  ],
  ['recordings that overlap where nothing is read', overlapping, { start: 60.21, duration: 5 }, false],
  ['a clock that begins again by itself', whole('wrapping.ts'), five, false],
  ['packets that are sent twice', twice, five, false],
  ['other streams from its middle on', moved, five, false],
  ['several programs', whole('programs.ts'), five, false],
  ['another recording behind it', joined, { start: 170.3, duration: 3 }, false],
];

test.each(sampled(rows, 3))(
  'what is made of a transport stream is the same if a part of it is read: %s',
  async (_, make, asked, inPart) => {
    await writeFile(at('source.ts'), await make());
    const part = await read('source.ts', asked);
    if (inPart) expect(part.share).toBeLessThan(0.75);
    else expect(part.share).toBeGreaterThan(0.95);
    const all = await readWhole('source.ts', asked);
    expect(part.frames).toEqual(all.frames);
    expect(part.samples.equals(all.samples)).toBe(true);
    expect(part.frames.length + part.samples.length).toBeGreaterThan(0);
    expect(part.data).toEqual(all.data);
    if (inPart) expect(Math.abs(part.seconds - (await secondsOf('source.ts')))).toBeLessThan(0.0001);
  },
  300_000,
);

test('a part of a transport stream with MPEG-2, which is encoded, has the same frames', async () => {
  const part = await read('mpeg2.ts', five);
  expect(part.share).toBeLessThan(0.75);
  const all = await readWhole('mpeg2.ts', five);
  expect(part.frames.length).toBe(all.frames.length);
  // What bounds the encoder is the bitrate of the part, or that of all of it.
  const alike = await likeness(part.path, all.path);
  const next = await likeness(part.path, all.path, 'select=gte(n\\,1)');
  // At the end, the filter compares with the last frame.
  for (const [index, decibels] of next.slice(0, -1).entries())
    expect(alike[index]).toBeGreaterThan(decibels + 3);
  expect(next.length).toBeGreaterThan(40);
  expect(part.samples.equals(all.samples)).toBe(true);
}, 300_000);
