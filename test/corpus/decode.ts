import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { timeArguments } from '../../transcoder/ffmpeg/arguments.ts';

/** Every picture is compared at this size in grey, whatever its own: enough to tell neighbouring frames apart. */
const WIDTH = 160;
const HEIGHT = 90;
export const PICTURE_BYTES = WIDTH * HEIGHT;

/** Samples a second at which sound is compared: one is an eighth of a millisecond, and a peak is found between them. */
export const SOUND_RATE = 8000;

const DECODE_MS = 120_000;
/** Time stamps that containers round to milliseconds jitter by less; a larger step is a gap. */
const JITTER_SECONDS = 0.003;
/** Packets of Windows Media Audio hold parts of frames. */
const PACKED_JITTER_SECONDS = 0.25;
/** Chunks that tell when a sound begins. */
const SEVERAL = 30;
/** Limits, in seconds and in chunks, for the times of short blocks of Vorbis in Matroska, which are often wrong. */
const ASTRAY_SECONDS = 0.04;
const MOST_ASTRAY = 25;
const MOST_SILENCE_SECONDS = 3600;

/** Decoded frames in presentation order. */
export interface Pictures {
  /** Seconds on the container's own clock. */
  times: readonly number[];
  bytes: Uint8Array;
}

/** Decoded sound of one channel. */
export interface Sound {
  /** Seconds on the container's own clock. */
  start: number;
  samples: Int16Array;
}

/** Which streams to decode, by their index in the file; `filter` is applied to the upright picture before it is compared. */
export interface Chosen {
  video?: number | undefined;
  audio?: number | undefined;
  filter?: string;
  /** Whether presentation times are its own; false if a muxer wrote decoding times in their place. */
  presented?: boolean;
  /** Whether the times of sound are followed. */
  laid?: Laid;
}

/**
 * `timed`: each chunk at its time. `row`: without a gap, whatever the times say. `packed`: without a gap of less than 0.25 s, from
 * where most chunks put the beginning.
 */
export type Laid = 'timed' | 'row' | 'packed';

export interface Decoded {
  /** Null where there is no such stream or nothing of it decodes. */
  pictures: Pictures | null;
  sound: Sound | null;
  /** What ffmpeg wrote to stderr at log level `error`. */
  complaints: string;
}

/**
 * Decodes picture and sound from beginning to end: in one run, as ffmpeg moves the clock of a transport stream of which it
 * reads a part of the streams alone. Sound is mixed to one channel, with silence where its time stamps leave a gap.
 */
export async function decode(
  path: string,
  { video, audio, filter = 'null', presented = true, laid = 'timed' }: Chosen,
): Promise<Decoded> {
  return inScratch(async (scratch) => {
    const at = (name: string) => join(scratch, name);
    const grey = `${filter},scale=${WIDTH}:${HEIGHT}:flags=area,format=gray,split[v][vlist]`;
    const mono = `aformat=channel_layouts=mono,aresample=${SOUND_RATE},aformat=s16,asplit[a][alist]`;
    const passed = ['-fps_mode', 'passthrough'];
    const pictureArgs = [
      ...['-map', '[v]', ...passed, '-f', 'rawvideo', at('pictures')],
      ...['-map', '[vlist]', ...passed, '-enc_time_base', '1:1000000', '-f', 'framecrc', at('frames')],
    ];
    const soundArgs = [
      ...['-map', '[a]', '-f', 's16le', at('sound')],
      ...['-map', '[alist]', '-f', 'framecrc', at('chunks')],
    ];
    const graph = [
      ...(video === undefined ? [] : [`[0:${video}]${grey}`]),
      ...(audio === undefined ? [] : [`[0:${audio}]${mono}`]),
    ];
    const complaints = await ffmpeg([
      ...['-copyts', ...timeArguments({ presented }), '-i', path, '-filter_complex', graph.join(';')],
      ...(video === undefined ? [] : pictureArgs),
      ...(audio === undefined ? [] : soundArgs),
    ]);
    return {
      pictures: await picturesIn(at('pictures'), at('frames')),
      sound: await soundIn(at('sound'), at('chunks'), laid),
      complaints,
    };
  });
}

/** Decodes AMR from a file of its own: in mp4, versions of ffmpeg before 8 decode only the first frame of each packet. */
export async function decodeAmr(path: string, audio: number, start: number): Promise<Sound | null> {
  return inScratch(async (scratch) => {
    const own = join(scratch, 'own.amr');
    await ffmpeg(['-i', path, '-map', `0:${audio}`, '-c', 'copy', '-f', 'amr', own]);
    const { sound } = await decode(own, { audio: 0 });
    return sound && { ...sound, start: sound.start + start };
  });
}

/** The first picture of a file with nothing else in it. `matrix`: the color matrix of its source, as `scale` names it. */
export async function decodeStill(path: string, matrix: string): Promise<Pictures | null> {
  return (await decode(path, { video: 0, filter: `scale=out_color_matrix=${matrix},format=yuv444p` }))
    .pictures;
}

async function picturesIn(raw: string, list: string): Promise<Pictures | null> {
  const bytes = new Uint8Array(await bytesOf(raw));
  const times = listed(await bytesOf(list)).map(({ pts }) => pts / 1e6);
  const count = Math.min(times.length, Math.floor(bytes.length / PICTURE_BYTES));
  return count === 0
    ? null
    : { times: times.slice(0, count), bytes: bytes.subarray(0, count * PICTURE_BYTES) };
}

async function soundIn(raw: string, list: string, laid: Laid): Promise<Sound | null> {
  const bytes = await bytesOf(raw);
  if (bytes.length < 2) return null;
  const samples = new Int16Array(new Uint8Array(bytes).buffer, 0, Math.floor(bytes.length / 2));
  const chunks = listed(await bytesOf(list));
  if (laid === 'row') return { start: (chunks[0]?.pts ?? 0) / SOUND_RATE, samples };
  return laid === 'timed'
    ? placed(samples, chunks, JITTER_SECONDS)
    : placed(samples, begunAsMost(chunks), PACKED_JITTER_SECONDS);
}

/** ffmpeg states for the first samples of Windows Media Audio another beginning than for the others. */
function begunAsMost(chunks: readonly Chunk[]): Chunk[] {
  const [first, ...others] = chunks;
  if (!first) return [];
  const begins: number[] = [];
  let row = first.size / 2;
  for (const { pts, size } of others.slice(0, SEVERAL)) {
    begins.push(pts - row);
    row += size / 2;
  }
  const pts = begins.toSorted((a, b) => a - b)[Math.floor(begins.length / 2)] ?? first.pts;
  return [{ ...first, pts }, ...others];
}

const bytesOf = (path: string) => readFile(path).catch(() => Buffer.alloc(0));

/** Lays each decoded chunk at its own time. */
function placed(samples: Int16Array, chunks: readonly Chunk[], jitter: number): Sound {
  const start = (chunks[0]?.pts ?? 0) / SOUND_RATE;
  const places: { from: number; at: number; length: number }[] = [];
  let from = 0;
  let end = chunks[0]?.pts ?? 0;
  for (const [index, { pts, size }] of chunks.entries()) {
    const length = Math.min(size / 2, samples.length - from);
    const apart = isApart(pts, end, jitter) && !returns(chunks, index, end);
    const at = apart && pts - end < MOST_SILENCE_SECONDS * SOUND_RATE ? pts : end;
    places.push({ from, at: at - (chunks[0]?.pts ?? 0), length });
    from += length;
    end = at + length;
  }
  const total = places.reduce((most, { at, length }) => Math.max(most, at + length), 0);
  const laid = new Int16Array(total);
  for (const { from, at, length } of places) {
    if (at >= 0) laid.set(samples.subarray(from, from + length), at);
  }
  return { start, samples: laid };
}

const isApart = (pts: number, end: number, jitter = JITTER_SECONDS) =>
  Math.abs(pts - end) > jitter * SOUND_RATE;

/** Whether chunks from one on are out of place by a little, and soon stand where sound without a gap puts them. */
function returns(chunks: readonly Chunk[], from: number, end: number): boolean {
  let [at, astray] = [end, 0];
  for (const { pts, size } of chunks.slice(from, from + MOST_ASTRAY)) {
    if (Math.abs(pts - at) > ASTRAY_SECONDS * SOUND_RATE) return false;
    if (!isApart(pts, at)) return astray > 0;
    astray += 1;
    at += size / 2;
  }
  return false;
}

/** In samples and in bytes. */
interface Chunk {
  pts: number;
  size: number;
}

/** The lines of ffmpeg's `framecrc`: stream, dts, pts, duration, size, checksum. */
function listed(bytes: Buffer): Chunk[] {
  return bytes
    .toString()
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').map(Number))
    .map(([, , pts = 0, , size = 0]) => ({ pts, size }));
}

/** The facts of a file as JSON; null where ffprobe does not open it. */
export async function inspect<T>(path: string, ...entries: string[]): Promise<T | null> {
  const { stdout, failed } = await execute('ffprobe', ['-v', 'error', '-of', 'json', ...entries, path]);
  return failed ? null : (JSON.parse(stdout) as T);
}

/** How many samples of a sound are no numbers, or far beyond full scale. */
export async function oddSamples(path: string, stream: number): Promise<number> {
  const args = ['-v', 'error', '-i', path, '-map', `0:${stream}`, '-f', 'f32le', '-'];
  const samples = await new Promise<Buffer>((resolve) => {
    const options = { maxBuffer: 256 * 1024 * 1024, encoding: 'buffer' } as const;
    execFile('ffmpeg', args, options, (_, stdout) => resolve(stdout));
  });
  let odd = 0;
  for (let at = 0; at + 4 <= samples.length; at += 4) {
    if (!(Math.abs(samples.readFloatLE(at)) < FAR_BEYOND)) odd += 1;
  }
  return odd;
}

/** 120 dB above full scale. */
const FAR_BEYOND = 1e6;

export async function inScratch<T>(work: (directory: string) => Promise<T>): Promise<T> {
  const directory = await mkdtemp(join(tmpdir(), 'spool-corpus-'));
  try {
    return await work(directory);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

/** Time stamps that jitter are nothing to blame a file for. */
const OWN_OUTPUT = /non monotonically increasing dts|Last message repeated|Queue input is backward in time/;

async function ffmpeg(args: string[]): Promise<string> {
  const { stderr, failed } = await execute('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);
  const complaints = stderr
    .split('\n')
    .filter((line) => !OWN_OUTPUT.test(line))
    .join('\n');
  return failed && stderr === '' ? 'ffmpeg failed' : complaints.trim();
}

function execute(
  program: string,
  args: string[],
): Promise<{ stdout: string; stderr: string; failed: boolean }> {
  const options = { maxBuffer: 256 * 1024 * 1024, timeout: DECODE_MS, killSignal: 'SIGKILL' } as const;
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) =>
      resolve({ stdout, stderr, failed: error !== null }),
    );
  });
}
