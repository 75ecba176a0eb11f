import type { ListedStream, ProgramTable } from './program-tables.ts';

/** Types of streams with pictures and with sound (ISO/IEC 13818-1, table 2-34, and ATSC). */
const pictures: readonly number[] = [0x01, 0x02, 0x10, 0x1b, 0x20, 0x24, 0x33, 0x42, 0xd1, 0xea];
const sounds: readonly number[] = [0x03, 0x04, 0x0f, 0x11, 0x80, 0x81, 0x82, 0x83, 0x84, 0x85, 0x86, 0x87];

export const isPicture = ({ type }: ListedStream): boolean => pictures.includes(type);
const isMedia = ({ type, descriptors }: ListedStream): boolean =>
  pictures.includes(type) || sounds.includes(type) || (type === PRIVATE && descriptors.length > 0);

/** Streams of DVB whose descriptors say what they are. */
const PRIVATE = 0x06;
const LANGUAGE = 0x0a;

/** What has to be alike in streams of which one continues the other. */
const codingOf = ({ type, descriptors }: ListedStream): string =>
  type === PRIVATE ? `${type} ${withoutLanguage(descriptors).toString('hex')}` : `${type}`;

function withoutLanguage(descriptors: Buffer): Buffer {
  const kept: Buffer[] = [];
  for (let at = 0; at + 2 <= descriptors.length; ) {
    const end = at + 2 + (descriptors[at + 1] ?? 0);
    if (descriptors[at] !== LANGUAGE) kept.push(descriptors.subarray(at, end));
    at = end;
  }
  return Buffer.concat(kept);
}

/** Tables of a recording with more streams than this are not followed any further: only one that is made to be slow has them. */
const MOST_STREAMS = 256;
/** The last PID that streams may have. */
const LAST_PID = 0x1ffe;

/**
 * Follows the streams of a program through its tables: one that goes on under another PID, as where a recording and an advertisement
 * are joined or a broadcaster changes its programs, is the same stream.
 */
export class MovedStreams {
  readonly #first: ProgramTable;
  /** The streams of all tables, each once. */
  readonly #streams: ListedStream[];
  /** By PID of the source, that of the stream that it belongs to. */
  #now = new Map<number, number>();
  /** Whether a table lists a stream that the first one lists elsewhere, otherwise or not at all. */
  moved = false;

  constructor(first: ProgramTable) {
    this.#first = first;
    this.#streams = [...first.streams];
    for (const { pid } of first.streams) this.#now.set(pid, pid);
  }

  /** The PID under which a packet belongs to its stream; null if no table has listed it. */
  pidFor(pid: number): number | null {
    return this.#now.get(pid) ?? null;
  }

  /** Takes the next table. */
  take({ streams }: ProgramTable): void {
    if (this.#streams.length > MOST_STREAMS) return;
    const free = new Set(this.#streams);
    const placed = new Map<ListedStream, ListedStream>();
    const place = (stream: ListedStream, known: ListedStream | undefined) => {
      if (!known) return;
      free.delete(known);
      placed.set(stream, known);
    };
    const codings = new Map(this.#streams.map((known) => [known, codingOf(known)]));
    const alike = (stream: ListedStream) => {
      const coding = codingOf(stream);
      return [...free].filter((known) => codings.get(known) === coding);
    };
    for (const stream of streams)
      place(
        stream,
        alike(stream).find(({ pid }) => pid === stream.pid),
      );
    for (const stream of streams) if (!placed.has(stream) && isMedia(stream)) place(stream, alike(stream)[0]);
    for (const stream of streams) {
      const known = placed.get(stream) ?? this.#add(stream);
      this.moved ||= isMedia(stream) && (known.pid !== stream.pid || !this.#first.streams.includes(known));
      this.#now.set(stream.pid, known.pid);
    }
  }

  #add(stream: ListedStream): ListedStream {
    const taken = new Set(this.#streams.map(({ pid }) => pid).concat(this.#first.pid));
    let { pid } = stream;
    for (let other = LAST_PID; taken.has(pid); other--) pid = other;
    const added = { ...stream, pid };
    this.#streams.push(added);
    return added;
  }

  /** One table for the whole recording. */
  get table(): ProgramTable {
    return { ...this.#first, streams: this.#streams };
  }
}
