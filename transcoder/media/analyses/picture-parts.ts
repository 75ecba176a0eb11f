/** What a picture's file states apart from its pixels, by format: JPEG segments, PNG chunks and WebP chunks. */
interface PartNames {
  jpeg: { marker: number; mark: string };
  png: string;
  webp: string;
}

type Format = keyof PartNames;

/** The contents of the parts of this name, in the order of the file, and the format; null for other formats. */
export function partsOf(bytes: Buffer, names: PartNames): { format: Format; parts: Buffer[] } | null {
  if (bytes.length < 32) return null;
  if (bytes.readUInt16BE(0) === 0xffd8) return { format: 'jpeg', parts: segments(bytes, names.jpeg) };
  if (bytes.toString('latin1', 1, 4) === 'PNG') {
    const parts = chunks(bytes, 8, names.png, (at) => [
      bytes.toString('latin1', at + 4, at + 8),
      8,
      bytes.readUInt32BE(at),
      4,
    ]);
    return { format: 'png', parts };
  }
  if (bytes.toString('latin1', 8, 12) !== 'WEBP') return null;
  const parts = chunks(bytes, 12, names.webp, (at) => {
    const length = bytes.readUInt32LE(at + 4);
    return [bytes.toString('latin1', at, at + 4), 8, length, length % 2];
  });
  return { format: 'webp', parts };
}

/** Segments before the first scan whose content begins with a mark. */
function segments(bytes: Buffer, { marker, mark }: PartNames['jpeg']): Buffer[] {
  const found: Buffer[] = [];
  let at = markerFrom(bytes, 2);
  while (at + 4 <= bytes.length && bytes[at + 1] !== 0xda) {
    const end = at + 2 + bytes.readUInt16BE(at + 2);
    const body = bytes.subarray(at + 4, end);
    if (bytes[at + 1] === marker && body.toString('latin1', 0, mark.length) === mark) found.push(body);
    at = markerFrom(bytes, end);
  }
  return found;
}

/** Any number of FF may precede a marker (ITU-T T.81, section B.1.1.2), and decoders skip other bytes there. */
function markerFrom(bytes: Buffer, from: number): number {
  let at = bytes.indexOf(0xff, from);
  while (at >= 0 && bytes[at + 1] === 0xff) at += 1;
  return at < 0 ? bytes.length : at;
}

/** Walks chunks that consist of a header with name and length, a body, and a trailer. */
function chunks(
  bytes: Buffer,
  first: number,
  wanted: string,
  read: (at: number) => [name: string, header: number, length: number, behind: number],
): Buffer[] {
  const found: Buffer[] = [];
  let at = first;
  while (at + 8 <= bytes.length) {
    const [name, header, length, behind] = read(at);
    if (name === wanted) found.push(bytes.subarray(at + header, at + header + length));
    at += header + length + behind;
  }
  return found;
}
