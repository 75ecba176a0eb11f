import type { Mastering } from '../model/mastering.ts';
import type { Entry, FieldOrder, Unfit } from '../model/splice.ts';
import type { Picture, QuantiserScale } from './quantiser.ts';

/** Codec-specific rules for splicing copied packets and re-encoded frames. All implementations are pure. */
export interface Codec {
  /** Parses the stream's configuration. A damaged one is reported as `unfit`, too. */
  coded(stream: Configuration): Coded | { unfit: Unfit };
}

/** The container's description of a stream. */
export interface Configuration {
  /** avcC, hvcC or av1C; empty if the container has none. */
  extradata: Uint8Array;
  /** The four-character code in mp4; null in other containers. */
  tag: string | null;
  /** Width and height of its pictures that the container states; absent if it states none. */
  size?: readonly [number, number];
}

/** A stream whose packets are copied. Methods throw RangeError if bytes are damaged. */
export interface Coded {
  /** Called for packets that the container flags as keyframes. */
  entry(packet: Uint8Array): Entry | null;
  /** Why nothing can be spliced next to a keyframe, such as different parameter sets in it; null if it can. */
  misfit(packet: Uint8Array): Unfit | null;
  /** For a run of packets that begins with an entry and follows nothing. */
  entered(): Entrance;
  /** How the picture in a packet is coded; null if its header does not tell. */
  picture(packet: Uint8Array): Picture | null;
  /** Null if `picture` never tells. */
  scale: QuantiserScale | null;
  /** Settings for the encoder in the splicing process. Its parameter sets depend on `seconds` and `bitsPerPixel` only. */
  encoder(target: EncoderTarget): EncoderSettings;
  /** Settings for ffmpeg to encode a file whose packets are spliced with these. */
  fitting: Fitting;
  /**
   * Joins re-encoded frames with this stream. Throws RangeError if something does not fit.
   * @param rendered The configuration of each encoder or file.
   */
  join(rendered: readonly Rendered[]): Joined;
}

/** `Coded.picture`, null also for a damaged packet. */
export function pictureIn(packet: Uint8Array, coded: Coded): Picture | null {
  try {
    return coded.picture(packet);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return null;
  }
}

/** What re-encoded frames should be like. */
export interface EncoderTarget {
  /** Average length of a stretch of frames. */
  seconds: number;
  /** Bits that the source spends on a pixel of these frames. */
  bitsPerPixel: number;
  /** Quantiser of P pictures; null if the source's is unknown. */
  quantiser: number | null;
  /** Upper limit of the bitrate in a long stretch. */
  maxKbps: number | null;
  /** Which field of a frame is shown first; null to encode whole frames. */
  fields: FieldOrder | null;
  /** Null to state none. */
  mastering: Mastering | null;
}

/** An encoder without B-frames, whose packets keep the order of the frames and whose first frame is a keyframe. */
export interface EncoderSettings {
  /** As libav names it. */
  name: string;
  /** AVOptions, including `profile`. */
  options: Readonly<Record<string, string | number>>;
  /**
   * Whether the encoder has no delay, and a forced keyframe references nothing before it. One encoder is then enough for a whole
   * job.
   */
  immediate: boolean;
  /** Whether it uses several cores by itself, and memory for each. */
  parallel: boolean;
}

interface Fitting {
  profile: string | null;
  /** Value of `-x264-params` or `-x265-params`; empty if there are none. */
  params: string;
}

/** Configuration of re-encoded frames. From an `encoder`, it uses start codes or the codec's equivalent. */
export interface Rendered {
  from: 'encoder' | 'file';
  extradata: Uint8Array;
}

/** The joined stream as written to a file. */
export interface Joined {
  extradata: Uint8Array;
  /** The tag in mp4 and mov: avc1, hvc1, av01, vp09. */
  tag: string;
  /** In the order of `rendered`. */
  insertions: readonly Insertion[];
  /** For a copied run that follows another part. @param before The packet before it; null if that is no keyframe. */
  resumed(before: Uint8Array | null): Entrance;
}

/** Converts packets in decoding order, beginning with an entry, such that decoding can begin there. */
export interface Entrance {
  /** Whether all packets from now on stay as they are. */
  readonly passed: boolean;
  /**
   * Null for a packet that cannot be decoded. Throws RangeError if the packets cannot be converted.
   * @param leading Whether the packet is shown before the entry.
   */
  packet(packet: Uint8Array, leading: boolean): Uint8Array | null;
}

/** Packets that can be decoded as they are. */
export const unchanged: Entrance = { passed: true, packet: (packet) => packet };

/** Converts the entry alone. */
export function firstConverted(convert: (packet: Uint8Array) => Uint8Array): Entrance {
  let passed = false;
  return {
    get passed() {
      return passed;
    },
    packet: (packet) => {
      if (passed) return packet;
      passed = true;
      return convert(packet);
    },
  };
}

/** Converts re-encoded frames to the file's format. */
export interface Insertion {
  /** @returns a converter for the packets of one stretch, which begins with a keyframe; called in decoding order. */
  stretch(beside: Beside): (packet: Uint8Array) => Uint8Array;
}

/** The copied packets directly before and after a stretch of re-encoded frames. */
export interface Beside {
  before: Uint8Array | null;
  behind: Uint8Array | null;
}
