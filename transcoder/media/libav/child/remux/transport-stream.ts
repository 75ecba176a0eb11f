import { closeSync, openSync, writeFileSync } from 'node:fs';
import { MovedStreams } from '../../../../bitstream/transport/moved-streams.ts';
import {
  PACKET_BYTES,
  type ProgramTable,
  ProgramTables,
  packetsOf,
  pidOf,
  SYNC,
} from '../../../../bitstream/transport/program-tables.ts';
import { Repeats } from '../../../../bitstream/transport/repeats.ts';
import type { Span } from '../../../../model/source/byte-ranges.ts';
import type { SourceParts } from '../../../../model/source/media-source.ts';
import type { ConsistentRequest } from '../../protocol.ts';
import { SourceBytes } from '../read/source-bytes.ts';

const CHUNK = 1 << 20;
/** Bytes from packet to packet: some recorders put a time before each packet, or a code for its repair behind it. */
const steps: readonly number[] = [PACKET_BYTES, 192, 204];
const LONGEST = 204;
const NONE = Buffer.alloc(0);

/** The packets of a transport stream, or in a span of it, with their places, many at a time; bytes between them are left out. */
export async function* packetsIn(
  source: SourceParts,
  [begins, ends]: Span = [0, source.bytes],
): AsyncGenerator<{ packets: Buffer[]; places: number[] }> {
  const bytes = new SourceBytes(source);
  try {
    let rest: Buffer = NONE;
    /** Bytes from the packet before to the one here; 0 if none ends here. */
    let before = 0;
    for (let from = begins; from < ends; from += CHUNK) {
      await new Promise(setImmediate);
      const isLast = from + CHUNK >= ends;
      const chunk = Buffer.concat([rest, await bytes.all([from, Math.min(ends, from + CHUNK)])]);
      const packets: Buffer[] = [];
      const places: number[] = [];
      let at = 0;
      while (at + PACKET_BYTES <= chunk.length) {
        const step = stepAt(chunk, at, { before, isLast });
        if (step === null) break;
        if (step > 0) {
          packets.push(chunk.subarray(at, at + PACKET_BYTES));
          places.push(from - rest.length + at);
        }
        before = step;
        at += step || 1;
      }
      yield { packets, places };
      rest = chunk.subarray(at);
    }
  } finally {
    bytes.close();
  }
}

/**
 * Bytes to the next packet; 0 where no packet begins, and null if more bytes are needed to tell.
 * @param before Bytes from the packet before: they are the same throughout a stream, in which other bytes may be like the first of a
 * packet. 0 if none ends here; behind one, there may be bytes that are no packets.
 */
function stepAt(
  chunk: Buffer,
  at: number,
  { before, isLast }: { before: number; isLast: boolean },
): number | null {
  if (chunk[at] !== SYNC) return 0;
  const isStep = (bytes: number) => chunk[at + bytes] === SYNC;
  if (before > 0 && isStep(before)) return before;
  if (before > 0 && at + before >= chunk.length && !isLast) return null;
  const step = steps.find((bytes) => isStep(bytes) && isStep(2 * bytes)) ?? steps.find(isStep);
  if (step !== undefined) return step;
  if (at + LONGEST >= chunk.length) return isLast ? PACKET_BYTES : null;
  return before > 0 ? PACKET_BYTES : 0;
}

export interface Survey {
  /** Null if all tables list the same streams, or the source has several programs at a time. */
  moved: MovedStreams | null;
  /** Whether packets are sent twice. */
  repeats: boolean;
  /** The first table. */
  first: ProgramTable | null;
  /** Whether there are several programs at the same time. */
  several: boolean;
}

/** @param span Where to read; by default all of it. */
export async function surveyOf(source: SourceParts, span?: Span): Promise<Survey> {
  const tables = new ProgramTables();
  const sent = new Repeats();
  let streams: MovedStreams | null = null;
  let repeats = false;
  let first: ProgramTable | null = null;
  for await (const { packets } of packetsIn(source, span)) {
    for (const packet of packets) {
      repeats ||= sent.take(packet);
      const table = tables.take(packet);
      if (!table) continue;
      first ??= table;
      streams = followed(streams, table);
    }
  }
  const { several } = tables;
  return { moved: streams?.moved && !several ? streams : null, repeats, first, several };
}

/** The streams of a program after its next table. @param streams Null ahead of the first one. */
function followed(streams: MovedStreams | null, table: ProgramTable): MovedStreams {
  streams?.take(table);
  return streams ?? new MovedStreams(table);
}

/** Rewrites a transport stream of which packets are sent twice, or that changes its streams. A file is written only where one is needed. */
export async function onceInOneTable({ source, file }: ConsistentRequest): Promise<boolean> {
  const { moved, repeats } = await surveyOf(source);
  const announced = moved && packetsOf(moved.table);
  if (!announced && !repeats) return false;
  if (file === null) return true;
  const sent = new Repeats();
  const written = announced ? new OneProgram(announced) : null;
  const output = openSync(file, 'w');
  try {
    for await (const { packets } of packetsIn(source)) {
      const once = packets.filter((packet) => !sent.take(packet));
      writeFileSync(output, Buffer.concat(written ? once.flatMap((packet) => written.take(packet)) : once));
    }
    return true;
  } finally {
    closeSync(output);
  }
}

/** Rewrites the packets of a program that changes its streams. */
class OneProgram {
  readonly #counters = new Counters();
  readonly #tables = new ProgramTables();
  readonly #announced: readonly Buffer[];
  #streams: MovedStreams | null = null;

  /** @param announced Packets with the table of the whole recording. */
  constructor(announced: readonly Buffer[]) {
    this.#announced = announced;
  }

  /** @returns the packets to write in place of the next one. */
  take(packet: Buffer): Buffer[] {
    const table = this.#tables.take(packet);
    if (table) {
      this.#streams = followed(this.#streams, table);
      return this.#announced.map((one) => this.#counters.next(one));
    }
    const pid = pidOf(packet);
    const stream = this.#tables.isTable(pid) ? null : (this.#streams?.pidFor(pid) ?? null);
    return stream === null ? [] : [this.#counters.numbered(packet, stream)];
  }
}

const COUNTER = 0x0f;

/** Gives packets their PIDs, and goes on counting where a stream goes on under another PID. */
class Counters {
  readonly #streams = new Map<number, { from: number; last: number; ahead: number }>();
  readonly #tables = new Map<number, number>();

  /** The same packet again, with the next number. */
  next(packet: Buffer): Buffer {
    const pid = pidOf(packet);
    const count = ((this.#tables.get(pid) ?? COUNTER) + 1) & COUNTER;
    this.#tables.set(pid, count);
    const made = Buffer.from(packet);
    made[3] = ((packet[3] ?? 0) & 0xf0) | count;
    return made;
  }

  /** A packet of a stream. @param pid Of the stream. */
  numbered(packet: Buffer, pid: number): Buffer {
    const own = pidOf(packet);
    const made = Buffer.from(packet);
    made[1] = ((packet[1] ?? 0) & 0xe0) | (pid >> 8);
    made[2] = pid & 0xff;
    const before = this.#streams.get(pid);
    const count = (packet[3] ?? 0) & COUNTER;
    const carries = ((packet[3] ?? 0) & 0x10) !== 0;
    const next = before ? before.last + (carries ? 1 : 0) : count;
    const ahead = before ? (before.from === own ? before.ahead : next - count) : 0;
    const last = (count + ahead) & COUNTER;
    this.#streams.set(pid, { from: own, last, ahead });
    made[3] = ((packet[3] ?? 0) & 0xf0) | last;
    return made;
  }
}
