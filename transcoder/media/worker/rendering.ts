import type { Frame, Packet, Stream } from 'node-av/lib';
import { type Splice, Splicer } from '../bitstream/h264-splice.ts';
import { joinLengths, splitStartCodes } from '../bitstream/nal.ts';
import { Decoder, H264Encoder } from './av.ts';
import type { CutRequest, Run } from './protocol.ts';

/** So few frames are not worth the threads of an encoder. */
const FEW = 8;

/** Frames of the source encoded anew, so that they can stand beside its packets. */
export class Rendering {
  #run: Run;
  #splice: Splice;
  #decoder: Decoder;
  #encoder: H264Encoder;
  #wanted: Set<number>;
  #encoded: { nals: Uint8Array[]; pts: number }[] = [];

  private constructor(run: Run, splice: Splice, decoder: Decoder, encoder: H264Encoder) {
    this.#run = run;
    this.#splice = splice;
    this.#decoder = decoder;
    this.#encoder = encoder;
    this.#wanted = new Set(run.frames);
  }

  static async open(
    run: Run,
    stream: Stream,
    splice: Splice,
    { preset, crf }: CutRequest['video'],
  ): Promise<Rendering> {
    const { codecpar, timeBase } = stream;
    const encoder = await H264Encoder.open({
      ...{ width: codecpar.width, height: codecpar.height, timeBase, preset, crf },
      pixelFormat: codecpar.format as Parameters<typeof H264Encoder.open>[0]['pixelFormat'],
      profile: splice.profile,
      threads: run.frames.length <= FEW ? 1 : 0,
    });
    return new Rendering(run, splice, await Decoder.open(stream), encoder);
  }

  /** What the decoder of the file has to know. */
  get configuration(): Uint8Array {
    return this.#splicer(0).avcc();
  }

  /** Takes every packet of the source in turn and decodes those it needs. */
  feed(packet: Packet): void {
    const dts = Number(packet.dts);
    if (dts < this.#run.decodeFrom || dts > this.#run.decodeTo) return;
    this.#decoder.spare(!this.#wanted.has(Number(packet.pts)));
    this.#decoder.send(packet, (frame) => this.#encode(frame));
  }

  /** All access units, their NAL units preceded by lengths. @param beside The idr_pic_id of the IDR picture beside. */
  finish(beside: number): Uint8Array[] {
    this.#decoder.send(null, (frame) => this.#encode(frame));
    this.#encoder.send(null, (data, pts) => this.#encoded.push({ nals: copied(data), pts }));
    this.#decoder.close();
    const times = this.#encoded.map(({ pts }) => pts);
    if (times.join() !== this.#run.frames.join()) throw new Error('other frames were decoded than planned');
    const splicer = this.#splicer(beside);
    this.#encoder.close();
    const { lengthSize } = this.#splice.avcc;
    return this.#encoded.map(({ nals }) => joinLengths(splicer.frame(nals), lengthSize));
  }

  #splicer(beside: number): Splicer {
    return new Splicer(this.#splice, splitStartCodes(this.#encoder.sets), [beside]);
  }

  #encode(frame: Frame): void {
    if (!this.#wanted.has(Number(frame.pts))) return;
    this.#encoder.send(frame, (data, pts) => this.#encoded.push({ nals: copied(data), pts }));
  }
}

/** NAL units that outlive the packet they came in. */
function copied(data: Uint8Array): Uint8Array[] {
  return splitStartCodes(Uint8Array.from(data));
}
