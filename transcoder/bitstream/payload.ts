import { obuType, splitObus } from './av1-obus.ts';
import { splitStartCodes } from './nal.ts';

/**
 * Reads the coded data of a packet without what depends on the container: start codes or lengths of NAL units, parameter sets and
 * delimiters that a container may have in its header, and headers of transport streams.
 */
export function payloadOf(
  codec: string,
  configuration: Uint8Array,
): (data: Uint8Array) => readonly Uint8Array[] {
  if (codec === 'h264' || codec === 'hevc') return unitsOf(codec, configuration);
  if (codec === 'aac') return (data) => [withoutAdts(data)];
  if (codec === 'av1') return keptObus;
  if (codec === 'wavpack') return wavPackBlocks;
  return (data) => [data];
}

function unitsOf(codec: 'h264' | 'hevc', configuration: Uint8Array): (data: Uint8Array) => Uint8Array[] {
  const prefixed = configuration[0] === 1;
  const size = 1 + ((configuration[codec === 'h264' ? 4 : 21] ?? 3) & 3);
  const split = prefixed ? (data: Uint8Array) => byLength(data, size) : splitStartCodes;
  return (data) =>
    split(data)
      .map(withoutZeros)
      .filter((unit) => isCoded(codec, unit));
}

/** Whether a unit is neither a parameter set nor a delimiter. */
function isCoded(codec: 'h264' | 'hevc', [head = 0]: Uint8Array): boolean {
  const kind = codec === 'h264' ? head & 0x1f : (head >> 1) & 0x3f;
  return codec === 'h264' ? kind < 7 || kind > 9 : kind < 32 || kind > 35;
}

function byLength(data: Uint8Array, size: number): Uint8Array[] {
  const units: Uint8Array[] = [];
  for (let at = 0; at + size <= data.length; ) {
    let length = 0;
    for (let index = 0; index < size; index++) length = length * 256 + (data[at + index] ?? 0);
    units.push(data.subarray(at + size, at + size + length));
    at += size + length;
  }
  return units;
}

function withoutZeros(unit: Uint8Array): Uint8Array {
  let end = unit.length;
  while (end > 0 && unit[end - 1] === 0) end -= 1;
  return unit.subarray(0, end);
}

/** ISO/IEC 14496-3, 1.A.2.2 */
export const hasAdtsHeader = ([first = 0, second = 0]: Uint8Array): boolean =>
  first === 0xff && (second & 0xf6) === 0xf0;

function withoutAdts(data: Uint8Array): Uint8Array {
  return hasAdtsHeader(data) ? data.subarray((data[1] ?? 0) & 1 ? 7 : 9) : data;
}

/** What mp4 and Matroska leave out of AV1 (AV1-ISOBMFF, 2.4; Matroska's mapping of AV1, "Block Data"). */
const unkept: readonly number[] = [
  ...[obuType.delimiter, obuType.redundantFrameHeader, obuType.tileList, obuType.padding],
];

/** All of a damaged packet. */
function keptObus(data: Uint8Array): Uint8Array[] {
  try {
    return splitObus(data).flatMap(({ type, bytes }) => (unkept.includes(type) ? [] : [bytes]));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    return [data];
  }
}

/** Bytes of the header of a WavPack block, and where it states what Matroska keeps: samples, flags and checksum. */
const WAVPACK = { header: 32, sizeAt: 4, ahead: 8, keptFrom: 20 };

/** Blocks of WavPack 4 (its format, 1.0), without what Matroska leaves out of their headers: the position in the file, and its length. */
function wavPackBlocks(data: Uint8Array): Uint8Array[] {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  const blocks: Uint8Array[] = [];
  let at = 0;
  while (at + WAVPACK.header <= data.length) {
    const end = at + WAVPACK.ahead + view.getUint32(at + WAVPACK.sizeAt, true);
    blocks.push(data.subarray(at + WAVPACK.keptFrom, end));
    at = end;
  }
  return at < data.length ? [...blocks, data.subarray(at)] : blocks;
}
