import { availableParallelism } from 'node:os';
import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_CODEC_ID_H264,
  AV_NOPTS_VALUE,
  AV_PICTURE_TYPE_I,
  AV_PICTURE_TYPE_NONE,
  AV_PKT_FLAG_DISCARD,
  type AVCodecID,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  type AVPixelFormat,
  type FFEncoderCodec,
} from 'node-av/constants';
import {
  Codec,
  CodecContext,
  Dictionary,
  FFmpegError,
  type FormatContext,
  Frame,
  Packet,
  Rational,
  type Stream,
} from 'node-av/lib';
import { MAX_PIXELS } from '../../../../schema/api/plans.ts';
import type { Demuxer } from '../../../../schema/media/demuxers.ts';
import type { Configuration, EncoderSettings } from '../../../bitstream/codec.ts';
import { framesOnly } from '../../../bitstream/h264-fields.ts';
import { atWork } from './at-work.ts';

/** Throws if libav reports an error; otherwise returns the result. */
export function checked(result: number, doing: string): number {
  if (result < 0) throw new Error(`${doing}: ${FFmpegError.strerror(result)}`);
  return result;
}

/**
 * Whether an edit list hides a packet. Hidden packets lie before and after what is shown of each edit, and have times that packets of
 * other edits have, too.
 */
export const isHidden = (packet: Pick<Packet, 'hasFlags'>): boolean => packet.hasFlags(AV_PKT_FLAG_DISCARD);

/** Matroska stores presentation times only, and seeks by them. */
export const holdsDecodingTimes = (format: Demuxer): boolean => format !== 'matroska';

export function streamOf(context: FormatContext, index: number): Stream {
  const stream = context.streams[index];
  if (!stream) throw new Error(`stream ${index} does not exist`);
  return stream;
}

/** The container's description of a stream. */
export function configurationOf({ codecpar }: Stream): Configuration {
  const tag = codecpar.codecTag === 0 ? null : codecpar.codecTagString;
  return {
    extradata: Uint8Array.from(codecpar.extradata ?? []),
    tag,
    size: [codecpar.width, codecpar.height],
  };
}

/** The shape of a stream's pixels, where both state one that of the container, as players do; unknown if its numerator is 0. */
export const pixelShape = ({ sampleAspectRatio: own, codecpar }: Stream): Rational =>
  own.num > 0 && own.den > 0 ? own : codecpar.sampleAspectRatio;

/** How a decoder decodes. */
interface Decoding {
  /**
   * Whether any error counts. Errors are unavoidable if decoding begins inside an open GOP: its reference marking refers to frames
   * that were not decoded.
   */
  exact?: boolean;
  /**
   * How many decoders and encoders of this process work at the same time. Several of them share the cores, and each works outside of
   * JavaScript's thread; to hand a packet over costs as much as to decode a small picture.
   */
  sharing?: number;
}

/**
 * Of H.264 that does not state how far it reorders, libav otherwise leaves out frames until it has seen how far.
 * @returns Options of a decoder.
 */
export const reorderingOptions = (codecId: AVCodecID): Record<string, string> =>
  codecId === AV_CODEC_ID_H264 ? { strict: 'strict' } : {};

/** Decodes one stream; treats a damaged frame as an error. */
export class Decoder {
  #context = new CodecContext();
  #frame = new Frame();
  readonly #alone: boolean;
  #sparing = false;
  /** Whether a packet was sent that is not shown when it is decoded. */
  #presented = false;

  private constructor(sharing: number) {
    this.#alone = sharing === 1;
  }

  static async open(stream: Stream, { exact = true, sharing = 1 }: Decoding = {}): Promise<Decoder> {
    const decoder = new Decoder(sharing);
    const codec = Codec.findDecoder(stream.codecpar.codecId);
    decoder.#context.allocContext3(codec);
    checked(decoder.#context.parametersToContext(stream.codecpar), 'decoder parameters');
    decoder.#context.pktTimebase = stream.timeBase;
    const options = Dictionary.fromObject({
      ...{
        threads: sharing === 1 ? 'auto' : Math.max(1, Math.floor(availableParallelism() / sharing)),
        max_pixels: MAX_PIXELS,
      },
      ...(exact ? { err_detect: 'explode' } : {}),
      // With it, libav loses frames at joints of H.264 that holds single fields.
      ...(framesOnly(configurationOf(stream).extradata) ? reorderingOptions(stream.codecpar.codecId) : {}),
    });
    checked(await decoder.#context.open2(codec, options), 'open decoder');
    decoder.#frame.alloc();
    return decoder;
  }

  /** Whether to skip non-reference frames, starting with the next packet. */
  spare(value: boolean): void {
    if (this.#sparing === value) return;
    this.#sparing = value;
    checked(this.#context.setOption('skip_frame', value ? 'noref' : 'default'), 'skip frames');
  }

  /** Null flushes the decoder. The frame is unreferenced after `onFrame`. */
  async send(packet: Packet | null, onFrame: (frame: Frame) => Promise<void>): Promise<void> {
    if (packet && packet.pts !== packet.dts) this.#presented = true;
    // The frame that a packet completes is decoded here, not where it is received.
    const sent = this.#alone ? this.#context.sendPacketSync(packet) : await this.#context.sendPacket(packet);
    checked(sent, 'decode');
    atWork();
    for (;;) {
      const result = this.#context.receiveFrameSync(this.#frame);
      if (result === AVERROR_EAGAIN || result === AVERROR_EOF) return;
      checked(result, 'decode');
      if (this.#frame.decodeErrorFlags !== 0) throw new Error('a decoded frame is damaged');
      await onFrame(this.#frame);
      this.#frame.unref();
    }
  }

  /**
   * The presentation time of a decoded frame, in ticks: the one of its packet, for plans are made from packets. libavcodec's "best
   * effort" counts times that descend and then prefers decoding times; it stands in where packets have no presentation times of their own.
   */
  tickOf({ pts, bestEffortTimestamp }: Pick<Frame, 'pts' | 'bestEffortTimestamp'>): bigint {
    return this.#presented && pts !== AV_NOPTS_VALUE ? pts : bestEffortTimestamp;
  }

  /** Resets the decoder before a seek. */
  flush(): void {
    this.#context.flushBuffers();
  }

  close(): void {
    this.#frame.free();
    this.#context.freeContext();
  }
}

const colors = ['colorRange', 'colorPrimaries', 'colorTrc', 'colorSpace', 'chromaLocation'] as const;

/** Encodes frames with a stream's parameters; see EncoderSettings. */
export class Encoder {
  #context = new CodecContext();
  #packet = new Packet();
  readonly #alone: boolean;

  private constructor(sharing: number) {
    this.#alone = sharing === 1;
  }

  /** @param sharing As for a decoder. */
  static async open({ name, options }: EncoderSettings, like: Stream, sharing = 1): Promise<Encoder> {
    const encoder = new Encoder(sharing);
    const codec = Codec.findEncoderByName(name as FFEncoderCodec);
    if (!codec) throw new Error(`encoder ${name} is not available`);
    const context = encoder.#context;
    context.allocContext3(codec);
    const { width, height, format } = like.codecpar;
    Object.assign(context, { width, height });
    context.pixelFormat = format as AVPixelFormat;
    context.sampleAspectRatio = pixelShape(like);
    for (const field of colors) Object.assign(context, { [field]: like.codecpar[field] });
    context.timeBase = like.timeBase;
    context.framerate = like.avgFrameRate.num > 0 ? like.avgFrameRate : new Rational(30, 1);
    context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
    checked(await context.open2(codec, Dictionary.fromObject(options)), 'open encoder');
    encoder.#packet.alloc();
    return encoder;
  }

  get extradata(): Uint8Array {
    return Uint8Array.from(this.#context.extraData ?? []);
  }

  /** Null flushes the encoder. `onPacket` receives a copy of the data, and the presentation time. */
  async send(
    frame: Frame | null,
    key: boolean,
    onPacket: (data: Uint8Array, pts: number) => void,
  ): Promise<void> {
    const { width, height, pixelFormat } = this.#context;
    if (frame && (frame.width !== width || frame.height !== height || frame.format !== pixelFormat)) {
      throw new Error('a frame differs in size or pixel format');
    }
    if (frame) frame.pictType = key ? AV_PICTURE_TYPE_I : AV_PICTURE_TYPE_NONE;
    const sent = this.#alone ? this.#context.sendFrameSync(frame) : await this.#context.sendFrame(frame);
    checked(sent, 'encode');
    atWork();
    // At the end, frames that wait in the encoder are encoded where they are received.
    const awaited = !this.#alone && frame === null;
    for (;;) {
      const result = awaited
        ? await this.#context.receivePacket(this.#packet)
        : this.#context.receivePacketSync(this.#packet);
      if (result === AVERROR_EAGAIN || result === AVERROR_EOF) return;
      checked(result, 'encode');
      onPacket(Uint8Array.from(this.#packet.data ?? []), Number(this.#packet.pts));
      this.#packet.unref();
    }
  }

  close(): void {
    this.#packet.free();
    this.#context.freeContext();
  }
}
