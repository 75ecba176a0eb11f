/** Measures the share of dark pixels in a downscaled frame and sets `lavfi.blackframe.pblack`. */
export const blackChain = 'scale=w=160:h=90:flags=area,format=gray,blackframe=amount=0:threshold=24';

/** A frame counts as black if at least this share of its pixels is dark, in percent. */
const BLACK_PERCENT = 98;

export function isBlack(percent: number): boolean {
  return percent >= BLACK_PERCENT;
}
