import {
  AV_CODEC_ID_PNG,
  AV_PIX_FMT_PAL8,
  AV_PIX_FMT_RGB24,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  type AVPixelFormat,
  FF_ENCODER_PNG,
} from 'node-av/constants';
import {
  avGetCodecName,
  Codec,
  CodecContext,
  Dictionary,
  type Frame,
  Packet,
  Rational,
  type Stream,
} from 'node-av/lib';
import { hasPaletteAside } from '../../../../model/source/video-stream.ts';
import { checked, Decoder } from '../av.ts';

/** Whether the colors of a stream are no part of its packets' bytes. */
export const isRedrawn = ({ codecpar: { codecId, format } }: Stream): boolean =>
  format === AV_PIX_FMT_PAL8 && hasPaletteAside(avGetCodecName(codecId) ?? '');

/** Describes the pictures that RedrawnPictures makes. */
export function describeRedrawn({ codecpar }: Stream): void {
  codecpar.codecId = AV_CODEC_ID_PNG;
  codecpar.extradata = null;
  // Otherwise libav expects a palette in the container.
  codecpar.format = AV_PIX_FMT_RGB24;
  codecpar.bitsPerCodedSample = 24;
}

type Timed = Pick<Packet, 'pts' | 'dts' | 'duration' | 'streamIndex'>;

interface Pictures {
  take(packet: Packet): void;
  end(): void;
}

/**
 * Encodes each picture with its palette, which demuxers give along with the first packet that is read, and not after a seek. What
 * shows nothing new is the picture before it once more, and the first picture stands for what cannot be decoded ahead of it.
 */
export class RedrawnPictures {
  readonly #pictures: Pictures;
  readonly #decoder: Decoder;
  readonly #encoder: CodecContext;
  readonly #encoded = new Packet();
  #latest: Buffer | null = null;
  /** Times of the packets ahead of the first picture. */
  #ahead: Timed[] = [];

  private constructor(pictures: Pictures, decoder: Decoder, encoder: CodecContext) {
    this.#pictures = pictures;
    this.#decoder = decoder;
    this.#encoder = encoder;
    this.#encoded.alloc();
  }

  static async open(pictures: Pictures, model: Stream): Promise<RedrawnPictures> {
    const encoder = await encoderFor(model);
    return new RedrawnPictures(pictures, await Decoder.open(model, { exact: false }), encoder);
  }

  async take(packet: Packet): Promise<void> {
    try {
      await this.#decoder.send(packet, async (frame) => {
        this.#latest = this.#encode(frame);
      });
    } catch {
      // A damaged picture leaves the one before on screen, as in players.
    }
    if (this.#latest) {
      for (const ahead of this.#ahead.splice(0)) this.#pass(ahead, this.#latest);
      this.#pass(packet, this.#latest);
    } else {
      const { pts, dts, duration, streamIndex } = packet;
      this.#ahead.push({ pts, dts, duration, streamIndex });
    }
  }

  end(): void {
    if (this.#latest === null) throw new Error('no picture can be decoded');
    this.#pictures.end();
  }

  close(): void {
    this.#decoder.close();
    this.#encoder.freeContext();
    this.#encoded.free();
  }

  #pass(like: Timed, picture: Buffer): void {
    const packet = new Packet();
    packet.alloc();
    packet.data = picture;
    const { pts, dts, duration, streamIndex } = like;
    // What is flagged otherwise, decoders add to the picture before it.
    Object.assign(packet, { pts, dts, duration, streamIndex, isKeyframe: true });
    this.#pictures.take(packet);
    packet.free();
  }

  #encode(frame: Frame): Buffer {
    checked(this.#encoder.sendFrameSync(frame), 'encode a picture');
    const result = this.#encoder.receivePacketSync(this.#encoded);
    if (result === AVERROR_EAGAIN || result === AVERROR_EOF) throw new Error('a picture was not encoded');
    checked(result, 'encode a picture');
    const bytes = Buffer.from(this.#encoded.data ?? []);
    this.#encoded.unref();
    return bytes;
  }
}

async function encoderFor({ codecpar: { width, height } }: Stream): Promise<CodecContext> {
  const codec = Codec.findEncoderByName(FF_ENCODER_PNG);
  if (!codec) throw new Error('no encoder for png is available');
  const encoder = new CodecContext();
  encoder.allocContext3(codec);
  Object.assign(encoder, { width, height, timeBase: new Rational(1, 25) });
  encoder.pixelFormat = AV_PIX_FMT_PAL8 as AVPixelFormat;
  checked(
    await encoder.open2(codec, Dictionary.fromObject({ threads: 1, compression_level: 1 })),
    'open encoder',
  );
  return encoder;
}
