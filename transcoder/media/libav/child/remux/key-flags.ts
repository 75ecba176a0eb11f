import { avGetCodecName, type Packet, type Stream } from 'node-av/lib';
import { nalType, typeOf } from '../../../../bitstream/h264-sets.ts';
import { hevcNal, hevcType } from '../../../../bitstream/hevc-sets.ts';
import { isHevcSlice } from '../../../../bitstream/hevc-slice.ts';
import { isIntra, statesIntra } from '../../../../bitstream/intra.ts';
import { isRandomAccess, statesRandomAccess } from '../../../../bitstream/random-access.ts';
import { accessUnits, configurationOf, isRefreshed, unitsIn } from '../../../../bitstream/refresh.ts';
import { configurationOf as statedBy } from '../av.ts';

/** What the bytes of a stream's packets say of the keyframe flags that its container states. */
export interface KeyFlags {
  /** Whether decoding cannot begin at a packet, though it may be flagged. */
  isNone(packet: Packet): boolean;
  /** Whether decoding begins at a packet, though it may not be flagged. */
  isOne(packet: Packet): boolean;
  /** Whether flags are right unless every packet has one: only a decoder tells where it can begin. */
  rightUnlessAll?: boolean;
}

/** Codecs of which most pictures change the one before, though their packets do not tell in plain bits. */
const changing: readonly string[] = [
  ...['tscc', 'cinepak', 'msvideo1', 'msrle', 'cscd', 'indeo2', 'indeo3', 'indeo4', 'indeo5'],
  ...['flashsv', 'flashsv2', 'svq1', 'vp3', 'vp5', 'vp6', 'vp6f'],
];

/** Null for a codec whose packets do not tell. */
export function keyFlagsOf(stream: Stream): KeyFlags | null {
  const codec = avGetCodecName(stream.codecpar.codecId) ?? '';
  if (changing.includes(codec)) return { isNone: () => true, isOne: () => false, rightUnlessAll: true };
  const stated = statementOf(codec);
  if (stated) {
    const says = ({ data }: Packet) => data && stated(data);
    return { isNone: (packet) => says(packet) === false, isOne: (packet) => says(packet) === true };
  }
  if (!isRefreshed(codec)) return null;
  const { extradata } = statedBy(stream);
  const unitOf = accessUnits(codec, extradata);
  return {
    isNone: ({ data }) => data !== null && unitOf(data).recovery === null,
    isOne: ({ data }) => data !== null && isRandom(codec, extradata, data),
  };
}

/** Whether decoding can begin at a packet, for a codec whose packets say so; null if one does not. */
function statementOf(codec: string): ((packet: Uint8Array) => boolean | null) | null {
  if (statesIntra(codec)) return (packet) => isIntra(codec, packet);
  return statesRandomAccess(codec) ? (packet) => isRandomAccess(codec, packet) : null;
}

/** Only pictures that say so in their NAL unit: other intra pictures may be followed by references to what is before them. */
function isRandom(codec: string, extradata: Uint8Array, packet: Uint8Array): boolean {
  if (codec !== 'h264' && codec !== 'hevc') return false;
  try {
    const units = unitsIn(packet, configurationOf(codec, extradata).lengthSize);
    if (codec === 'h264') return units.some((unit) => typeOf(unit) === nalType.idr);
    const type = hevcType(units.find(isHevcSlice) ?? new Uint8Array());
    return type >= hevcNal.blaWithLeading && type <= hevcNal.cra;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return false;
  }
}

/** Corrects the flags of a stream's packets in decoding order. The first one keeps its flag. */
export class KeyCorrection {
  readonly #flags: KeyFlags | null;
  /** Whether packets without a flag are looked into: the first one lacked a flag that it deserves. */
  #unflagged = false;
  #trusted = false;
  #count = 0;

  constructor(stream: Stream) {
    this.#flags = keyFlagsOf(stream);
  }

  correct(packet: Packet): void {
    const flags = this.#flags;
    const number = this.#count++;
    const first = number === 0;
    if (!flags) return;
    if (number === 1) this.#trusted = flags.rightUnlessAll === true && !packet.isKeyframe;
    if (packet.isKeyframe) packet.isKeyframe = first || this.#trusted || !flags.isNone(packet);
    else if (first) packet.isKeyframe = this.#unflagged = flags.isOne(packet);
    else if (this.#unflagged) packet.isKeyframe = flags.isOne(packet);
  }
}
