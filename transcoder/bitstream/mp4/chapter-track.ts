import type { Chapter } from '../../model/source/contents.ts';
import { type Box, boxesIn } from './boxes.ts';
import { childOf, insideOf, tracksOf } from './sample-tables.ts';
import { box, chunkTables } from './write-tables.ts';

/** Ticks per second of the chapter track. */
const SCALE = 1000;
/** A `chpl` box counts its chapters, and the bytes of each title, in one byte. */
const MOST_LISTED = 255;

/** An index with chapters in it, and their titles. */
interface Chaptered {
  moov: Buffer;
  /** One sample after another, in one chunk. */
  titles: Buffer;
  samples: number;
}

/**
 * Adds chapters to an index: a text track to which the other tracks refer (QuickTime File Format Specification, "Chapter Lists"), and
 * the `chpl` box of Nero, which some players read instead.
 * @param chapters In order; each ends where the next one begins, and the first one begins at 0.
 * @param position Of the titles in the file.
 */
export function withChapterTrack(moov: Buffer, chapters: readonly Chapter[], position: number): Chaptered {
  const [root] = boxesIn(moov, 0, moov.length);
  const header = root ? childOf(moov, root, 'mvhd') : null;
  if (!root || !header) throw new RangeError('there is no movie');
  const id = moov.readUInt32BE(header.to - 4);
  const samples = chapters.map(({ title }) => sampleOf(title));
  const titles = Buffer.concat(samples);
  const [model = null] = tracksOf(moov);
  const track = trackOf({
    ...{ id, chapters, table: sampleTable(chapters, samples, position) },
    shown: Math.round((chapters.at(-1)?.end ?? 0) * movieScale(moov, header)),
    quickTime: isQuickTime(moov, insideOf(moov, model, 'mdia', 'hdlr')),
  });
  const children = [...boxesIn(moov, root.body, root.to)];
  const parts = children.flatMap((child) => {
    const bytes = moov.subarray(child.from, child.to);
    if (child.type === 'mvhd') return [withNextTrack(bytes, id + 1)];
    if (child.type === 'trak') return [referringTo(id, moov, child)];
    return child.type === 'udta' ? [] : [bytes];
  });
  const said = children.filter(({ type }) => type === 'udta').map(({ body, to }) => moov.subarray(body, to));
  return {
    moov: box('moov', ...parts, track, box('udta', ...said, chapterList(chapters))),
    ...{ titles, samples: samples.length },
  };
}

/** Ticks per second of the movie (ISO/IEC 14496-12 section 8.2.2). */
const movieScale = (moov: Buffer, { body }: Box): number =>
  moov.readUInt32BE(body + (moov[body] === 1 ? 20 : 12));

function withNextTrack(mvhd: Buffer, id: number): Buffer {
  const changed = Buffer.from(mvhd);
  changed.writeUInt32BE(id, changed.length - 4);
  return changed;
}

function referringTo(id: number, moov: Buffer, track: Box): Buffer {
  const children = [...boxesIn(moov, track.body, track.to)];
  const reference = box('tref', box('chap', words(id)));
  const parts = children.flatMap(({ type, from, to }) =>
    type === 'mdia' ? [reference, moov.subarray(from, to)] : [moov.subarray(from, to)],
  );
  return box('trak', ...parts);
}

const ticks = (seconds: number) => Math.round(seconds * SCALE);

/** The text with its length in front and its encoding behind: UTF-8 is 256 in the `encd` box. */
function sampleOf(title: string): Buffer {
  const text = Buffer.from(title);
  const length = Buffer.alloc(2);
  length.writeUInt16BE(text.length);
  return Buffer.concat([length, text, box('encd', words(256))]);
}

function sampleTable(chapters: readonly Chapter[], samples: readonly Buffer[], position: number): Buffer {
  const durations = chapters.flatMap(({ start, end }) => [1, ticks(end) - ticks(start)]);
  return box(
    'stbl',
    box('stsd', words(0, 1), box('text', description)),
    box('stts', words(0, chapters.length, ...durations)),
    ...chunkTables([{ position, samples: samples.length }]).flatMap(([, table]) => table ?? []),
    box('stsz', words(0, 0, samples.length, ...samples.map(({ length }) => length))),
  );
}

/** A black text without a name for its font, as ffmpeg describes it: reserved, data reference 1, then the description of the text. */
const description = Buffer.concat([
  Buffer.from([0, 0, 0, 0, 0, 0, 0, 1]),
  ...[Buffer.from([0, 0, 0, 1]), Buffer.alloc(2 + 4 + 8)],
  Buffer.from([0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0]),
  box('ftab', Buffer.from([0, 1, 0, 1, 0])),
]);

/** Whether the index is that of a mov file, whose handlers say what they handle. */
const isQuickTime = (moov: Buffer, hdlr: Box | null): boolean =>
  hdlr !== null && moov.toString('latin1', hdlr.body + 4, hdlr.body + 8) === 'mhlr';

interface Titled {
  id: number;
  chapters: readonly Chapter[];
  table: Buffer;
  /** Ticks of the movie. */
  shown: number;
  quickTime: boolean;
}

function trackOf({ id, chapters, table, shown, quickTime }: Titled): Buffer {
  const whole = ticks(chapters.at(-1)?.end ?? 0);
  // Not enabled: it is no track to play. A movie's scale may be that of its sound, which 32 bits count for a day.
  const far = shown > 0xffff_ffff;
  const times = far ? [0, 0, 0, 0, id, 0, ...wide(shown)] : [0, 0, id, 0, shown];
  const header = words((far ? 1 << 24 : 0) + 2, ...times, 0, 0, 0, 0, ...UNITY, 0, 0);
  const edit = far ? words(1 << 24, 1, ...wide(shown), 0, 0, 1 << 16) : words(0, 1, shown, 0, 1 << 16);
  // A string of Pascal, or one of C.
  const name = Buffer.from(quickTime ? '\x08Chapters' : 'Chapters\0');
  const media = box(
    'mdia',
    box('mdhd', words(0, 0, 0, SCALE, whole, UNDETERMINED << 16)),
    box('hdlr', words(0), Buffer.from(quickTime ? 'mhlrtext' : '\0\0\0\0text'), words(0, 0, 0), name),
    box(
      'minf',
      box('gmhd', box('gmin', words(0, 0x40_8000, 0x8000_8000, 0)), box('text', matrix)),
      box('dinf', box('dref', words(0, 1), box('url ', words(1)))),
      table,
    ),
  );
  return box('trak', box('tkhd', header), box('edts', box('elst', edit)), media);
}

/** The matrix that moves nothing (ISO/IEC 14496-12 section 8.2.2). */
const UNITY = [1 << 16, 0, 0, 0, 1 << 16, 0, 0, 0, 1 << 30];
/** The language `und` (8.4.2). */
const UNDETERMINED = 0x55c4;
/** Of the text, with numbers of 16 and 32 bits as QuickTime writes it. */
const matrix = Buffer.from('000100000000000000000000000000000001000000000000000000000000000040000000', 'hex');

/** Times in units of 100 ns. */
function chapterList(chapters: readonly Chapter[]): Buffer {
  const listed = chapters.slice(0, MOST_LISTED);
  const entries = listed.flatMap(({ start, title }) => {
    const text = cutTo(MOST_LISTED, title);
    const time = Buffer.alloc(9);
    time.writeBigUInt64BE(BigInt(ticks(start)) * 10_000n);
    time[8] = text.length;
    return [time, text];
  });
  return box('chpl', words(1 << 24, 0), Buffer.from([listed.length]), ...entries);
}

/** The first bytes of a text, without half of a character. */
function cutTo(bytes: number, text: string): Buffer {
  const all = Buffer.from(text);
  let end = Math.min(bytes, all.length);
  while (end < all.length && ((all[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return all.subarray(0, end);
}

/** A number of 64 bits. */
const wide = (value: number): [number, number] => [Math.floor(value / 2 ** 32), value % 2 ** 32];

/** Numbers of 32 bits. */
function words(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number >>> 0, 4 * index);
  return bytes;
}
