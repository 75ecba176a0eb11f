import { BOX_HEADER, type Box, boxAt } from '../../../../bitstream/mp4/boxes.ts';
import type { SourceParts } from '../../../../model/media-source.ts';
import { SourceBytes } from '../read/source-bytes.ts';

/** Sample entries of encrypted tracks (ISO/IEC 14496-12 section 8.12); drms and drmi are from Apple's music store. */
const encrypted: ReadonlySet<string> = new Set(['encv', 'enca', 'encu', 'drms', 'drmi']);

/** Bytes of a sample description before its entries: version, flags and their number (8.5.2). */
const COUNTED = 8;

/** Headers to read at most; a film of ten tracks has about 200 up to its sample descriptions. */
const MOST_HEADERS = 4096;

/** Whether samples of any track of an mp4 are encrypted. Reads the headers of boxes only: an index can be long. */
export async function isProtected(source: SourceParts): Promise<boolean> {
  if (source.format !== 'mov') return false;
  const bytes = new SourceBytes(source);
  try {
    return await new Headers(bytes).hasEncrypted();
  } finally {
    bytes.close();
  }
}

class Headers {
  readonly #bytes: SourceBytes;
  #left = MOST_HEADERS;

  constructor(bytes: SourceBytes) {
    this.#bytes = bytes;
  }

  async hasEncrypted(): Promise<boolean> {
    for await (const movie of this.#in({ body: 0, to: this.#bytes.size })) {
      if (movie.type !== 'moov') continue;
      for await (const track of this.#in(movie)) {
        if (track.type === 'trak' && (await this.#isEncrypted(track))) return true;
      }
      return false;
    }
    return false;
  }

  async #isEncrypted(track: Box): Promise<boolean> {
    let box: Box | null = track;
    for (const type of ['mdia', 'minf', 'stbl', 'stsd']) box = box && (await this.#child(box, type));
    if (!box) return false;
    const entries = { body: box.body + COUNTED, to: box.to };
    for await (const { type } of this.#in(entries)) if (encrypted.has(type)) return true;
    return false;
  }

  async #child(box: Box, type: string): Promise<Box | null> {
    for await (const child of this.#in(box)) if (child.type === type) return child;
    return null;
  }

  /** Consecutive boxes within another, up to the first position that is not a box. */
  async *#in({ body, to }: Pick<Box, 'body' | 'to'>): AsyncGenerator<Box> {
    for (let at = body; at < to && this.#left > 0; this.#left--) {
      const box = boxAt(await this.#bytes.all([at, at + BOX_HEADER]), 0, to - at, at);
      if (!box) return;
      yield box;
      at = box.to;
    }
  }
}
