import { stat } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import { AVMEDIA_TYPE_AUDIO } from 'node-av/constants';
import type { Frame, Packet } from 'node-av/lib';
import type { Coded, Entrance } from '../../../bitstream/codec.ts';
import { composedAt } from '../../../bitstream/mp4/sample-tables.ts';
import type { SourceFile } from '../../../model/source/media-source.ts';
import type { SpliceRequest } from '../../../model/splice.ts';
import type { Done } from '../protocol.ts';
import { Decoder, holdsDecodingTimes } from './av.ts';
import { sourceTrack } from './mp4/movie.ts';
import type { Part, Unit } from './output-timeline.ts';
import { enter } from './read/enter.ts';
import { Reader } from './read/reader.ts';

/** A file that was written. */
export interface Written {
  /** The stream that packets were copied from. */
  coded: Coded;
  parts: readonly Part[];
  /** Of the parts' times. */
  unit: Unit;
}

/**
 * Verifies a splice by its own packets: the planned number of frames at the planned times; rising decoding times, never later
 * than the presentation; no stream longer than planned. Two frames on either side of every junction must decode, and the first one behind
 * it must look the same whether the decoder begins there or comes from the part before, as players do; see `windowsOf`.
 */
export async function check(
  { file, container, audio, others = [] }: SpliceRequest,
  { coded, parts, unit }: Written,
): Promise<Done> {
  const format = container === 'mp4' || container === 'mov' ? ('mov' as const) : ('matroska' as const);
  const made = { path: file, format };
  const sounds = [...(audio ? [audio] : []), ...others];
  const rates: number[] = [];
  for (const [index, { start, end }] of sounds.entries()) {
    const rate = await checkSound(made, index + 1, end - start);
    if (rate === null) break;
    rates.push(rate);
  }
  const video = await Reader.ofFile(made, 0);
  try {
    const listed = await listedIn(made, video);
    if (holdsDecodingTimes(format)) checkTimes(listed);
    const own = timeIn(video.timeBase, unit);
    const due = own(parts[0]?.pts[0] ?? 0);
    const early = due - (listed.pts[0] ?? due);
    const most = format === 'mov' && due > 0 ? roundingOf(video.timeBase, rates) : 0;
    const shift = early > 0 && early <= most ? early : 0;
    const planned = parts.map(({ pts }) => Float64Array.from(pts, (time) => own(time) - shift));
    const count = planned.reduce((sum, { length }) => sum + length, 0);
    if (listed.pts.length !== count) {
      throw new Error(`the file has ${listed.pts.length} frames, not ${count}`);
    }
    let at = 0;
    for (const times of planned) {
      const found = listed.pts.subarray(at, at + times.length);
      if (times.some((time, index) => time !== found[index]))
        throw new Error('a frame has another time than planned');
      at += times.length;
    }
    const decoder = await Decoder.open(video.stream);
    try {
      const isEntry = async (at: number) => {
        const packet = await video.find(listed.dts[at] ?? 0, listed.pts[at] ?? 0);
        return coded.entry(packet.data ?? new Uint8Array()) !== null;
      };
      const { windows, behind } = await windowsOf(planned, listed, isEntry);
      const looks = new Map<number, number | null>(behind.map((time) => [time, null]));
      for (const window of windows)
        await decodeWindow(video, decoder, listed, { ...window, entrance: coded.entered(), looks });
    } finally {
      decoder.close();
    }
    return { frames: count };
  } finally {
    await video.close();
  }
}

/**
 * How many ticks early a picture may begin that begins after the sound: an mp4 states its delay in samples of the first sound, rounded
 * down, see `openOutput`.
 */
function roundingOf({ num, den }: Unit, [rate]: readonly number[]): number {
  return rate === undefined ? 0 : Math.ceil(den / (num * rate));
}

/**
 * Closed before the picture is opened: each has the whole index. @returns Samples per second; null for a text, which comes after the
 * sounds.
 */
async function checkSound(made: SourceFile, index: number, most: number): Promise<number | null> {
  const sound = await Reader.ofFile(made, index);
  try {
    const { codecType, sampleRate } = sound.stream.codecpar;
    if (codecType !== AVMEDIA_TYPE_AUDIO) return null;
    if (Number(sound.stream.duration) > most + 1) throw new Error('the audio extends beyond the range');
    checkTimes(await listedIn(made, sound));
    return sampleRate;
  } finally {
    await sound.close();
  }
}

/** Converts ticks of the model to ticks of the file. */
const timeIn = (own: Unit, model: Unit) => (pts: number) =>
  Math.round((pts * model.num * own.den) / (model.den * own.num));

/** The packets of a stream in their order, in columns. */
interface Listed {
  pts: Float64Array;
  dts: Float64Array;
  /** 1 for a keyframe. */
  keys: Uint8Array;
}

/**
 * The index of an mp4 tells the packets without their bytes; libav tells the times of the first one. If a file stores no decoding
 * times, packets are found by their presentation times.
 */
async function listedIn(file: SourceFile, reader: Reader): Promise<Listed> {
  const { size } = await stat(file.path);
  const track = await sourceTrack({ ...file, bytes: size, present: null, near: null }, reader.stream.id);
  track?.bytes.close();
  if (!track) return list(reader, holdsDecodingTimes(file.format));
  const { samples } = track;
  const first = await reader.next();
  const [pts, dts] = [Number(first?.pts) - composedAt(samples, 0), Number(first?.dts)];
  return {
    pts: samples.times.map((_, at) => composedAt(samples, at) + pts),
    dts: samples.times.map((time) => time + dts),
    keys: samples.keys ?? new Uint8Array(samples.length).fill(1),
  };
}

async function list(reader: Reader, ordered: boolean): Promise<Listed> {
  const [shown, decoded, keys]: [number[], number[], number[]] = [[], [], []];
  for (let packet = await reader.next(); packet; packet = await reader.next()) {
    const pts = Number(packet.pts);
    shown.push(pts);
    decoded.push(ordered ? Number(packet.dts) : pts);
    keys.push(packet.isKeyframe ? 1 : 0);
  }
  return {
    pts: Float64Array.from(shown),
    dts: Float64Array.from(decoded),
    keys: Uint8Array.from(keys),
  };
}

function checkTimes({ pts, dts }: Listed): void {
  for (const [at, decoded] of dts.entries()) {
    if (at > 0 && decoded <= (dts[at - 1] ?? 0)) throw new Error('decoding times do not rise');
    if ((pts[at] ?? 0) < decoded) throw new Error('a packet is shown before it is decoded');
  }
}

/** A range of packets in decoding order to decode, starting with an entry, and the frame times it must output. */
interface Window {
  from: number;
  to: number;
  wanted: Set<number>;
}

/** Most junctions to decode from the preceding entry; if there are more, the checked ones are spread evenly. */
const BEFORE = 16;

/**
 * The beginning of each part, decoded from there; each chosen junction, decoded from the part before. `behind` are the times of the
 * first frames behind junctions.
 * @param isEntry Whether decoding can begin at this packet, which is marked as a keyframe.
 */
async function windowsOf(
  parts: readonly Float64Array[],
  listed: Listed,
  isEntry: (at: number) => Promise<boolean>,
): Promise<{ windows: Window[]; behind: number[] }> {
  const ends = endsOf(parts, listed);
  const junctions = parts.length - 1;
  const nth = (at: number) => Math.floor((at * BEFORE) / junctions);
  const windows: Window[] = [];
  for (const [index, { from, first, last }] of ends.entries()) {
    const behind = ends[index + 1]?.entry;
    const sampled = junctions <= BEFORE || nth(index) !== nth(index + 1);
    if (!behind || !sampled) {
      windows.push(first);
      continue;
    }
    const begin = await entryBefore(listed, { from, to: last.from, isEntry });
    const across = { from: begin, to: behind.to, wanted: last.wanted.union(behind.wanted) };
    if (begin > first.from) windows.push(first, across);
    else windows.push({ ...across, wanted: first.wanted.union(across.wanted) });
  }
  return { windows, behind: ends.slice(1).flatMap(({ entry }) => [...entry.wanted]) };
}

/** Where each part begins, and the packets for its first frame, its first two and its last two. */
function endsOf(parts: readonly Float64Array[], listed: Listed) {
  let start = 0;
  return parts.map((pts) => {
    const [from, to] = [start, start + pts.length];
    start = to;
    const shown = pts.toSorted();
    return {
      from,
      entry: windowOf(listed, from, to, shown.subarray(0, 1)),
      first: windowOf(listed, from, to, shown.subarray(0, 2)),
      last: windowOf(listed, from, to, shown.subarray(-2)),
    };
  });
}

/** The packets in [from, to) that are needed to decode these frames. */
function windowOf({ pts, keys }: Listed, from: number, to: number, frames: Float64Array): Window {
  const wanted = new Set(frames);
  const own = pts.subarray(from, to);
  const first = own.findIndex((time) => wanted.has(time));
  const last = own.findLastIndex((time) => wanted.has(time));
  const key = own
    .subarray(0, first + 1)
    .findLastIndex((time, at) => keys[from + at] === 1 && frames.every((frame) => frame >= time));
  return { from: from + Math.max(0, key), to: from + last, wanted };
}

/**
 * The last entry in [from, to]; files also mark as keyframes what only begins a refresh. @param from Of a part, which begins with an
 * entry.
 */
async function entryBefore(
  { keys }: Listed,
  { from, to, isEntry }: { from: number; to: number; isEntry: (at: number) => Promise<boolean> },
): Promise<number> {
  for (let at = to; at > from; at--) if (keys[at] === 1 && (await isEntry(at))) return at;
  return from;
}

async function decodeWindow(
  reader: Reader,
  decoder: Decoder,
  { pts: times, dts, keys }: Listed,
  { from, to, wanted, entrance, looks }: Window & { entrance: Entrance; looks: Map<number, number | null> },
): Promise<void> {
  const [first, seek] = [times[from] ?? 0, dts[from] ?? 0];
  if (keys[from] !== 1) throw new Error('a part does not begin with a keyframe');
  decoder.flush();
  const missing = new Set(wanted);
  const found = async (frame: Frame) => {
    const time = Number(frame.pts);
    if (!missing.delete(time) || !looks.has(time)) return;
    const look = crc32(frame.toBuffer());
    if ((looks.get(time) ?? look) !== look)
      throw new Error(`the frame at ${time} depends on the part before it`);
    looks.set(time, look);
  };
  let packet: Packet | null = await reader.find(seek, first);
  for (let at = from; at <= to && packet; at++) {
    const pts = Number(packet.pts);
    decoder.spare(!wanted.has(pts));
    if (enter(packet, entrance, pts < first)) await decoder.send(packet, found);
    if (at < to) packet = await reader.next();
  }
  await decoder.send(null, found);
  if (missing.size > 0) throw new Error(`the frames at ${[...missing].join(', ')} do not decode`);
}
