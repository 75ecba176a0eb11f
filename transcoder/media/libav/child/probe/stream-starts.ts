import {
  AV_CODEC_ID_AV1,
  AV_CODEC_ID_H264,
  AV_CODEC_ID_HEVC,
  AV_CODEC_ID_MPEG1VIDEO,
  AV_CODEC_ID_MPEG2VIDEO,
  AV_CODEC_ID_MPEG4,
  AV_CODEC_ID_OPUS,
  AV_CODEC_ID_VORBIS,
  AV_CODEC_ID_VP8,
  AV_CODEC_ID_VP9,
  AV_NOPTS_VALUE,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import type { Packet, Stream } from 'node-av/lib';
import type { Demuxer } from '../../../../../schema/media/demuxers.ts';
import { BlockTimes, type StatedBlock } from '../../../../model/source/block-times.ts';
import { holdsPresentationTimes } from '../../../../model/source/video-stream.ts';
import type { Extent, ExtentsRequest } from '../../protocol.ts';
import { Decoder, streamOf } from '../av.ts';
import { eachPacket } from '../read/each-packet.ts';
import { openInput } from '../read/input.ts';
import { tickOf } from '../read/packet-window.ts';

export type Start = Pick<Extent, 'late' | 'endsStated' | 'withinGroup'> & { tick: number };

const startAt = (tick: number): Start => ({ tick, late: null, endsStated: false, withinGroup: false });

/** Start of each stream; null for a stream without packets. */
export async function startsOf({ source, streams }: ExtentsRequest): Promise<(Start | null)[]> {
  const input = await openInput(source, streams);
  const beginnings: Beginning[] = [];
  try {
    for (const index of streams) beginnings.push(await Beginning.of(streamOf(input, index), source.format));
    const all = () => beginnings.every(({ decided }) => decided);
    if (!all()) {
      await eachPacket(input, async (packet, { index }) => {
        await beginnings[streams.indexOf(index)]?.take(packet);
        return !all();
      });
    }
    return beginnings.map(({ start }) => start);
  } finally {
    for (const beginning of beginnings) beginning.close();
    await input.closeInput();
  }
}

/**
 * When a stream has to be decoded to know its start: always, or only if it does not begin with a whole group of pictures. If its first
 * packet is no keyframe, nothing may be shown before one comes; pictures that are shown before their keyframe may be lost.
 */
type Decoded = 'always' | 'unless whole' | 'never';

/** The first packets of a stream. */
class Beginning {
  readonly #stream: Stream;
  readonly #format: Demuxer;
  readonly #blocks: BlockTimes | null;
  #decoder: Decoder | null = null;
  #decoded: Decoded;
  /** The keyframe that the stream begins with, as long as it is unknown whether another picture is shown before it. */
  readonly #kept: Packet[] = [];
  /** Whether the decoder refused the last packet. */
  #failed = false;
  #packets = 0;
  /** Ticks of the first packet, and of the first keyframe. */
  #first: number | null = null;
  #key: number | null = null;
  #start: Start | null = null;

  private constructor(stream: Stream, format: Demuxer) {
    this.#stream = stream;
    this.#format = format;
    this.#blocks = mayStateEnds(stream, format) ? new BlockTimes() : null;
    this.#decoded = decodedFor(stream, format);
    if (stream.startTime !== AV_NOPTS_VALUE) this.#start = startAt(Number(stream.startTime));
  }

  static async of(stream: Stream, format: Demuxer): Promise<Beginning> {
    const beginning = new Beginning(stream, format);
    if (beginning.#decoded === 'always') await beginning.#open();
    return beginning;
  }

  /** Null as long as nothing is known. */
  get start(): Start | null {
    // The first packet decodes to nothing; what comes of the second begins where the first ends.
    if (this.#first !== null && this.#blocks?.areEnds) return { ...startAt(this.#first), endsStated: true };
    return this.#start;
  }

  get decided(): boolean {
    return this.#start !== null && this.#decoded === 'never' && this.#blocks?.decided !== false;
  }

  async take(packet: Packet): Promise<void> {
    const tick = tickOf(packet);
    if (tick !== null) {
      this.#first ??= tick;
      this.#start ??= startAt(tick);
      if (packet.isKeyframe) this.#key ??= tick;
      this.#blocks?.take(statedBlock(this.#stream, packet, tick));
    }
    this.#packets += 1;
    if (this.#decoded === 'unless whole' && !this.#decoder) await this.#begin(packet, tick);
    await this.#look(packet);
  }

  /** Begins to decode if the first packet is no keyframe, or if a picture is shown before it. */
  async #begin(packet: Packet, tick: number | null): Promise<void> {
    const beganWhole = this.#packets === 1 ? packet.isKeyframe : this.#kept.length > 0;
    // Both fields of a keyframe may have packets.
    if (beganWhole && (tick === null || tick === this.#first) && this.#kept.length < FIELDS) {
      const kept = packet.clone();
      if (kept) this.#kept.push(kept);
      return;
    }
    if (beganWhole && (tick === null || tick > (this.#first ?? tick))) {
      this.#end();
      return;
    }
    await this.#open();
    for (const kept of this.#kept) await this.#look(kept);
  }

  /** Ends with the first frame that the decoder outputs. */
  async #look(packet: Packet): Promise<void> {
    const out = this.#decoder && (await this.#firstTick(this.#decoder, packet));
    if (out !== null) this.#start = this.#startFrom(out);
    if (out !== null || this.#packets > leadingOf(this.#stream)) this.#end();
  }

  /**
   * Tick of the first frame decoded from a packet; null if there is none or it is damaged. Decoders drop priming and pre-roll, so
   * the first packets may not produce a frame.
   */
  async #firstTick(decoder: Decoder, packet: Packet): Promise<number | null> {
    // After an error, the decoder of VP9 takes no more packets.
    if (this.#failed && packet.isKeyframe && this.#decoded === 'unless whole') decoder.flush();
    this.#failed = false;
    let first: number | null = null;
    try {
      await decoder.send(packet, async (frame) => {
        const tick = decoder.tickOf(frame);
        if (tick !== AV_NOPTS_VALUE) first ??= Number(tick);
      });
    } catch {
      this.#failed = true;
      return null;
    }
    return first;
  }

  /** @param out Tick of the first decoded frame. */
  #startFrom(out: number): Start {
    const start = startOf(this.#stream, this.#format, out, this.#first ?? out);
    const within = this.#key !== null && this.#key !== this.#first && out >= this.#key;
    return { ...start, withinGroup: within };
  }

  async #open(): Promise<void> {
    this.#decoder = await Decoder.open(this.#stream, { exact: false });
  }

  #end(): void {
    this.close();
    this.#decoded = 'never';
  }

  close(): void {
    for (const kept of this.#kept.splice(0)) kept.free();
    this.#decoder?.close();
    this.#decoder = null;
  }
}

/** Most packets of a frame. */
const FIELDS = 2;

const mayStateEnds = ({ codecpar: { codecId } }: Stream, format: Demuxer) =>
  codecId === AV_CODEC_ID_VORBIS && format === 'matroska';

function statedBlock({ timeBase: { num, den } }: Stream, { duration }: Packet, tick: number): StatedBlock {
  return { time: (tick * num) / den, length: (Number(duration) * num) / den };
}

/** Codecs of which nothing is shown before a keyframe, or whose pictures may be shown before it. */
const grouped: readonly number[] = [
  ...[AV_CODEC_ID_H264, AV_CODEC_ID_VP8, AV_CODEC_ID_VP9, AV_CODEC_ID_AV1],
  ...[AV_CODEC_ID_MPEG1VIDEO, AV_CODEC_ID_MPEG2VIDEO, AV_CODEC_ID_MPEG4],
];

function decodedFor({ codecpar: { codecType, codecId } }: Stream, format: Demuxer): Decoded {
  if (codecType === AVMEDIA_TYPE_AUDIO) return 'always';
  if (codecType !== AVMEDIA_TYPE_VIDEO) return 'never';
  // The first GOP of HEVC may be open: pictures shown before its keyframe reference frames that do not exist.
  if (codecId === AV_CODEC_ID_HEVC || !holdsPresentationTimes(format)) return 'always';
  return grouped.includes(codecId) ? 'unless whole' : 'never';
}

/** @param out Tick of the first decoded frame. @param first Tick of the first packet. */
function startOf(stream: Stream, format: Demuxer, out: number, first: number): Start {
  if (stream.codecpar.codecType === AVMEDIA_TYPE_VIDEO) {
    return holdsPresentationTimes(format) ? startAt(out) : { ...startAt(first), late: out - first };
  }
  const lead = leadOf(stream);
  return startAt(lead > 0 ? Math.max(out, first + lead) : out);
}

/** Offset in the Opus header of the pre-skip, in samples at 48000 Hz; RFC 7845, 5.1. */
const PRE_SKIP = 10;

/**
 * Opus pre-skip in ticks, from the codec header: Matroska's own value may be only a third of it. 0 for other codecs.
 */
function leadOf({ codecpar, timeBase: { num, den } }: Stream): number {
  const { codecId, extradata } = codecpar;
  if (codecId !== AV_CODEC_ID_OPUS || !extradata || extradata.length < PRE_SKIP + 2) return 0;
  return Math.round((extradata.readUInt16LE(PRE_SKIP) * den) / (48_000 * num));
}

/** Packets that may precede the first one with output: of video, a group of pictures of some ten seconds. */
const leadingOf = ({ codecpar: { codecType } }: Stream) => (codecType === AVMEDIA_TYPE_VIDEO ? 600 : 64);
