import { chunksOf, insideOf, tracksOf } from './sample-tables.ts';
import { type Filling, filled, positionTables } from './write-tables.ts';

/**
 * An index that is behind its media, for the place in front of them: every chunk is then as far behind as the index is long.
 * Positions beyond 4 GiB make it longer.
 */
export function indexForFront(moov: Buffer): Buffer {
  for (let by = moov.length; ; ) {
    const moved = Buffer.concat(filled(moov, movedBy(by, moov)));
    if (moved.length === by) return moved;
    by = moved.length;
  }
}

function movedBy(by: number, moov: Buffer): Filling[] {
  return tracksOf(moov).map((track) => {
    const chunks = chunksOf(moov, insideOf(moov, track, 'mdia', 'minf', 'stbl'));
    if (!chunks) throw new RangeError('a track has no table of chunks');
    const { positions } = chunks;
    const moved = Array.from({ length: positions.length }, (_, index) => (positions.at(index) ?? 0) + by);
    return { tables: new Map(positionTables(moved)), samples: null, bitrate: 0 };
  });
}
