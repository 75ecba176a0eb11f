import { AV_PKT_DATA_DISPLAYMATRIX } from 'node-av/constants';
import type { Stream } from 'node-av/lib';
import { displayRotation } from './read/side-data.ts';

/** The filters that ffmpeg inserts first to display a stream's pictures upright. */
export function upright({ codecpar }: Stream): string[] {
  const matrix = codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  if (!matrix) return [];
  const at = (index: number) => matrix.readInt32LE(index * 4);
  switch ((720 - displayRotation(matrix)) % 360) {
    case 0:
      return at(4) < 0 ? ['vflip'] : [];
    case 90:
      return [`transpose=${at(3) > 0 ? 'cclock_flip' : 'clock'}`];
    case 180:
      return [...(at(0) < 0 ? ['hflip'] : []), ...(at(4) < 0 ? ['vflip'] : [])];
    case 270:
      return [`transpose=${at(3) < 0 ? 'clock_flip' : 'cclock'}`];
    default:
      throw new Error('the rotation is not a multiple of 90°');
  }
}
