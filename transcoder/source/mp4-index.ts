import { BOX_HEADER, boxAt } from '../bitstream/mp4/boxes.ts';
import { keyframeOffsets } from '../bitstream/mp4/keyframe-positions.ts';
import type { SparseFile } from './sparse-file.ts';

/** If at most this much follows the media data, it is fetched in one request: usually it is the index. */
const REST = 4 * 1024 * 1024;
const PEEK = 64 * 1024;
/** A longer index is read on demand. */
const LONGEST_INDEX = 64 * 1024 * 1024;
const MOST_BOXES = 32;

/** Fetches the index of an mp4 or mov. @returns ascending positions of keyframes; empty if unknown. */
export async function fetchKeyframeIndex(file: SparseFile, bytes: number): Promise<number[]> {
  let at = 0;
  for (let count = 0; count < MOST_BOXES && at < bytes; count++) {
    const header = file.around(at);
    if (!header || header[1] < Math.min(at + BOX_HEADER, bytes)) {
      await file.need([at, bytes - at <= REST ? bytes : at + PEEK]);
    }
    const box = boxAt(await file.read([at, at + BOX_HEADER]), 0, bytes - at, at);
    if (!box) return [];
    if (box.type === 'moov') {
      if (box.to - box.from > LONGEST_INDEX) return [];
      await file.need([box.from, box.to]);
      return keyframeOffsets(await file.read([box.from, box.to]));
    }
    at = box.to;
  }
  return [];
}
