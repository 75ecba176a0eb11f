const HEADER = 16;
/** A file of more boxes than this at its top is not looked through to its end. */
const MOST_BOXES = 100_000;

/** Reads bytes of a file; fewer at its end. */
export type ReadBytes = (start: number, end: number) => Promise<Uint8Array>;

/**
 * Whether this is an MP4 or MOV that ends before its index: it begins like one, and no `moov` comes before a box that reaches
 * beyond the end of the file.
 */
export async function isCutOffMp4(size: number, read: ReadBytes): Promise<boolean> {
  let [at, boxes] = [0, 0];
  let isMp4 = false;
  while (at + 8 <= size && boxes++ < MOST_BOXES) {
    const bytes = await read(at, Math.min(at + HEADER, size));
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    if (bytes.byteLength < 8) return isMp4;
    const type = String.fromCharCode(...bytes.subarray(4, 8));
    if (at === 0) isMp4 = ['ftyp', 'moov', 'mdat', 'wide', 'free', 'skip'].includes(type);
    if (!isMp4 || type === 'moov') return type === 'moov' && at + view.getUint32(0) > size;
    const short = view.getUint32(0);
    const long = short === 1 && bytes.byteLength === HEADER ? Number(view.getBigUint64(8)) : short;
    if (long < 8) return isMp4 && long === 0;
    at += long;
  }
  return isMp4;
}
