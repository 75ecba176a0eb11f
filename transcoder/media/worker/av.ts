import {
  AV_CODEC_FLAG_GLOBAL_HEADER,
  AV_PICTURE_TYPE_NONE,
  AVDISCARD_ALL,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVFMT_FLAG_BITEXACT,
  type AVPixelFormat,
  AVSEEK_FLAG_BACKWARD,
  FF_ENCODER_LIBX264,
} from 'node-av/constants';
import {
  Codec,
  CodecContext,
  Dictionary,
  FFmpegError,
  FormatContext,
  Frame,
  InputFormat,
  Packet,
  Rational,
  type Stream,
} from 'node-av/lib';
import type { SourceFile } from '../../ffmpeg/arguments.ts';
import type { SourceParts } from '../../media-source.ts';
import { SparseInput } from './sparse-input.ts';

/** Throws where libav reports an error; @returns the result. */
export function checked(result: number, doing: string): number {
  if (result < 0) throw new Error(`${doing}: ${FFmpegError.strerror(result)}`);
  return result;
}

/** A moment of a stream, in its ticks. */
export interface Place {
  stream: number;
  tick: number;
}

/**
 * Opens a source with the one demuxer chosen for it; packets of other streams than `wanted` are not read.
 * @param near Where reading will begin: what an mp4's index does not say of the streams is then learnt from there.
 */
export async function openInput(
  source: SourceParts,
  wanted: readonly number[],
  near?: Place,
): Promise<FormatContext> {
  if (source.present === null) return opened(new FormatContext(), source, wanted, near);
  const input = new SparseInput(source);
  await opened(input, source, wanted, near);
  input.goesOn = true;
  return input;
}

/** The same for a file of ours. */
export async function openFile(file: SourceFile, wanted: readonly number[]): Promise<FormatContext> {
  return opened(new FormatContext(), file, wanted);
}

async function opened(
  input: FormatContext,
  source: SourceFile,
  wanted: readonly number[],
  near?: Place,
): Promise<FormatContext> {
  const options = Dictionary.fromObject({
    ...{ protocol_whitelist: 'file', format_whitelist: source.format, max_streams: 64 },
  });
  const format = InputFormat.findInputFormat(source.format);
  const url = input instanceof SparseInput ? '' : `file:${source.path}`;
  checked(await input.openInput(url, format, options), 'open');
  if (near && source.format === 'mov') {
    await input.seekFrame(near.stream, BigInt(near.tick), AVSEEK_FLAG_BACKWARD);
    if (input instanceof SparseInput) input.goesOn = true;
  }
  checked(await input.findStreamInfo(), 'find streams');
  for (const stream of input.streams) {
    if (!wanted.includes(stream.index)) stream.discard = AVDISCARD_ALL;
  }
  return input;
}

export function streamOf(context: FormatContext, index: number): Stream {
  const stream = context.streams[index];
  if (!stream) throw new Error(`there is no stream ${index}`);
  return stream;
}

/** @returns Whether there was another packet. */
export function readPacket(input: FormatContext, packet: Packet): boolean | Promise<boolean> {
  return input instanceof SparseInput
    ? input.readFrame(packet).then(isRead)
    : isRead(input.readFrameSync(packet));
}

function isRead(result: number): boolean {
  if (result === AVERROR_EOF) return false;
  checked(result, 'read');
  return true;
}

/** How often the event loop gets its turn, so that messages leave. */
const TURN = 512;

/** Visits packets until a visit says `end` or the file ends; a packet is emptied after its visit. */
export async function eachPacket(
  input: FormatContext,
  visit: (packet: Packet) => 'end' | undefined | Promise<'end' | undefined>,
): Promise<void> {
  const packet = new Packet();
  packet.alloc();
  for (let count = 1; ; count++) {
    const read = readPacket(input, packet);
    if (!(read instanceof Promise ? await read : read)) break;
    const answer = visit(packet);
    const end = answer instanceof Promise ? await answer : answer;
    packet.unref();
    if (end) break;
    if (count % TURN === 0) await new Promise(setImmediate);
  }
  packet.free();
}

/** Decodes one stream; any damage is an error. */
export class Decoder {
  #context = new CodecContext();
  #frame = new Frame();
  #sparing = false;

  static async open(stream: Stream): Promise<Decoder> {
    const decoder = new Decoder();
    const codec = Codec.findDecoder(stream.codecpar.codecId);
    decoder.#context.allocContext3(codec);
    checked(decoder.#context.parametersToContext(stream.codecpar), 'decoder parameters');
    decoder.#context.pktTimebase = stream.timeBase;
    const options = Dictionary.fromObject({ err_detect: 'explode', threads: 'auto' });
    checked(await decoder.#context.open2(codec, options), 'open decoder');
    decoder.#frame.alloc();
    return decoder;
  }

  /** Whether frames that no other refers to are left out from the next packet on. */
  spare(value: boolean): void {
    if (this.#sparing === value) return;
    this.#sparing = value;
    checked(this.#context.setOption('skip_frame', value ? 'noref' : 'default'), 'skip frames');
  }

  /** Null for the end of the stream. The frame is emptied after `onFrame`. */
  send(packet: Packet | null, onFrame: (frame: Frame) => void): void {
    checked(this.#context.sendPacketSync(packet), 'decode');
    for (;;) {
      const result = this.#context.receiveFrameSync(this.#frame);
      if (result === AVERROR_EAGAIN || result === AVERROR_EOF) return;
      checked(result, 'decode');
      if (this.#frame.decodeErrorFlags !== 0) throw new Error('a frame is damaged');
      onFrame(this.#frame);
      this.#frame.unref();
    }
  }

  close(): void {
    this.#frame.free();
    this.#context.freeContext();
  }
}

export interface H264Settings {
  width: number;
  height: number;
  pixelFormat: AVPixelFormat;
  timeBase: Rational;
  profile: 'baseline' | 'main' | 'high' | 'high10';
  preset: string;
  crf: number;
  threads: number;
}

/** An encoder whose first frame alone is a keyframe and whose frames leave in the order they came in. */
export class H264Encoder {
  #context = new CodecContext();
  #packet = new Packet();

  static async open(settings: H264Settings): Promise<H264Encoder> {
    const encoder = new H264Encoder();
    const codec = Codec.findEncoderByName(FF_ENCODER_LIBX264);
    if (!codec) throw new Error('there is no libx264');
    const context = encoder.#context;
    context.allocContext3(codec);
    Object.assign(context, { width: settings.width, height: settings.height });
    context.pixelFormat = settings.pixelFormat;
    context.timeBase = settings.timeBase;
    context.framerate = new Rational(30, 1);
    context.setFlags(AV_CODEC_FLAG_GLOBAL_HEADER);
    const cabac = settings.profile === 'baseline' ? 0 : 1;
    const transform = settings.profile.startsWith('high') ? 1 : 0;
    const params = [
      ...['bframes=0', 'weightp=0', 'ref=1', 'keyint=infinite', 'scenecut=0', 'open-gop=0'],
      ...[`cabac=${cabac}`, `8x8dct=${transform}`, 'aud=0', 'log-level=none'],
    ];
    const options = Dictionary.fromObject({
      ...{ preset: settings.preset, profile: settings.profile, crf: settings.crf },
      ...{ threads: settings.threads, 'x264-params': params.join(':') },
    });
    checked(await context.open2(codec, options), 'open encoder');
    encoder.#packet.alloc();
    return encoder;
  }

  /** Start codes and parameter sets. */
  get sets(): Uint8Array {
    return this.#context.extraData ?? new Uint8Array();
  }

  /** Null for the end. `onFrame` gets NAL units between start codes and their presentation time. */
  send(frame: Frame | null, onFrame: (data: Uint8Array, pts: number) => void): void {
    if (frame) frame.pictType = AV_PICTURE_TYPE_NONE;
    checked(this.#context.sendFrameSync(frame), 'encode');
    for (;;) {
      const result = this.#context.receivePacketSync(this.#packet);
      if (result === AVERROR_EAGAIN || result === AVERROR_EOF) return;
      checked(result, 'encode');
      onFrame(this.#packet.data ?? new Uint8Array(), Number(this.#packet.pts));
      this.#packet.unref();
    }
  }

  close(): void {
    this.#packet.free();
    this.#context.freeContext();
  }
}

/** A file to be written with these streams, the picture first; `extradata` takes the place of the picture's own. */
export async function openOutput(
  file: string,
  container: 'mp4' | 'mov',
  streams: readonly Stream[],
  extradata: Uint8Array | null,
): Promise<FormatContext> {
  const output = new FormatContext();
  checked(output.allocOutputContext2(null, container, file), 'open output');
  output.setFlags(AVFMT_FLAG_BITEXACT);
  output.maxInterleaveDelta = 0n;
  const [video, audio] = streams;
  if (!video) throw new Error('an output without video');
  for (const stream of streams) {
    const made = output.newStream();
    checked(stream.codecpar.copy(made.codecpar), 'copy parameters');
    made.codecpar.codecTag = 0;
    made.timeBase = stream.timeBase;
    made.avgFrameRate = stream.avgFrameRate;
    made.sampleAspectRatio = stream.sampleAspectRatio;
  }
  if (extradata) streamOf(output, 0).codecpar.extradata = Buffer.from(extradata);
  checked(await output.openOutput(), 'open output');
  const options = Dictionary.fromObject({
    movflags: '+faststart',
    video_track_timescale: video.timeBase.den,
    movie_timescale: audio ? audio.codecpar.sampleRate : video.timeBase.den,
  });
  checked(await output.writeHeader(options), 'write header');
  return output;
}
