import { BOX_HEADER, type Box, boxAt } from '../bitstream/mp4/boxes.ts';
import { hasOnlyKeyframes, keyframeOffsets } from '../bitstream/mp4/keyframe-positions.ts';
import { TaskFailure } from '../model/task-failure.ts';
import type { SparseFile } from './sparse-file.ts';

/** If at most this much follows the media data, it is fetched in one request: usually it is the index. */
const REST = 4 * 1024 * 1024;
const PEEK = 64 * 1024;
/** A longer index is read on demand. */
const LONGEST_INDEX = 64 * 1024 * 1024;
const MOST_BOXES = 32;

/** What stands before the index of a file, and the index itself. Segments and pictures have other boxes. */
const usual = ['ftyp', 'mdat', 'free', 'skip', 'wide', 'uuid', 'udta', 'pnot', 'PICT', 'moov'];

/**
 * Finds the index of an mp4 or mov, fetching only the headers of what comes before it. Null if the file is made of other things.
 * @throws TaskFailure source_truncated if the file was cut off before or in its index, without which nothing can open it
 */
export async function findIndex(file: SparseFile, bytes: number): Promise<Box | null> {
  let at = 0;
  let isUsual = true;
  for (let count = 0; count < MOST_BOXES && at < bytes; count++) {
    const present = file.around(at);
    if (!present || present[1] < Math.min(at + BOX_HEADER, bytes)) {
      await file.need([at, bytes - at <= REST ? bytes : at + PEEK]);
    }
    const header = await file.read([at, at + BOX_HEADER]);
    const box = boxAt(header, 0, Number.MAX_SAFE_INTEGER, at);
    if (!box) return null;
    isUsual &&= usual.includes(box.type);
    const isOpen = header.readUInt32BE(0) === 0;
    if (box.type === 'moov' && (isOpen || box.to <= bytes)) return { ...box, to: Math.min(box.to, bytes) };
    if (!isUsual && (isOpen || box.to >= bytes)) return null;
    if (isOpen || box.to === bytes) throw incomplete('The source has no index (`moov`)');
    if (box.to > bytes) throw incomplete(`The source has only ${bytes} bytes of ${box.to} or more`);
    at = box.to;
  }
  return null;
}

function incomplete(what: string): TaskFailure {
  const why = 'it was cut off, or its recording was interrupted, so it cannot be opened.';
  // Reading the same file again does not complete it.
  return new TaskFailure('source_truncated', `${what}: ${why}`, { retryable: false });
}

/**
 * Fetches the index of an mp4 or mov.
 * @returns ascending positions of keyframes, and whether it says which packets are keyframes. They are unknown if all are.
 */
export async function fetchKeyframes(
  file: SparseFile,
  index: Box | null,
): Promise<{ keyframes: number[]; indexed: boolean }> {
  if (!index || index.to - index.from > LONGEST_INDEX) return { keyframes: [], indexed: false };
  await file.need([index.from, index.to]);
  const moov = await file.read([index.from, index.to]);
  const keyframes = keyframeOffsets(moov);
  return { keyframes, indexed: keyframes.length > 0 || hasOnlyKeyframes(moov) };
}
