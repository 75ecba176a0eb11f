import { parseAvcc } from './avcc.ts';
import { BitReader } from './bits.ts';
import { nalType, parseSps, typeOf } from './h264-sets.ts';
import { hevcNal, hevcType } from './hevc-sets.ts';
import { isHevcSlice } from './hevc-slice.ts';
import { parseHvcc } from './hvcc.ts';
import { removeEmulation, splitLengths, splitStartCodes } from './nal.ts';

/** What a packet says of decoding that begins at it. */
export interface AccessUnit {
  /** How many reference pictures have to follow until what is shown is right; null where decoding cannot begin here. */
  recovery: number | null;
  /** Whether pictures that follow may refer to it. */
  reference: boolean;
}

/** Codecs in which containers call a packet a keyframe that does not show a right picture by itself. */
const refreshed = ['h264', 'hevc'] as const;
export type RefreshedCodec = (typeof refreshed)[number];

export const isRefreshed = (codec: string): codec is RefreshedCodec =>
  (refreshed as readonly string[]).includes(codec);

const CLEAN: AccessUnit = { recovery: 0, reference: true };

/**
 * Reads packets of a stream. Where their bytes are damaged, the container is believed.
 * @param extradata avcC or hvcC; with any other, start codes divide a packet.
 */
export function accessUnits(
  codec: RefreshedCodec,
  extradata: Uint8Array,
): (packet: Uint8Array) => AccessUnit {
  const { lengthSize, sets } = configurationOf(codec, extradata);
  const unitOf = codec === 'h264' ? h264Units(sets) : hevcUnit;
  return (packet) => {
    try {
      return unitOf(lengthSize === null ? splitStartCodes(packet) : splitLengths(packet, lengthSize));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return CLEAN;
    }
  };
}

function configurationOf(codec: RefreshedCodec, extradata: Uint8Array) {
  const framed = extradata[0] === 1;
  try {
    if (!framed) return { lengthSize: null, sets: splitStartCodes(extradata) };
    if (codec === 'hevc') return { lengthSize: parseHvcc(extradata).lengthSize, sets: [] };
    const { lengthSize, sps } = parseAvcc(extradata);
    return { lengthSize, sets: sps };
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return { lengthSize: framed ? 4 : null, sets: [] };
  }
}

/** @param sets Parameter sets that stand outside of packets. */
function h264Units(sets: readonly Uint8Array[]): (nals: readonly Uint8Array[]) => AccessUnit {
  // A packet may hold a frame or one of its two fields; the count is of frames.
  let pictures = 1;
  const learn = (nals: readonly Uint8Array[]) => {
    const sps = nals.find((nal) => typeOf(nal) === nalType.sps);
    if (sps) pictures = parseSps(sps).frameMbsOnly ? 1 : 2;
  };
  try {
    learn(sets);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return (nals) => {
    learn(nals);
    const { recovery, reference } = h264Unit(nals);
    return { recovery: recovery && recovery * pictures, reference };
  };
}

/** 0 … 9 as coded; modulo 5, these are intra: I, SI. */
const INTRA: readonly number[] = [2, 4];

function h264Unit(nals: readonly Uint8Array[]): AccessUnit {
  const slices = nals.filter((nal) => typeOf(nal) === nalType.slice || typeOf(nal) === nalType.idr);
  const reference = slices.some((nal) => (((nal[0] ?? 0) >> 5) & 3) !== 0);
  if (slices.some((nal) => typeOf(nal) === nalType.idr)) return { recovery: 0, reference };
  const said = nals.flatMap((nal) => (typeOf(nal) === nalType.sei ? (recoveryFrames(nal) ?? []) : []));
  const [recovery = slices.every(isIntra) ? 0 : null] = said;
  return { recovery, reference };
}

function isIntra(slice: Uint8Array): boolean {
  const reader = new BitReader(removeEmulation(slice.subarray(0, 32)), 8);
  reader.unsigned();
  return INTRA.includes(reader.unsigned() % 5);
}

const RECOVERY_POINT = 6;

/** `recovery_frame_cnt` of supplemental information (H.264 D.1.8); null where it is about other things. */
function recoveryFrames(nal: Uint8Array): number | null {
  const payload = removeEmulation(nal);
  let at = 1;
  const number = () => {
    let value = 0;
    while (payload[at] === 255) {
      value += 255;
      at += 1;
    }
    return value + (payload[at++] ?? 0);
  };
  // Each message is followed by another or by the stop bit.
  while (at + 2 < payload.length) {
    const [type, size] = [number(), number()];
    if (type === RECOVERY_POINT) return new BitReader(payload.subarray(at, at + size)).unsigned();
    at += size;
  }
  return null;
}

/** Other pictures than those of random access are never entered: what decoders make of a gradual refresh differs. */
function hevcUnit(nals: readonly Uint8Array[]): AccessUnit {
  const type = hevcType(nals.find(isHevcSlice) ?? new Uint8Array());
  const random = type >= hevcNal.blaWithLeading && type <= hevcNal.cra;
  return { recovery: random ? 0 : null, reference: true };
}
