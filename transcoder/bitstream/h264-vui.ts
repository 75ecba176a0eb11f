import { BitReader } from './bits.ts';
import type { Sps } from './h264-sets.ts';
import { removeEmulation } from './nal.ts';

/** Display properties from the VUI of an SPS (H.264 E.1.1). */
export interface Vui {
  /** Sample aspect ratio as width and height; null if unspecified. */
  shape: readonly [number, number] | null;
  fullRange: boolean | null;
  /** Primaries, transfer characteristics and matrix (ISO/IEC 23091-2). */
  color: readonly [number, number, number] | null;
  /** Location of the chroma samples of the top field or frame (figure E-1). */
  chromaPosition: number | null;
  /** Most frames that precede any frame in decoding order and follow it in output order. */
  reorder: number | null;
  /** Whether pictures say that fields of theirs are shown again (pic_struct_present_flag). */
  repeats: boolean;
}

/** H.264 table E-1, from 1 on. */
const shapes = [
  ...([
    [1, 1],
    [12, 11],
    [10, 11],
    [16, 11],
    [40, 33],
    [24, 11],
    [20, 11],
    [32, 11],
  ] as const),
  ...([
    [80, 33],
    [18, 11],
    [15, 11],
    [64, 33],
    [160, 99],
    [4, 3],
    [3, 2],
    [2, 1],
  ] as const),
];
const EXTENDED = 255;

/** Null if the set has no VUI. Throws RangeError if it is damaged. */
export function parseVui(nal: Uint8Array, { vuiAt }: Pick<Sps, 'vuiAt'>): Vui | null {
  if (vuiAt === null) return null;
  const reader = new BitReader(removeEmulation(nal), vuiAt);
  const shape = reader.flag() ? readShape(reader) : null;
  if (reader.flag()) reader.flag();
  const signal = reader.flag() ? readSignal(reader) : { fullRange: null, color: null };
  const chromaPosition = reader.flag() ? reader.unsigned() : null;
  if (chromaPosition !== null) reader.unsigned();
  if (reader.flag()) reader.bits(65);
  const models = [reader.flag() && skipModel(reader), reader.flag() && skipModel(reader)];
  if (models.includes(true)) reader.flag();
  const repeats = reader.flag();
  return { shape, ...signal, chromaPosition, repeats, reorder: reader.flag() ? readReorder(reader) : null };
}

function readShape(reader: BitReader): Vui['shape'] {
  const index = reader.bits(8);
  return index === EXTENDED ? [reader.bits(16), reader.bits(16)] : (shapes[index - 1] ?? null);
}

function readSignal(reader: BitReader): Pick<Vui, 'fullRange' | 'color'> {
  reader.bits(3);
  const fullRange = reader.flag();
  const color = reader.flag() ? ([reader.bits(8), reader.bits(8), reader.bits(8)] as const) : null;
  return { fullRange, color };
}

/** Skips HRD parameters (E.1.2). */
function skipModel(reader: BitReader): true {
  const count = reader.unsigned() + 1;
  if (count > 32) throw new RangeError('too many HRD buffers');
  reader.bits(8);
  for (let index = 0; index < count; index++) {
    reader.unsigned();
    reader.unsigned();
    reader.flag();
  }
  reader.bits(20);
  return true;
}

function readReorder(reader: BitReader): number {
  reader.flag();
  for (let count = 0; count < 4; count++) reader.unsigned();
  return reader.unsigned();
}
