import { AV_CODEC_ID_H264, AV_NOPTS_VALUE } from 'node-av/constants';
import type { Packet, Stream } from 'node-av/lib';
import { framesOnly, singleFields } from '../../../../bitstream/h264-fields.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { configurationOf } from '../av.ts';
import { Reader } from '../read/reader.ts';
import type { Stamp } from './first-tick.ts';
import { rateOf } from './frame-order.ts';
import { Leading } from './leading.ts';
import { NotAsStated, Untimed } from './not-as-stated.ts';
import { ParameterSets } from './parameter-sets.ts';
import { type Out, startTicks, write } from './tracks.ts';

/** More packets than may precede one in decoding order but follow it in presentation order (H.264 A.3.1), with both fields each. */
const REORDER = 33;

/**
 * Times of the first packets of a stream whose pictures can be decoded. Throws NotAsStated if one of its first packets states no time.
 * @param fromKey Whether only the packets from the first keyframe on count.
 */
export async function firstStated(source: SourceParts, stream: number, fromKey: boolean): Promise<Stamp[]> {
  const reader = await Reader.open({ source, stream });
  try {
    const leading = new Leading(reader.stream);
    const stamps: Stamp[] = [];
    while (stamps.length < REORDER) {
      const packet = await reader.next();
      if (!packet) break;
      if (stamps.length === 0 && fromKey && !packet.isKeyframe) continue;
      const stamp = statedIn(packet);
      if (!leading.isLost(packet, stamp.pts)) stamps.push(stamp);
    }
    if (stamps.length === 0) throw new NotAsStated('the stream has no packets');
    return stamps;
  } finally {
    await reader.close();
  }
}

/**
 * Writes video packets at the times that they state. Throws NotAsStated for what a decoder has to tell, or what another container
 * could not describe: missing, repeated or descending times, single fields, and a change of the codec's configuration that cannot be
 * written into packets.
 */
export class StatedTrack {
  readonly #out: Out;
  readonly #model: Stream;
  readonly #isField: (packet: Uint8Array) => boolean;
  /** Presentation times of the latest packets. */
  readonly #recent: number[] = [];
  #decoded = Number.NEGATIVE_INFINITY;
  #reordered = false;
  /** Whether to go on without packets until a keyframe comes. */
  #waits: boolean;
  readonly #leading: Leading;
  readonly #sets: ParameterSets;
  /** Ticks of a frame. */
  readonly #usual: bigint;

  constructor(out: Out, model: Stream, fromKey: boolean) {
    this.#out = out;
    this.#waits = fromKey;
    this.#model = model;
    this.#leading = new Leading(model);
    this.#sets = new ParameterSets(model);
    const [rate, unit] = [rateOf(model), model.timeBase];
    this.#usual = BigInt(Math.max(1, Math.round((rate.den * unit.den) / (rate.num * unit.num))));
    const { extradata } = configurationOf(model);
    const fields = model.codecpar.codecId === AV_CODEC_ID_H264 && !framesOnly(extradata);
    this.#isField = fields ? singleFields(extradata) : () => false;
  }

  /** Goes on with the packets of another recording. Throws NotAsStated if the track cannot hold them. */
  goOn({ codecpar: { codecId, extradata } }: Stream): void {
    if (codecId === AV_CODEC_ID_H264 && extradata) this.#sets.goOn(extradata);
  }

  take(packet: Packet): void {
    this.#sets.follow(packet);
    this.#waits &&= !packet.isKeyframe;
    if (this.#waits) return;
    const { timeBase } = this.#model;
    const { pts, dts: stated } = statedIn(packet);
    if (this.#leading.isLost(packet, pts)) return;
    // Where recordings were joined, decoding times may overlap though presentation times do not.
    const dts = Math.max(stated, this.#decoded + 1);
    const zero = startTicks(this.#out, timeBase);
    if (pts < zero || pts < dts || this.#recent.includes(pts))
      throw new NotAsStated(`a packet has the times ${pts} and ${dts} after ${this.#decoded}`);
    if (this.#isField(packet.data ?? new Uint8Array())) throw new NotAsStated('a packet holds one field');
    this.#decoded = dts;
    this.#reordered ||= pts !== dts;
    if (this.#recent.push(pts) > REORDER) this.#recent.shift();
    packet.pts = BigInt(pts - zero);
    packet.dts = BigInt(dts - zero);
    // A track ends with its last frame: without a length, that one would be hidden.
    if (packet.duration <= 0n) packet.duration = this.#usual;
    write(this.#out, packet, timeBase);
  }

  end(): void {
    if (this.#model.codecpar.videoDelay > 0 && !this.#reordered)
      throw new NotAsStated('the times of reordered frames ascend');
  }
}

function statedIn(packet: Packet): Stamp {
  const { pts, dts } = packet;
  if (pts === AV_NOPTS_VALUE || dts === AV_NOPTS_VALUE) throw new Untimed('a packet states no time');
  return { pts: Number(pts), dts: Number(dts) };
}
