/** A small upright frame in RGB, three bytes a pixel, row by row. */
export interface Picture {
  width: number;
  height: number;
  pixels: Uint8Array;
}
