import { createHash } from 'node:crypto';
import {
  AV_NOPTS_VALUE,
  AV_PKT_DATA_DISPLAYMATRIX,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_SUBTITLE,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { avGetCodecName, type FormatContext, Packet, type Stream } from 'node-av/lib';
import { payloadOf } from '../../../bitstream/payload.ts';
import { isSameSound, type SoundHeader, soundHeader } from '../../../bitstream/sound-header.ts';
import type { SourceParts } from '../../../model/source/media-source.ts';
import type { Compared, CompareRequest } from '../protocol.ts';
import { configurationOf, isHidden, streamOf } from './av.ts';
import { openInput, readPacket } from './read/input.ts';

/** Packets between two turns of the event loop, which lets messages out. */
const TURN = 512;

interface Track {
  codec: string;
  /** Of the payload of all packets, independent of how the container delimits them. */
  hash: string;
  /** Seconds; null where the container states none. */
  times: (number | null)[];
  /** Video packets that an edit list hides. */
  hidden: number;
  /** Duration of a tick in seconds. */
  tick: number;
  subtitle: boolean;
  sound: boolean;
  /** How the display matrix turns and mirrors the picture. */
  turn: string;
  /** Different ones that follow one another in AAC with headers; 0 without headers. */
  configurations: number;
}

/** Proves that a file has the packets of its source, byte for byte, at the same times but for one shift of all of them. */
export async function compare({ from, made, tracks }: CompareRequest): Promise<Compared> {
  const wanted = await tracksOf(
    from,
    tracks.map(([stream]) => stream),
  );
  const found = await tracksOf(
    made,
    tracks.map(([, stream]) => stream),
  );
  let shift: number | null = null;
  let [uncovered, turned, changed] = [false, false, false];
  if (!wanted || !found) {
    const problem = `The packets of the ${wanted ? 'output' : 'source'} cannot be read to the end.`;
    return { problem, uncovered, turned, changed };
  }
  for (const [at, one] of wanted.entries()) {
    const other = found[at];
    if (!other) return { problem: `Track ${at} of the output is missing.`, uncovered, turned, changed };
    if (one.hash !== other.hash)
      return {
        problem: `The packets of track ${at} differ from its packets in the source.`,
        uncovered,
        turned,
        changed,
      };
    uncovered ||= one.hidden > 0 && other.hidden < one.hidden;
    turned ||= one.turn !== other.turn;
    changed ||= one.configurations > 1 && other.configurations !== one.configurations;
    const offset = timeProblem(one, other, shift);
    if (typeof offset === 'string')
      return { problem: `${offset} in track ${at}.`, uncovered, turned, changed };
    shift ??= offset;
  }
  return { problem: null, uncovered, turned, changed };
}

/** @returns the shift of the track in seconds, null if it is unknown, or the problem. */
function timeProblem(one: Track, other: Track, shift: number | null): number | null | string {
  // PCM is cut into packets at will, and text tracks get packets for their gaps.
  const alike = one.times.length === other.times.length;
  const times = alike && !one.subtitle ? one.times : one.times.slice(0, 1);
  const tolerance = 1.5 * Math.max(one.tick, other.tick);
  let own = shift;
  let latest = Number.NEGATIVE_INFINITY;
  for (const [index, stated] of times.entries()) {
    const at = other.times[index] ?? null;
    if (stated === null || at === null) continue;
    // Where two recordings were joined, packets of sound may overlap; muxers write no time that is not later than the one before.
    const time = one.sound ? Math.max(stated, latest) : stated;
    own ??= at - time;
    if (Math.abs(at - time - own) > tolerance)
      return `Packet ${index} is at ${(at - own).toFixed(4)} s instead of ${time.toFixed(4)} s`;
    latest = at - own;
  }
  return own;
}

/** Null if the file cannot be read to its end: what would be compared is less than it holds. */
async function tracksOf(source: SourceParts, streams: readonly number[]): Promise<Track[] | null> {
  const input = await openInput(source, streams);
  const packet = new Packet();
  packet.alloc();
  try {
    const readers = new Map(streams.map((index) => [index, new TrackReader(streamOf(input, index))]));
    for (let count = 1; ; count++) {
      const read = await isReadNext(input, packet);
      if (read === null) return null;
      if (!read) break;
      readers.get(packet.streamIndex)?.take(packet);
      packet.unref();
      if (count % TURN === 0) await new Promise(setImmediate);
    }
    return streams.flatMap((index) => readers.get(index)?.finished() ?? []);
  } finally {
    packet.free();
    await input.closeInput();
  }
}

/** Whether another packet was read; null if what follows cannot be read. */
async function isReadNext(input: FormatContext, packet: Packet): Promise<boolean | null> {
  try {
    return await readPacket(input, packet);
  } catch {
    return null;
  }
}

/** The part of the display matrix that turns, scales and mirrors, in whole numbers (ISO/IEC 14496-12, 6.2.2). */
function turnOf({ codecpar }: Stream): string {
  const matrix = codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  const at = (index: number) => Math.round((matrix?.readInt32LE(index * 4) ?? 0) / 65_536);
  return matrix ? [at(0), at(1), at(3), at(4)].join() : '1,0,0,1';
}

class TrackReader {
  #hash = createHash('sha256');
  #track: Omit<Track, 'hash'>;
  #payload: (data: Uint8Array) => readonly Uint8Array[];
  #video: boolean;
  #shown = false;
  #header: SoundHeader | null = null;

  constructor(stream: Stream) {
    const { codecType, codecId } = stream.codecpar;
    const { num, den } = stream.timeBase;
    const codec = avGetCodecName(codecId) ?? '';
    const subtitle = codecType === AVMEDIA_TYPE_SUBTITLE;
    const sound = codecType === AVMEDIA_TYPE_AUDIO;
    this.#track = {
      codec,
      times: [],
      hidden: 0,
      tick: num / den,
      subtitle,
      sound,
      turn: turnOf(stream),
      configurations: 0,
    };
    this.#payload = payloadOf(codec, configurationOf(stream).extradata);
    this.#video = codecType === AVMEDIA_TYPE_VIDEO;
  }

  take(packet: Packet): void {
    const parts = this.#payload(packet.data ?? new Uint8Array());
    // Text tracks of mp4 have empty packets between texts.
    if (this.#track.subtitle && parts.every(({ length }) => length <= 2)) return;
    for (const part of parts) this.#hash.update(part);
    const header = this.#track.codec === 'aac' ? soundHeader('aac', packet.data ?? new Uint8Array()) : null;
    if (header && !(this.#header && isSameSound(header, this.#header))) this.#track.configurations += 1;
    this.#header = header ?? this.#header;
    const { tick, times } = this.#track;
    times.push(packet.pts === AV_NOPTS_VALUE ? null : Number(packet.pts) * tick);
    // The first packets of sound are hidden in every file: they prime the decoder.
    if (!isHidden(packet)) this.#shown = true;
    else if (this.#video || this.#shown) this.#track.hidden += 1;
  }

  finished(): Track {
    return { ...this.#track, hash: this.#hash.digest('hex') };
  }
}
