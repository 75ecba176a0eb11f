import { BOX_HEADER, type Box, boxAt } from '../../../../bitstream/mp4/boxes.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { SourceBytes } from '../read/source-bytes.ts';

/** Sample entries of encrypted tracks (ISO/IEC 14496-12 section 8.12); drms and drmi are from Apple's music store. */
const encrypted: ReadonlySet<string> = new Set(['encv', 'enca', 'encu', 'drms', 'drmi']);

/** Bytes of a sample description before its entries: version, flags and their number (8.5.2). */
const COUNTED = 8;

/** Edits to look at, of which one that is not empty may be the second. */
const MOST_EDITS = 16;

/** Headers to read at most; a film of ten tracks has about 200 up to its sample descriptions. */
const MOST_HEADERS = 4096;

/** What the headers of an mp4 say of its tracks, of which libav says nothing. */
export interface TrackHeaders {
  /** Whether samples of any track are encrypted. */
  encrypted: boolean;
  /** Numbers of the tracks that an edit list shows in several pieces. */
  inPieces: ReadonlySet<number>;
  /** Numbers of the tracks whose first sample is no sync sample (8.6.2). It may not decode. */
  withinGroup: ReadonlySet<number>;
}

/** Reads the headers of boxes only: an index can be long. Null if the source is no mp4. */
export async function trackHeaders(source: SourceParts): Promise<TrackHeaders | null> {
  if (source.format !== 'mov') return null;
  const bytes = new SourceBytes(source);
  try {
    return await new Headers(bytes).read();
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

  async read(): Promise<TrackHeaders> {
    const [inPieces, withinGroup] = [new Set<number>(), new Set<number>()];
    let isEncrypted = false;
    for await (const movie of this.#in({ body: 0, to: this.#bytes.size })) {
      if (movie.type !== 'moov') continue;
      for await (const track of this.#in(movie)) {
        if (track.type !== 'trak') continue;
        isEncrypted ||= await this.#isEncrypted(track);
        if (await this.#isInPieces(track)) inPieces.add(await this.#numberOf(track));
        if (await this.#beginsWithinGroup(track)) withinGroup.add(await this.#numberOf(track));
      }
      break;
    }
    return { encrypted: isEncrypted, inPieces, withinGroup };
  }

  async #isEncrypted(track: Box): Promise<boolean> {
    const descriptions = await this.#descendant(track, ['mdia', 'minf', 'stbl', 'stsd']);
    if (!descriptions) return false;
    const entries = { body: descriptions.body + COUNTED, to: descriptions.to };
    for await (const { type } of this.#in(entries)) if (encrypted.has(type)) return true;
    return false;
  }

  /** Whether two of its edits are not empty (8.6.6). */
  async #isInPieces(track: Box): Promise<boolean> {
    const list = await this.#descendant(track, ['edts', 'elst']);
    if (!list) return false;
    const [version] = await this.#bytes.all([list.body, list.body + 1]);
    const [entry, time, bytes] = version === 1 ? [20, 8, 8] : [12, 4, 4];
    const begin = list.body + COUNTED;
    const edits = await this.#bytes.all([begin, Math.min(list.to, begin + MOST_EDITS * entry)]);
    let shown = 0;
    for (let at = 0; at + entry <= edits.length; at += entry) {
      const starts = edits.subarray(at + time, at + time + bytes);
      if (starts.some((byte) => byte !== 0xff)) shown += 1;
    }
    return shown > 1;
  }

  /** Without a table, every sample is a sync sample; an empty table counts as none. */
  async #beginsWithinGroup(track: Box): Promise<boolean> {
    const table = await this.#descendant(track, ['mdia', 'minf', 'stbl', 'stss']);
    if (!table) return false;
    const first = await this.#bytes.all([table.body, Math.min(table.to, table.body + COUNTED + 4)]);
    return first.length === COUNTED + 4 && first.readUInt32BE(4) > 0 && first.readUInt32BE(COUNTED) > 1;
  }

  /** Its `track_ID` (8.3.2). */
  async #numberOf(track: Box): Promise<number> {
    const header = await this.#child(track, 'tkhd');
    if (!header) return 0;
    const bytes = await this.#bytes.all([header.body, header.body + 24]);
    const at = bytes[0] === 1 ? 20 : 12;
    return bytes.length < at + 4 ? 0 : bytes.readUInt32BE(at);
  }

  async #descendant(from: Box, path: readonly string[]): Promise<Box | null> {
    let box: Box | null = from;
    for (const type of path) box = box && (await this.#child(box, type));
    return box;
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
