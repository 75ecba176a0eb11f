import type { Entry, Unfit } from '../model/splice.ts';
/** What a codec's bitstream means for splicing: packets copied, and frames encoded anew between them. All is pure. */
export interface Codec {
  /** Takes a stream's own coding apart. Damage of its configuration is an `unfit` too. */
  coded(stream: Configuration): Coded | { unfit: Unfit };
}

/** How a container describes a stream. */
export interface Configuration {
  /** avcC, hvcC, av1C; empty where the container has none. */
  extradata: Uint8Array;
  /** Four characters of mp4; null elsewhere. */
  tag: string | null;
}

/** A stream whose packets are copied. Methods throw RangeError where bytes are damaged. */
export interface Coded {
  /** Asked of packets that the container calls keyframes. */
  entry(packet: Uint8Array): Entry | null;
  /** Why nothing can stand beside a keyframe, such as that it brings other parameter sets; null where it can. */
  misfit(packet: Uint8Array): Unfit | null;
  /** How frames are encoded in the process that splices. @param seconds That a stretch of frames lasts on average. */
  encoder(seconds: number): EncoderSettings;
  /** How ffmpeg has to encode a file whose packets are to stand beside these. */
  fitting: Fitting;
  /**
   * Joins what was rendered with this stream. Throws RangeError where something does not fit.
   * @param rendered What each encoder, or file, says of itself.
   */
  join(rendered: readonly Rendered[]): Joined;
}

/** An encoder without B-frames, whose frames leave in the order they came in and whose first frame is a keyframe. */
export interface EncoderSettings {
  /** As libav names it. */
  name: string;
  /** As AVOptions; `profile` is one of them. */
  options: Readonly<Record<string, string | number>>;
  /**
   * Whether every frame leaves as soon as it came in and a forced keyframe refers to nothing before it: then one encoder
   * does for a whole job.
   */
  immediate: boolean;
}

export interface Fitting {
  profile: string | null;
  /** Of `-x264-params`, `-x265-params`; empty where nothing is asked for. */
  params: string;
}

/** The configuration of frames that were encoded anew; `encoder` has start codes, or what its codec has in their place. */
export interface Rendered {
  from: 'encoder' | 'file';
  extradata: Uint8Array;
}

/** The stream that holds both, as it is written to a file. */
export interface Joined {
  extradata: Uint8Array;
  /** The tag in mp4 and mov: avc1, hvc1, av01, vp09. */
  tag: string;
  /** In the order of `rendered`. */
  insertions: readonly Insertion[];
  /** The first packet of a copied run that something else precedes. */
  resumed(packet: Uint8Array): Uint8Array;
}

/** Brings frames that were encoded anew into the form of the file. */
export interface Insertion {
  /** @returns What each packet of one stretch becomes, the first of them a keyframe; called in decoding order. */
  stretch(beside: Beside): (packet: Uint8Array) => Uint8Array;
}

/** The copied packets right before and right behind a stretch of rendered frames. */
export interface Beside {
  before: Uint8Array | null;
  behind: Uint8Array | null;
}
