import { BitReader } from './bits.ts';

/** Picture properties from a sequence header (AV1 5.5). */
export interface Av1Sequence {
  profile: number;
  still: boolean;
  /** Whether frame headers omit the frame type and show_frame. */
  reduced: boolean;
  level: number;
  /** 0 Main, 1 High. */
  tier: number;
  width: number;
  height: number;
  bitDepth: 8 | 10 | 12;
  monochrome: boolean;
  subsampling: readonly [number, number];
  chromaPosition: number;
  /** Primaries, transfer characteristics and matrix (ISO 23091-2); 2 if unspecified. */
  color: readonly [number, number, number];
  fullRange: boolean;
  filmGrain: boolean;
  /** Number of operating points; more than one in scalable streams. */
  operatingPoints: number;
}

/** Parses the payload of an OBU. Throws RangeError if it is damaged. */
export function parseAv1Sequence(payload: Uint8Array): Av1Sequence {
  const reader = new BitReader(payload);
  const profile = reader.bits(3);
  const [still, reduced] = [reader.flag(), reader.flag()];
  if (profile > 2 || (reduced && !still)) throw new RangeError('no sequence header');
  const points = reduced ? [{ level: reader.bits(5), tier: 0 }] : readOperatingPoints(reader);
  const [widthBits, heightBits] = [reader.bits(4) + 1, reader.bits(4) + 1];
  const [width, height] = [reader.bits(widthBits) + 1, reader.bits(heightBits) + 1];
  if (!reduced && reader.flag()) reader.bits(7);
  reader.bits(3);
  if (!reduced) skipTools(reader);
  reader.bits(3);
  const color = readColor(reader, profile);
  const [{ level = 0, tier = 0 } = {}] = points;
  return {
    ...{ profile, still, reduced, level, tier, width, height, ...color, filmGrain: reader.flag() },
    operatingPoints: points.length,
  };
}

function readOperatingPoints(reader: BitReader): { level: number; tier: number }[] {
  let delayBits = 0;
  let decoderModel = false;
  if (reader.flag()) {
    reader.bits(64);
    if (reader.flag()) reader.unsigned();
    decoderModel = reader.flag();
    if (decoderModel) {
      delayBits = reader.bits(5) + 1;
      reader.bits(42);
    }
  }
  const delays = reader.flag();
  return Array.from({ length: reader.bits(5) + 1 }, () => {
    reader.bits(12);
    const level = reader.bits(5);
    const tier = level > 7 ? reader.bits(1) : 0;
    if (decoderModel && reader.flag()) reader.bits(2 * delayBits + 1);
    if (delays && reader.flag()) reader.bits(4);
    return { level, tier };
  });
}

/** Skips the flags of coding tools. */
function skipTools(reader: BitReader): void {
  reader.bits(4);
  const orderHint = reader.flag();
  if (orderHint) reader.bits(2);
  const screenContent = reader.flag() ? 2 : reader.bits(1);
  if (screenContent > 0 && !reader.flag()) reader.bits(1);
  if (orderHint) reader.bits(3);
}

/** sRGB: BT.709 primaries, sRGB transfer characteristics, identity matrix. */
const srgb = [1, 13, 0];

/** AV1 5.5.2. */
function readColor(reader: BitReader, profile: number) {
  const high = reader.flag();
  const bitDepth = profile === 2 && high ? (reader.flag() ? 12 : 10) : high ? 10 : 8;
  const monochrome = profile !== 1 && reader.flag();
  const described = reader.flag();
  const color = described
    ? ([reader.bits(8), reader.bits(8), reader.bits(8)] as const)
    : ([2, 2, 2] as const);
  let [fullRange, chromaPosition] = [true, 0];
  let subsampling: readonly [number, number] = [1, 1];
  if (monochrome) fullRange = reader.flag();
  else if (color.every((value, index) => value === srgb[index])) subsampling = [0, 0];
  else {
    fullRange = reader.flag();
    subsampling = readSubsampling(reader, profile, bitDepth);
    if (subsampling[0] === 1 && subsampling[1] === 1) chromaPosition = reader.bits(2);
  }
  if (!monochrome) reader.flag();
  return { bitDepth, monochrome, subsampling, chromaPosition, color, fullRange } as const;
}

function readSubsampling(reader: BitReader, profile: number, bitDepth: number): readonly [number, number] {
  if (profile === 0) return [1, 1];
  if (profile === 1) return [0, 0];
  if (bitDepth !== 12) return [1, 0];
  const horizontal = reader.bits(1);
  return [horizontal, horizontal === 1 ? reader.bits(1) : 0];
}
