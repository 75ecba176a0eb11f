import { BitWriter, stopBit } from './bits.ts';
import { parseHevcPps } from './hevc-pps.ts';
import { parseHevcSps } from './hevc-sps.ts';
import { addEmulation, removeEmulation } from './nal.ts';

/** NAL unit types (H.265 table 7-1). */
export const hevcNal = {
  ...{ idrWithLeading: 19, idr: 20, cra: 21, blaWithLeading: 16, bla: 18, lastRandomAccess: 23 },
  ...{ vps: 32, sps: 33, pps: 34, delimiter: 35, prefixSei: 39, dolbyVision: 62, dolbyVisionLayer: 63 },
} as const;

export const hevcType = (nal: Uint8Array): number => ((nal[0] ?? 0) >> 1) & 63;
export const hevcLayer = (nal: Uint8Array): number => (((nal[0] ?? 0) & 1) << 5) | ((nal[1] ?? 0) >> 3);

/** Ids of a slice's VPS, SPS and PPS. */
export interface HevcIds {
  vps: number;
  sps: number;
  pps: number;
}

/** Id of a VPS, and the maximum number of layers. Throws RangeError if it is truncated. */
export function parseVps(nal: Uint8Array): { id: number; layers: number } {
  const [, , first, second] = removeEmulation(nal);
  if (first === undefined || second === undefined) throw new RangeError('a parameter set is truncated');
  return { id: first >> 4, layers: (((first & 3) << 4) | (second >> 4)) + 1 };
}

/** Rewrites a parameter set with other ids. Throws RangeError if it is damaged. */
export function renumber(nal: Uint8Array, ids: HevcIds): Uint8Array {
  const rbsp = removeEmulation(nal);
  const writer = new BitWriter(rbsp.length + 4);
  const keep = (from: number, to: number) => writer.append(rbsp, from, to);
  keep(0, 16);
  const type = hevcType(nal);
  if (type === hevcNal.vps) {
    parseVps(nal);
    writer.bits(ids.vps, 4);
    keep(20, stopBit(rbsp) + 1);
  } else if (type === hevcNal.sps) {
    const [from, to] = parseHevcSps(nal).idAt;
    writer.bits(ids.vps, 4);
    keep(20, from);
    writer.unsigned(ids.sps);
    keep(to, stopBit(rbsp) + 1);
  } else if (type === hevcNal.pps) {
    const { rest } = parseHevcPps(nal);
    writer.unsigned(ids.pps);
    writer.unsigned(ids.sps);
    keep(rest, stopBit(rbsp) + 1);
  } else throw new RangeError('no parameter set');
  writer.align(0);
  return addEmulation(writer.bytes());
}
