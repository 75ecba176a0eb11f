/** A picture plane inside a larger buffer. */
export interface Plane {
  pixels: Uint8Array;
  /** Offset of its first pixel, and bytes from one row to the next. */
  first: number;
  stride: number;
  width: number;
  height: number;
}

/** Parses a PGM or PPM written by ffmpeg. https://netpbm.sourceforge.net/doc/ppm.html */
export function netpbm(file: Buffer): { width: number; height: number; pixels: Uint8Array } {
  const head = /^P[56]\n(\d+) (\d+)\n255\n/.exec(file.toString('latin1', 0, 40));
  if (!head) throw new Error('the file has no PGM or PPM header');
  return { width: Number(head[1]), height: Number(head[2]), pixels: file.subarray(head[0].length) };
}

/** The planes of a PGMYUV: luma on top, then rows of Cb and Cr side by side. */
export function planesOf(file: Buffer): [luma: Plane, cb: Plane, cr: Plane] {
  const { width, height: rows, pixels } = netpbm(file);
  const height = (rows * 2) / 3;
  const chroma = { pixels, stride: width, width: width / 2, height: height / 2 };
  return [
    { pixels, first: 0, stride: width, width, height },
    { ...chroma, first: width * height },
    { ...chroma, first: width * height + width / 2 },
  ];
}
