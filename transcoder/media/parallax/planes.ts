/** A plane of a picture inside a larger run of bytes. */
export interface Plane {
  pixels: Uint8Array;
  /** Where its first pixel is, and how far two rows are apart. */
  first: number;
  stride: number;
  width: number;
  height: number;
}

/** Width, height and pixels behind the head of a PGM or PPM that ffmpeg has written. https://netpbm.sourceforge.net/doc/ppm.html */
export function netpbm(file: Buffer): { width: number; height: number; pixels: Uint8Array } {
  const head = /^P[56]\n(\d+) (\d+)\n255\n/.exec(file.toString('latin1', 0, 40));
  if (!head) throw new Error('a picture without the head of a PGM or PPM');
  return { width: Number(head[1]), height: Number(head[2]), pixels: file.subarray(head[0].length) };
}

/** The planes of a PGMYUV: luma, and below it a row of Cb beside each row of Cr. */
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
