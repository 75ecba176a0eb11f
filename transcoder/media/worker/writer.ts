import { AV_PKT_FLAG_DISCARD } from 'node-av/constants';
import { type FormatContext, Packet, type Stream } from 'node-av/lib';
import { decodingTimes } from '../bitstream/decoding-times.ts';
import { checked, streamOf } from './av.ts';
import type { CutRequest } from './protocol.ts';

/** Writes the packets of a cut with the times of the output. */
export class Writer {
  #output: FormatContext;
  #streams: readonly Stream[];
  #request: CutRequest;
  /** Presentation times in the order of decoding, in ticks of the source. */
  #pts: number[];
  #dts: number[];
  #durations: Map<number, number>;
  #next = 0;

  constructor(output: FormatContext, streams: readonly Stream[], request: CutRequest) {
    const { head, copy, tail, zero, frame } = request.video;
    this.#output = output;
    this.#streams = streams;
    this.#request = request;
    this.#pts = [...(head?.frames ?? []), ...copy.frames, ...(tail?.frames ?? [])];
    this.#dts = decodingTimes(
      this.#pts.map((pts) => pts - zero),
      frame,
    );
    const shown = this.#pts.toSorted((a, b) => a - b);
    this.#durations = new Map(shown.map((pts, index) => [pts, (shown[index + 1] ?? pts + frame) - pts]));
  }

  /** The next frame, encoded anew; the first of a run is a keyframe. */
  rendered(data: Uint8Array): void {
    const { head, copy } = this.#request.video;
    const packet = new Packet();
    packet.alloc();
    packet.data = Buffer.from(data.buffer, data.byteOffset, data.length);
    packet.isKeyframe = this.#next === 0 || this.#next === (head?.frames.length ?? 0) + copy.frames.length;
    this.#picture(packet);
    packet.free();
  }

  copied(packet: Packet): void {
    if (Number(packet.pts) !== this.#pts[this.#next]) throw new Error('the source is not what was surveyed');
    this.#picture(packet);
  }

  /** Takes every packet of the sound in turn and writes those it needs. */
  sound(packet: Packet): void {
    const { audio } = this.#request;
    if (!audio) return;
    const [pts, duration] = [Number(packet.pts), Number(packet.duration)];
    if (pts + duration * (1 + audio.settle) <= audio.start) return;
    packet.pts = packet.dts = BigInt(pts - audio.start);
    packet.duration = BigInt(Math.min(duration, audio.end - pts));
    packet.clearFlags(AV_PKT_FLAG_DISCARD);
    packet.freeSideData();
    this.#write(packet, 1);
  }

  /** Throws where frames are missing. */
  finish(): void {
    if (this.#next !== this.#pts.length) throw new Error('the source ends before the range');
  }

  #picture(packet: Packet): void {
    const pts = this.#pts[this.#next] ?? 0;
    packet.pts = BigInt(pts - this.#request.video.zero);
    packet.dts = BigInt(this.#dts[this.#next] ?? 0);
    packet.duration = BigInt(this.#durations.get(pts) ?? 0);
    this.#next += 1;
    this.#write(packet, 0);
  }

  #write(packet: Packet, to: 0 | 1): void {
    const from = this.#streams[to];
    if (!from) throw new Error('an output without this stream');
    packet.streamIndex = to;
    packet.rescaleTs(from.timeBase, streamOf(this.#output, to).timeBase);
    checked(this.#output.interleavedWriteFrameSync(packet), 'write');
  }
}
