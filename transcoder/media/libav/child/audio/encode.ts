import { type FileHandle, open } from 'node:fs/promises';
import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVFMT_FLAG_BITEXACT,
  type AVSampleFormat,
  type FFEncoderCodec,
} from 'node-av/constants';
import { Codec, CodecContext, Dictionary, FormatContext, type Frame, Packet, Rational } from 'node-av/lib';
import type { MixRequest } from '../../protocol.ts';
import { checked, streamOf } from '../av.ts';

/** Writes interleaved 32-bit float samples. */
export class RawSound {
  readonly before = ['aformat=sample_fmts=flt'];
  readonly #file: FileHandle;
  seconds = 0;

  private constructor(file: FileHandle) {
    this.#file = file;
  }

  static async open(file: string): Promise<RawSound> {
    return new RawSound(await open(file, 'w'));
  }

  async take({ data, nbSamples, channels, sampleRate }: Frame): Promise<void> {
    const [samples] = data ?? [];
    if (!samples) throw new Error('a frame has no samples');
    await this.#file.write(samples.subarray(0, nbSamples * channels * 4));
    this.seconds += nbSamples / sampleRate;
  }

  async finish(): Promise<void> {}

  async close(): Promise<void> {
    await this.#file.close();
  }
}

type Encoding = NonNullable<MixRequest['outputs'][number]['encoding']>;

/** Frame size and sample format that each encoder requires. */
const required = {
  aac: { frame: 1024, format: 'fltp' },
  libopus: { frame: 960, format: 'flt' },
} as const;
const muxers = { m4a: 'ipod', ogg: 'ogg' } as const;

/** Encodes audio into a file of its own. */
export class EncodedSound {
  readonly before: readonly string[];
  readonly #file: string;
  readonly #encoding: Encoding;
  readonly #packet = new Packet();
  #writing: { encoder: CodecContext; output: FormatContext } | null = null;
  #samples = 0;
  seconds = 0;

  constructor(file: string, encoding: Encoding) {
    const { frame, format } = required[encoding.encoder];
    this.before = [`aformat=sample_fmts=${format}`, `asetnsamples=n=${frame}:p=0`];
    this.#file = file;
    this.#encoding = encoding;
    this.#packet.alloc();
  }

  async take(frame: Frame): Promise<void> {
    this.#writing ??= await this.#open(frame);
    frame.pts = BigInt(this.#samples);
    this.#samples += frame.nbSamples;
    this.seconds = this.#samples / frame.sampleRate;
    this.#encode(frame);
  }

  /** Throws if no frames arrived. */
  async finish(): Promise<void> {
    if (!this.#writing) throw new Error('the filters returned no audio');
    this.#encode(null);
    const { output } = this.#writing;
    checked(await output.writeTrailer(), 'write trailer');
    await output.closeOutput();
  }

  close(): void {
    this.#packet.free();
    this.#writing?.encoder.freeContext();
    this.#writing?.output.freeContext();
  }

  async #open({ sampleRate, channelLayout, format }: Frame) {
    const { encoder: name, kbps, container } = this.#encoding;
    const codec = Codec.findEncoderByName(name as FFEncoderCodec);
    if (!codec) throw new Error(`encoder ${name} is not available`);
    const encoder = new CodecContext();
    const output = new FormatContext();
    this.#writing = { encoder, output };
    encoder.allocContext3(codec);
    const timeBase = new Rational(1, sampleRate);
    Object.assign(encoder, { sampleRate, channelLayout, timeBase });
    encoder.sampleFormat = format as AVSampleFormat;
    if (kbps !== null) encoder.bitRate = BigInt(Math.round(kbps * 1000));
    encoder.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
    checked(await encoder.open2(codec, Dictionary.fromObject({})), 'open encoder');
    if (encoder.frameSize !== required[name].frame) throw new Error('the encoder uses another frame size');

    checked(output.allocOutputContext2(null, muxers[container], this.#file), 'open output');
    output.setFlags(AVFMT_FLAG_BITEXACT);
    const stream = output.newStream();
    checked(stream.codecpar.fromContext(encoder), 'stream parameters');
    stream.timeBase = timeBase;
    checked(await output.openOutput(), 'open output');
    checked(await output.writeHeader(Dictionary.fromObject({})), 'write header');
    return this.#writing;
  }

  #encode(frame: Frame | null): void {
    if (!this.#writing) return;
    const { encoder, output } = this.#writing;
    checked(encoder.sendFrameSync(frame), 'encode');
    for (;;) {
      const result = encoder.receivePacketSync(this.#packet);
      if (result === AVERROR_EAGAIN || result === AVERROR_EOF) return;
      checked(result, 'encode');
      this.#packet.streamIndex = 0;
      this.#packet.rescaleTs(encoder.timeBase, streamOf(output, 0).timeBase);
      checked(output.writeFrameSync(this.#packet), 'write');
      this.#packet.unref();
    }
  }
}
