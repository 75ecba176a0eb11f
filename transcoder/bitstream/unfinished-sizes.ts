/** Bytes to write in place of those at an offset. */
export interface Patch {
  at: number;
  bytes: Buffer;
}

const [FORM_HEADER, CHUNK_HEADER] = [12, 8];
/** Of `ds64` (EBU Tech 3306), from the beginning of the file. */
const SIZE_64 = FORM_HEADER + CHUNK_HEADER + 8;
const MOST_32 = 0xff_ff_ff_ff;

/**
 * The sizes of a sound whose recorder did not finish it, where they are 0 and libav reads no further: of RF64, and of AIFF. Other readers, such
 * as libsndfile, take what follows to be sound up to the end. Sound in WAV is read to the end by libav, too.
 * @param head The beginning of the file, with its headers. @param size Of the file.
 */
export function unfinishedSizes(head: Buffer, size: number): Patch[] {
  const kind = head.toString('latin1', 0, 4);
  if (kind === 'RF64' || kind === 'BW64') return unfinished64(head, size);
  return kind === 'FORM' ? unfinishedForm(head, size) : [];
}

function unfinished64(head: Buffer, size: number): Patch[] {
  const data = chunksIn(head, 'readUInt32LE').find(({ name }) => name === 'data');
  const isUnfinished =
    head.toString('latin1', FORM_HEADER, FORM_HEADER + 4) === 'ds64' &&
    data?.length === MOST_32 &&
    head.readBigUInt64LE(SIZE_64) === 0n;
  if (!isUnfinished) return [];
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(size - data.at - CHUNK_HEADER));
  return [{ at: SIZE_64, bytes }];
}

function unfinishedForm(head: Buffer, size: number): Patch[] {
  const sound = chunksIn(head, 'readUInt32BE').find(({ name }) => name === 'SSND');
  const patches: Patch[] = [];
  if (head.length >= FORM_HEADER && head.readUInt32BE(4) === 0)
    patches.push(bigEndian(4, size - CHUNK_HEADER));
  if (sound?.length === 0) patches.push(bigEndian(sound.at + 4, size - sound.at - CHUNK_HEADER));
  return patches;
}

function bigEndian(at: number, value: number): Patch {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(Math.min(value, MOST_32));
  return { at, bytes };
}

/** Up to the sound, which may be longer than its size says. */
function chunksIn(head: Buffer, read: 'readUInt32LE' | 'readUInt32BE') {
  const chunks: { name: string; at: number; length: number }[] = [];
  for (let at = FORM_HEADER; at + CHUNK_HEADER <= head.length; ) {
    const [name, length] = [head.toString('latin1', at, at + 4), head[read](at + 4)];
    chunks.push({ name, at, length });
    if (name === 'data' || name === 'SSND') break;
    at += CHUNK_HEADER + length + (length % 2);
  }
  return chunks;
}
