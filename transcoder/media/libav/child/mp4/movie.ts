import type { Packet } from 'node-av/lib';
import { BOX_HEADER, type Box, boxAt } from '../../../../bitstream/mp4/boxes.ts';
import {
  childOf,
  type Samples,
  type ShownPart,
  samplesOf,
  shownPart,
  tracksOf,
} from '../../../../bitstream/mp4/sample-tables.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { SourceBytes } from '../read/source-bytes.ts';

/** A longer index is left to libav. */
const LONGEST = 64 * 1024 * 1024;
const MOST_BOXES = 64;

/** A `moov` box, and where it is. */
interface Movie {
  bytes: Buffer;
  from: number;
  to: number;
  /** Where the box after the first one begins; null if the index is that one. */
  before: number | null;
}

/** The `moov` box of a file; null if it is not among the first boxes, or too long. */
export async function movieAt(bytes: SourceBytes): Promise<Movie | null> {
  let before: number | null = null;
  for (let at = 0, count = 0; at < bytes.size && count < MOST_BOXES; count++) {
    const box = boxAt(await bytes.all([at, at + BOX_HEADER]), 0, bytes.size - at, at);
    if (!box) return null;
    const { from, to } = box;
    if (box.type === 'moov')
      return to - from > LONGEST ? null : { bytes: await bytes.all([from, to]), from, to, before };
    before ??= to;
    at = to;
  }
  return null;
}

/** A track of an mp4 whose every sample is a packet. */
export interface SourceTrack {
  samples: Samples;
  bytes: SourceBytes;
  /** Null if it is not shown in one piece. */
  shown: ShownPart | null;
}

/** Null if the track is something else. The caller closes `bytes`. @param id As the file numbers it. */
export async function sourceTrack(source: SourceParts, id: number): Promise<SourceTrack | null> {
  if (source.format !== 'mov') return null;
  const bytes = new SourceBytes(source);
  const moov = (await movieAt(bytes))?.bytes;
  const track = moov && tracksOf(moov).find((each) => numberOf(moov, each) === id);
  const samples = moov && track && samplesOf(moov, track);
  if (samples) return { samples, bytes, shown: shownPart(moov, track) };
  bytes.close();
  return null;
}

/** Index of the sample that a packet is; null if it is none, or not all of one, or if several samples share its bytes. */
export function sampleOf({ positions, sizes }: Samples, { pos, size }: Pick<Packet, 'pos' | 'size'>) {
  const index = positions.indexOf(Number(pos));
  const isOnly = index >= 0 && !positions.includes(Number(pos), index + 1);
  return isOnly && sizes[index] === size ? index : null;
}

/** Its `track_ID` (8.3.2). */
function numberOf(moov: Buffer, track: Box): number | null {
  const header = childOf(moov, track, 'tkhd');
  if (!header) return null;
  const at = header.body + (moov[header.body] === 1 ? 20 : 12);
  return at + 4 <= header.to ? moov.readUInt32BE(at) : null;
}
