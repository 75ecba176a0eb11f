import { parseAvcc } from './avcc.ts';
import { BitReader } from './bits.ts';
import { nalType, parseSps, type Sps, typeOf } from './h264-sets.ts';
import { hevcNal, hevcType } from './hevc-sets.ts';
import { isHevcSlice } from './hevc-slice.ts';
import { parseHvcc } from './hvcc.ts';
import { isIntra, type StatingCodec, statesIntra } from './intra.ts';
import { removeEmulation, splitLengths, splitStartCodes } from './nal.ts';

/** How decoding can begin at a packet. */
export interface AccessUnit {
  /** Reference pictures that must follow before decoded pictures are correct; null if decoding cannot begin here. */
  recovery: number | null;
  /** Whether later pictures may reference it. */
  reference: boolean;
  /** Whether a decoder that begins here drops it, so pictures are correct only after the refresh that begins next. */
  dropped?: true;
}

/** Codecs whose containers also flag packets as keyframes that do not decode correctly on their own. */
const refreshed = ['h264', 'hevc'] as const;
type RefreshedCodec = (typeof refreshed)[number] | StatingCodec;

export const isRefreshed = (codec: string): codec is RefreshedCodec =>
  (refreshed as readonly string[]).includes(codec) || statesIntra(codec);

const CLEAN: AccessUnit = { recovery: 0, reference: true };

/**
 * Parses a stream's packets; trusts the container's keyframe flag if their bytes are damaged.
 * @param extradata avcC or hvcC of H.264 and HEVC; with anything else, packets are split at start codes.
 */
export function accessUnits(
  codec: RefreshedCodec,
  extradata: Uint8Array,
): (packet: Uint8Array) => AccessUnit {
  if (statesIntra(codec)) {
    return (packet) => (isIntra(codec, packet) === false ? { recovery: null, reference: true } : CLEAN);
  }
  const { lengthSize, sets } = configurationOf(codec, extradata);
  const unitOf = codec === 'h264' ? h264Units(sets) : hevcUnit;
  return (packet) => {
    try {
      return unitOf(unitsIn(packet, lengthSize));
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      return CLEAN;
    }
  };
}

/** @param lengthSize Null for a byte stream with start codes. */
export const unitsIn = (packet: Uint8Array, lengthSize: number | null): Uint8Array[] =>
  lengthSize === null ? splitStartCodes(packet) : splitLengths(packet, lengthSize);

export function configurationOf(codec: (typeof refreshed)[number], extradata: Uint8Array) {
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

/** @param sets Out-of-band parameter sets. */
function h264Units(sets: readonly Uint8Array[]): (nals: readonly Uint8Array[]) => AccessUnit {
  let known: Sps | null = null;
  const learn = (nals: readonly Uint8Array[]) => {
    const sps = nals.find((nal) => typeOf(nal) === nalType.sps);
    if (sps) known = parseSps(sps);
  };
  try {
    learn(sets);
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
  }
  return (nals) => {
    learn(nals);
    const { recovery, reference } = h264Unit(nals);
    if (!recovery || !known) return { recovery, reference };
    // A packet may hold a frame or a single field, but recovery_frame_cnt counts frames.
    const counted = { recovery: recovery * (known.frameMbsOnly ? 1 : 2), reference };
    return startsCount(nals, known) ? { ...counted, dropped: true } : counted;
  };
}

/**
 * Whether a picture has frame_num 0 or 1. At any other, ffmpeg's decoder concludes that frames are missing and makes up the reference
 * that a predicted picture needs; without one it drops the picture.
 */
function startsCount(nals: readonly Uint8Array[], { frameNumBits, separatePlanes }: Sps): boolean {
  const slice = nals.find((nal) => typeOf(nal) === nalType.slice);
  if (!slice || separatePlanes) return false;
  const reader = new BitReader(removeEmulation(slice.subarray(0, HEADER_BYTES)), 8);
  for (let field = 0; field < 3; field++) reader.unsigned();
  return reader.bits(frameNumBits) <= 1;
}

/** More than a slice header has up to its frame_num. */
const HEADER_BYTES = 32;

/** Intra slice types (I, SI), as slice_type modulo 5. */
const INTRA: readonly number[] = [2, 4];

function h264Unit(nals: readonly Uint8Array[]): AccessUnit {
  const slices = nals.filter((nal) => typeOf(nal) === nalType.slice || typeOf(nal) === nalType.idr);
  const reference = slices.some((nal) => (((nal[0] ?? 0) >> 5) & 3) !== 0);
  if (slices.some((nal) => typeOf(nal) === nalType.idr)) return { recovery: 0, reference };
  const recovery = recoveryPoint(nals)?.frames ?? (slices.every(isIntraSlice) ? 0 : null);
  return { recovery, reference };
}

function isIntraSlice(slice: Uint8Array): boolean {
  const reader = new BitReader(removeEmulation(slice.subarray(0, HEADER_BYTES)), 8);
  reader.unsigned();
  return INTRA.includes(reader.unsigned() % 5);
}

const RECOVERY_POINT = 6;

/** A recovery point SEI message (H.264 D.1.8). */
interface RecoveryPoint {
  /** `recovery_frame_cnt`. */
  frames: number;
  /** Whether decoded pictures are then the same as if decoding had begun earlier. */
  exact: boolean;
}

/** Null if the access unit has none. */
export function recoveryPoint(nals: readonly Uint8Array[]): RecoveryPoint | null {
  for (const nal of nals) {
    const point = typeOf(nal) === nalType.sei ? pointIn(nal) : null;
    if (point) return point;
  }
  return null;
}

function pointIn(nal: Uint8Array): RecoveryPoint | null {
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
  // Each message is followed by another one or by the stop bit.
  while (at + 2 < payload.length) {
    const [type, size] = [number(), number()];
    if (type === RECOVERY_POINT) {
      const reader = new BitReader(payload.subarray(at, at + size));
      return { frames: reader.unsigned(), exact: reader.flag() };
    }
    at += size;
  }
  return null;
}

/** Only random access pictures count: decoders differ in how they handle a gradual refresh. */
function hevcUnit(nals: readonly Uint8Array[]): AccessUnit {
  const type = hevcType(nals.find(isHevcSlice) ?? new Uint8Array());
  const random = type >= hevcNal.blaWithLeading && type <= hevcNal.cra;
  return { recovery: random ? 0 : null, reference: true };
}
