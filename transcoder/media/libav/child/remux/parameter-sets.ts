import { AV_CODEC_ID_H264, AV_CODEC_ID_HEVC, AV_PKT_DATA_NEW_EXTRADATA } from 'node-av/constants';
import type { Packet, Stream } from 'node-av/lib';
import { parseAvcc } from '../../../../bitstream/avcc.ts';
import { parseHvcc } from '../../../../bitstream/hvcc.ts';
import { joinLengths } from '../../../../bitstream/nal.ts';
import { refill } from '../read/refill.ts';
import { NotAsStated } from './not-as-stated.ts';

/**
 * Writes parameter sets of H.264 and HEVC into keyframes where the container states new ones, as FLV does when a recorder goes on with
 * another encoder, and mp4 where an editor joined clips: copies state them once for all packets.
 */
export class ParameterSets {
  readonly #model: Stream;
  /** As they stand in a packet; null while the stream has its first ones. */
  #own: Uint8Array | null = null;

  constructor(model: Stream) {
    this.#model = model;
  }

  /** Takes packets in decoding order. Throws NotAsStated if their configuration changes and cannot be written into them. */
  follow(packet: Packet): void {
    const configuration = packet.getSideData(AV_PKT_DATA_NEW_EXTRADATA);
    if (configuration) {
      this.goOn(configuration);
      // Muxers would take it for the configuration of the whole track.
      packet.freeSideData();
    }
    if (this.#own && packet.isKeyframe)
      refill(packet, Buffer.concat([this.#own, packet.data ?? Buffer.alloc(0)]));
  }

  /** Takes another configuration for the packets that follow. Throws NotAsStated if it cannot be written into them. */
  goOn(configuration: Buffer): void {
    this.#own = this.#differing(configuration);
  }

  /** Parameter sets of a configuration; null if it is still the one of the stream, which FLV repeats. */
  #differing(configuration: Buffer): Uint8Array | null {
    const { codecId, extradata } = this.#model.codecpar;
    if (!this.#own && extradata?.equals(configuration)) return null;
    try {
      const setsOf = readers.get(codecId);
      if (!setsOf) throw new RangeError('neither H.264 nor HEVC');
      const [stated, changed] = [setsOf(extradata ?? Buffer.alloc(0)), setsOf(configuration)];
      if (stated.lengthSize !== changed.lengthSize) throw new RangeError('another length of NAL units');
      return joinLengths(changed.sets, changed.lengthSize);
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      throw new NotAsStated('the configuration changes', { cause: error });
    }
  }
}

interface Sets {
  lengthSize: number;
  /** NAL units without their lengths. */
  sets: Uint8Array[];
}

/** By codec. They throw RangeError. */
const readers: ReadonlyMap<number, (configuration: Uint8Array) => Sets> = new Map([
  [
    AV_CODEC_ID_H264,
    (configuration) => {
      const { lengthSize, sps, pps } = parseAvcc(configuration);
      return { lengthSize, sets: [...sps, ...pps] };
    },
  ],
  [
    AV_CODEC_ID_HEVC,
    (configuration) => {
      const { lengthSize, arrays } = parseHvcc(configuration);
      return { lengthSize, sets: arrays.flatMap(({ nals }) => nals) };
    },
  ],
]);
