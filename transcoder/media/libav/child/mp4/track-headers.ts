import { BOX_HEADER, type Box, boxAt } from '../../../../bitstream/mp4/boxes.ts';
import { composedSpan, decodedSpan } from '../../../../bitstream/mp4/composed-span.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import { SourceBytes } from '../read/source-bytes.ts';

/** Sample entries of encrypted tracks (ISO/IEC 14496-12 section 8.12); drms and drmi are from Apple's music store. */
const encrypted: ReadonlySet<string> = new Set(['encv', 'enca', 'encu', 'drms', 'drmi']);

/** Bytes of a table before its entries: version, flags and their number (8.5.2). */
const COUNTED = 8;

/** 16.16 fixed point, as rates are. */
const NORMAL_SPEED = 0x10000;

/** Longer edit lists are not read. */
const MOST_EDITS = 1024;

/** Longer tables of times are not read: 8 bytes a sample at most. */
const MOST_TABLE = 16 * 1024 * 1024;

/** Headers to read at most; a film of ten tracks has about 200 up to its sample descriptions. */
const MOST_HEADERS = 4096;

/** What the headers of an mp4 say of its tracks, of which libav says nothing. */
export interface TrackHeaders {
  /** Whether samples of any track are encrypted. */
  encrypted: boolean;
  /** What edit lists say, by the numbers of the tracks. */
  edits: ReadonlyMap<number, Edits>;
  /** Numbers of the first sync samples (8.6.2), counted from 1, by the numbers of the tracks whose index lists some. */
  firstSync: ReadonlyMap<number, number>;
  /** Numbers of the tracks without a sample. */
  empty: ReadonlySet<number>;
  /** Numbers of the tracks whose samples have more than one description, as editors write where clips of different encoders follow one another. */
  redescribed: ReadonlySet<number>;
  /** How long tracks are shown, by their numbers. */
  lengths: ReadonlyMap<number, ShownLength>;
}

/**
 * In seconds. libav takes the time that decoding takes, which is less where the last pictures are shown for longer than the first, or
 * the duration of the header, where muxers write 0 or too little.
 */
export interface ShownLength {
  total: number;
  /** The sample that is decoded last. */
  frame: number;
}

export interface Edits {
  /** Whether the track is shown in several pieces. */
  inPieces: boolean;
  /**
   * Seconds from the first piece to the end of the last one, if empty edits come first: libav's duration includes them. Null if none
   * come first, or the pieces have no duration.
   */
  shown: number | null;
  /** The first piece: the tick of the media at which it begins, and how many seconds it lasts, if that is stated. */
  piece: { from: number; seconds: number } | null;
  /** How many times as fast as usual the first piece is shown that has another speed, 0 for one frame that stays; null if none has. */
  rate: number | null;
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
    const edits = new Map<number, Edits>();
    const firstSync = new Map<number, number>();
    const lengths = new Map<number, ShownLength>();
    const empty = new Set<number>();
    const redescribed = new Set<number>();
    let isEncrypted = false;
    for await (const movie of this.#in({ body: 0, to: this.#bytes.size })) {
      if (movie.type !== 'moov') continue;
      const timescale = await this.#numberIn(movie, 'mvhd');
      const isFragmented = (await this.#child(movie, 'mvex')) !== null;
      for await (const track of this.#in(movie)) {
        if (track.type !== 'trak') continue;
        isEncrypted ||= await this.#isEncrypted(track);
        const number = await this.#numberIn(track, 'tkhd');
        if (!isFragmented && (await this.#isEmpty(track))) empty.add(number);
        if (await this.#isRedescribed(track)) redescribed.add(number);
        const found = await this.#editsOf(track, timescale);
        if (found) edits.set(number, found);
        const sync = await this.#firstSyncOf(track);
        if (sync !== null) firstSync.set(number, sync);
        const length = found?.inPieces ? null : await this.#lengthOf(track, found?.piece ?? null);
        if (length) lengths.set(number, length);
      }
      break;
    }
    return { encrypted: isEncrypted, edits, firstSync, empty, redescribed, lengths };
  }

  async #isEncrypted(track: Box): Promise<boolean> {
    const descriptions = await this.#descendant(track, ['mdia', 'minf', 'stbl', 'stsd']);
    if (!descriptions) return false;
    const entries = { body: descriptions.body + COUNTED, to: descriptions.to };
    for await (const { type } of this.#in(entries)) if (encrypted.has(type)) return true;
    return false;
  }

  async #isEmpty(track: Box): Promise<boolean> {
    const table = await this.#descendant(track, ['mdia', 'minf', 'stbl', 'stts']);
    const head = table && (await this.#bytes.all([table.body, Math.min(table.to, table.body + COUNTED)]));
    return head?.length === COUNTED && head.readUInt32BE(4) === 0;
  }

  /** Whether chunks name different descriptions (8.7.4). Fragments are not looked at. */
  async #isRedescribed(track: Box): Promise<boolean> {
    const descriptions = await this.#descendant(track, ['mdia', 'minf', 'stbl', 'stsd']);
    const head = descriptions && (await this.#bytes.all([descriptions.body, descriptions.body + COUNTED]));
    if (head?.length !== COUNTED || head.readUInt32BE(4) < 2) return false;
    const table = await this.#descendant(track, ['mdia', 'minf', 'stbl', 'stsc']);
    if (!table) return false;
    const bytes = await this.#bytes.all([table.body, Math.min(table.to, table.body + MOST_TABLE)]);
    const first = COUNTED + 8;
    for (let at = first + 12; at + 4 <= bytes.length; at += 12)
      if (bytes.readUInt32BE(at) !== bytes.readUInt32BE(first)) return true;
    return false;
  }

  /** Null without a table, where every sample is a sync sample, and for an empty one. */
  async #firstSyncOf(track: Box): Promise<number | null> {
    const table = await this.#descendant(track, ['mdia', 'minf', 'stbl', 'stss']);
    if (!table) return null;
    const first = await this.#bytes.all([table.body, Math.min(table.to, table.body + COUNTED + 4)]);
    return first.length < COUNTED + 4 || first.readUInt32BE(4) === 0 ? null : first.readUInt32BE(COUNTED);
  }

  /** Null in fragments. */
  async #lengthOf(track: Box, piece: Edits['piece']): Promise<ShownLength | null> {
    const media = await this.#child(track, 'mdia');
    const timescale = media && (await this.#numberIn(media, 'mdhd'));
    const [durations, offsets] = [await this.#entriesOf(media, 'stts'), await this.#entriesOf(media, 'ctts')];
    const span = durations && (offsets ? composedSpan(durations, offsets) : decodedSpan(durations));
    if (!span || !timescale) return null;
    const { first, last, frame } = span;
    const total = (last + frame - Math.max(first, piece?.from ?? first)) / timescale;
    return { total: Math.min(total, piece?.seconds ?? total), frame: frame / timescale };
  }

  async #entriesOf(media: Box | null, type: 'stts' | 'ctts'): Promise<Buffer | null> {
    const table = media && (await this.#descendant(media, ['minf', 'stbl', type]));
    if (!table || table.to - table.body > MOST_TABLE) return null;
    const bytes = await this.#bytes.all([table.body, table.to]);
    return bytes.length < COUNTED ? null : bytes.subarray(COUNTED, COUNTED + 8 * bytes.readUInt32BE(4));
  }

  /** Edits as in 8.6.6. A time of -1 marks an empty edit. */
  async #editsOf(track: Box, timescale: number): Promise<Edits | null> {
    const list = await this.#descendant(track, ['edts', 'elst']);
    if (!list) return null;
    const [version] = await this.#bytes.all([list.body, list.body + 1]);
    const [entry, width] = version === 1 ? [20, 8] : [12, 4];
    const begin = list.body + COUNTED;
    const edits = await this.#bytes.all([begin, Math.min(list.to, begin + MOST_EDITS * entry)]);
    const whole = begin + edits.length >= list.to;
    let [pieces, ticks, delayed] = [0, 0, false];
    let piece: Edits['piece'] = null;
    let rate: number | null = null;
    for (let at = 0; at + entry <= edits.length; at += entry) {
      const isEmpty = edits.subarray(at + width, at + 2 * width).every((byte) => byte === 0xff);
      if (!isEmpty) pieces += 1;
      else if (pieces === 0) delayed = true;
      const numberAt = (from: number) =>
        width === 8 ? Number(edits.readBigUInt64BE(from)) : edits.readUInt32BE(from);
      const times = edits.readInt32BE(at + 2 * width) / NORMAL_SPEED;
      if (!isEmpty && times !== 1) rate ??= times;
      if (pieces > 0) ticks += numberAt(at);
      if (pieces === 1 && ticks > 0 && timescale > 0)
        piece ??= { from: numberAt(at + width), seconds: ticks / timescale };
    }
    const isStated = whole && delayed && ticks > 0 && timescale > 0;
    return { inPieces: pieces > 1, shown: isStated ? ticks / timescale : null, piece, rate };
  }

  /** The number behind the two times of a header: ticks per second in `mvhd` (8.2.2) and `mdhd` (8.4.2), `track_ID` in `tkhd` (8.3.2). 0 without one. */
  async #numberIn(box: Box, type: 'mvhd' | 'mdhd' | 'tkhd'): Promise<number> {
    const header = await this.#child(box, type);
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
