import type { SourceParts } from '../../../../model/source/media-source.ts';
import { SourceBytes } from '../read/source-bytes.ts';

const RIFF_HEADER = 12;
const CHUNK_HEADER = 8;
/** Microsoft, Multimedia Programming Interface and Data Specifications 1.0: `nSamplesPerSec`, `nAvgBytesPerSec` and `nBlockAlign`. */
const [RATE, BYTES_PER_SECOND, ALIGNMENT, FORMAT_BYTES] = [4, 8, 12, 14];
/** More chunks than these do not precede the format. */
const MOST_CHUNKS = 64;

/** Whether the header of a WAV of uncompressed samples states other bytes per second than it has: libav seeks by them. */
export async function isMiscounted(source: SourceParts): Promise<boolean> {
  if (source.format !== 'wav') return false;
  const bytes = new SourceBytes(source);
  try {
    for (let [at, count] = [RIFF_HEADER, 0]; count < MOST_CHUNKS; count++) {
      const head = await bytes.all([at, at + CHUNK_HEADER]);
      if (head.length < CHUNK_HEADER) return false;
      const length = head.readUInt32LE(4);
      at += CHUNK_HEADER;
      if (head.toString('latin1', 0, 4) === 'fmt ') {
        const format = await bytes.all([at, at + FORMAT_BYTES]);
        if (format.length < FORMAT_BYTES) return false;
        const counted = format.readUInt32LE(RATE) * format.readUInt16LE(ALIGNMENT);
        return counted !== format.readUInt32LE(BYTES_PER_SECOND);
      }
      at += length + (length % 2);
    }
    return false;
  } finally {
    bytes.close();
  }
}
