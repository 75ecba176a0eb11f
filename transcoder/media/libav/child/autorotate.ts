import { AV_PKT_DATA_DISPLAYMATRIX } from 'node-av/constants';
import type { CodecParameters, Stream } from 'node-av/lib';
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

/** Matrices that turn a displayed picture clockwise, row by row, without the last column (ISO/IEC 14496-12, 6.2.2). */
const quarters = { 90: [0, 1, -1, 0], 180: [-1, 0, 0, -1], 270: [0, -1, 1, 0] } as const;

/** Turns the displayed picture of a stream further, whatever its own matrix does. @returns an error code of libav. */
export function turned(codecpar: CodecParameters, rotate: 90 | 180 | 270): number {
  const own = codecpar.getCodedSideData(AV_PKT_DATA_DISPLAYMATRIX);
  const at = (index: number) => (own ? own.readInt32LE(index * 4) / 65_536 : index % 4 === 0 ? 1 : 0);
  const [a, b, c, d] = quarters[rotate];
  const turn = (x: number, y: number) => [x * a + y * c, x * b + y * d] as const;
  const matrix = Buffer.alloc(36);
  for (const [row, first] of [0, 3].entries()) {
    const [x, y] = turn(at(first), at(first + 1));
    matrix.writeInt32LE(Math.round(x * 65_536), row * 12);
    matrix.writeInt32LE(Math.round(y * 65_536), row * 12 + 4);
  }
  // The last column is in 2.30 fixed point.
  matrix.writeInt32LE(1 << 30, 32);
  return codecpar.addCodedSideData(AV_PKT_DATA_DISPLAYMATRIX, matrix);
}
