import { writeFile } from 'node:fs/promises';
import {
  AV_CODEC_FLAG_QSCALE,
  AV_FRAME_DATA_CONTENT_LIGHT_LEVEL,
  AV_FRAME_DATA_MASTERING_DISPLAY_METADATA,
  AV_PICTURE_TYPE_NONE,
  AVCOL_PRI_UNSPECIFIED,
  AVCOL_TRC_UNSPECIFIED,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  type AVPixelFormat,
  FF_ENCODER_MJPEG,
  FF_ENCODER_PAM,
  FF_ENCODER_PNG,
  FF_QP2LAMBDA,
} from 'node-av/constants';
import { Codec, CodecContext, Dictionary, type Frame, Packet, Rational, type Stream } from 'node-av/lib';
import type { PicturesRequest } from '../protocol.ts';
import { upright } from './autorotate.ts';
import { checked } from './av.ts';
import { FrameGraph } from './frame-graph.ts';

const encoders = { jpeg: FF_ENCODER_MJPEG, png: FF_ENCODER_PNG, pam: FF_ENCODER_PAM } as const;

type Manner = PicturesRequest['drawing'];

/** Converts frames of a stream and writes each to a file of its own. */
export class Drawing {
  #manner: Manner;
  #graph: FrameGraph;
  #encoder: CodecContext | null = null;
  #form = '';
  #packet = new Packet();
  /** Files of the frames that are still in the encoder, in order. */
  #files: string[] = [];
  #count = 0;

  constructor(manner: Manner, stream: Stream) {
    this.#manner = manner;
    this.#graph = new FrameGraph([manner.sized, ...upright(stream), manner.chain].join(','));
    this.#packet.alloc();
  }

  async draw(frame: Frame, file: string): Promise<void> {
    const shaped = await this.#graph.filtered(frame);
    const encoder = await this.#encoderFor(shaped);
    shaped.pictType = AV_PICTURE_TYPE_NONE;
    shaped.pts = BigInt(this.#count++);
    shaped.quality = encoder.globalQuality;
    this.#files.push(file);
    checked(encoder.sendFrameSync(shaped), 'encode a picture');
    await this.#write(encoder);
  }

  /** Flushes the encoder. */
  async finish(): Promise<void> {
    if (this.#encoder) {
      checked(this.#encoder.sendFrameSync(null), 'encode a picture');
      await this.#write(this.#encoder);
      this.#encoder.freeContext();
      this.#encoder = null;
    }
    if (this.#files.length > 0) throw new Error('a picture was not encoded');
  }

  close(): void {
    this.#encoder?.freeContext();
    this.#graph.close();
    this.#packet.free();
  }

  async #write(encoder: CodecContext): Promise<void> {
    for (;;) {
      const result = encoder.receivePacketSync(this.#packet);
      if (result === AVERROR_EAGAIN || result === AVERROR_EOF) return;
      checked(result, 'encode a picture');
      const [file, data] = [this.#files.shift(), this.#packet.data];
      if (!file || !data) throw new Error('the encoder returned too many pictures');
      await writeFile(file, data);
      this.#packet.unref();
    }
  }

  /** Drops the color tags of the video: the pixels of an image are already what it looks like. */
  async #encoderFor(frame: Frame): Promise<CodecContext> {
    frame.colorTrc = AVCOL_TRC_UNSPECIFIED;
    frame.colorPrimaries = AVCOL_PRI_UNSPECIFIED;
    frame.removeSideData(AV_FRAME_DATA_MASTERING_DISPLAY_METADATA);
    frame.removeSideData(AV_FRAME_DATA_CONTENT_LIGHT_LEVEL);
    const { width, height, format, colorRange } = frame;
    const form = [width, height, format].join();
    if (this.#encoder && form === this.#form) return this.#encoder;
    await this.finish();
    const codec = Codec.findEncoderByName(encoders[this.#manner.format]);
    if (!codec) throw new Error(`no encoder for ${this.#manner.format} is available`);
    const encoder = new CodecContext();
    encoder.allocContext3(codec);
    Object.assign(encoder, { width, height, colorRange, timeBase: new Rational(1, 25), qMin: 1 });
    encoder.pixelFormat = format as AVPixelFormat;
    if (this.#manner.format === 'jpeg') {
      encoder.setFlags(AV_CODEC_FLAG_QSCALE);
      encoder.globalQuality = this.#manner.quantiser * FF_QP2LAMBDA;
    }
    checked(await encoder.open2(codec, Dictionary.fromObject({ threads: 'auto' })), 'open encoder');
    this.#encoder = encoder;
    this.#form = form;
    return encoder;
  }
}
