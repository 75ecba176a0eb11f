/** A sound of an AVI whose ticks are chunks, as its header says: `dwSampleSize` is 0. */
export interface ChunkedSound {
  /** Number of its stream. */
  stream: number;
  /** Byte in the file of its `nBlockAlign`, which is not 0. */
  alignmentAt: number;
}

/** A picture of an AVI whose header says that it is not compressed: `biCompression` is 0. */
export interface UncompressedPicture {
  /** Number of its stream. */
  stream: number;
  /** Byte in the file of its `biCompression`. */
  compressionAt: number;
}

const LIST_HEADER = 12;
const CHUNK_HEADER = 8;
/** Of `AVISTREAMHEADER`. */
const SAMPLE_SIZE = 44;
/** Of `WAVEFORMATEX`. */
const ALIGNMENT = 12;
/** Of `BITMAPINFOHEADER`. */
const COMPRESSION = 16;

/** @param head The beginning of the file, with its list of headers. */
export function chunkedSounds(head: Buffer): ChunkedSound[] {
  return streamsIn(head).flatMap(({ header, format }, stream) => {
    const alignmentAt = format + ALIGNMENT;
    const isChunked =
      typeOf(head, header) === 'auds' &&
      head.readUInt32LE(header + SAMPLE_SIZE) === 0 &&
      head.readUInt16LE(alignmentAt) > 0;
    return isChunked ? [{ stream, alignmentAt }] : [];
  });
}

/** @param head The beginning of the file, with its list of headers. */
export function uncompressedPictures(head: Buffer): UncompressedPicture[] {
  return streamsIn(head).flatMap(({ header, format }, stream) => {
    const compressionAt = format + COMPRESSION;
    const isUncompressed =
      typeOf(head, header) === 'vids' &&
      compressionAt + 4 <= head.length &&
      head.readUInt32LE(compressionAt) === 0;
    return isUncompressed ? [{ stream, compressionAt }] : [];
  });
}

const typeOf = (head: Buffer, header: number) => head.toString('latin1', header, header + 4);

/** Where the bodies of `strh` and `strf` begin, of each stream up to one whose headers are not complete. */
function streamsIn(head: Buffer): { header: number; format: number }[] {
  const streams: { header: number; format: number }[] = [];
  let header: number | null = null;
  for (let at = LIST_HEADER; at + LIST_HEADER <= head.length; ) {
    const [name, length] = [head.toString('latin1', at, at + 4), head.readUInt32LE(at + 4)];
    const list = name === 'LIST' ? head.toString('latin1', at + 8, at + 12) : null;
    if (list === 'movi') break;
    const body = at + CHUNK_HEADER;
    const isWhole = body + length <= head.length;
    if (name === 'strh') {
      if (!isWhole || header !== null || length < SAMPLE_SIZE + 4) break;
      header = body;
    }
    if (name === 'strf' && header !== null) {
      if (!isWhole || length < ALIGNMENT + 2) break;
      streams.push({ header, format: body });
      header = null;
    }
    at += list === null ? CHUNK_HEADER + length + (length % 2) : LIST_HEADER;
  }
  return streams;
}
