/** A sound of an AVI whose ticks are chunks, as its header says: `dwSampleSize` is 0. */
export interface ChunkedSound {
  /** Number of its stream. */
  stream: number;
  /** Byte in the file of its `nBlockAlign`, which is not 0. */
  alignmentAt: number;
}

const LIST_HEADER = 12;
const CHUNK_HEADER = 8;
/** Of `AVISTREAMHEADER`. */
const SAMPLE_SIZE = 44;
/** Of `WAVEFORMATEX`. */
const ALIGNMENT = 12;

/** @param head The beginning of the file, with its list of headers. */
export function chunkedSounds(head: Buffer): ChunkedSound[] {
  const sounds: ChunkedSound[] = [];
  let stream = -1;
  let isChunked = false;
  for (let at = LIST_HEADER; at + LIST_HEADER <= head.length; ) {
    const [name, length] = [head.toString('latin1', at, at + 4), head.readUInt32LE(at + 4)];
    const list = name === 'LIST' ? head.toString('latin1', at + 8, at + 12) : null;
    if (list === 'movi') break;
    const body = at + CHUNK_HEADER;
    if (name === 'strh') {
      stream += 1;
      isChunked =
        head.toString('latin1', body, body + 4) === 'auds' &&
        head.length >= body + SAMPLE_SIZE + 4 &&
        head.readUInt32LE(body + SAMPLE_SIZE) === 0;
    }
    const alignmentAt = body + ALIGNMENT;
    if (name === 'strf' && isChunked && head.length >= alignmentAt + 2 && head.readUInt16LE(alignmentAt) > 0)
      sounds.push({ stream, alignmentAt });
    at += list === null ? CHUNK_HEADER + length + (length % 2) : LIST_HEADER;
  }
  return sounds;
}
