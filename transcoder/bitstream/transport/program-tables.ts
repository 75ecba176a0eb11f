import { remainder } from '../remainder.ts';

/** Bytes of a packet, without what some recorders add to it. */
export const PACKET_BYTES = 188;
export const SYNC = 0x47;
const PAT_PID = 0;
const HEADER_BYTES = 4;
const CRC_BYTES = 4;

/** A stream of a program, as its table lists it. */
export interface ListedStream {
  pid: number;
  type: number;
  descriptors: Buffer;
}

export interface ProgramTable {
  program: number;
  /** On which the table is sent. */
  pid: number;
  clockPid: number;
  descriptors: Buffer;
  streams: readonly ListedStream[];
}

export const pidOf = (packet: Uint8Array): number => (((packet[1] ?? 0) & 0x1f) << 8) | (packet[2] ?? 0);

const begins = (packet: Uint8Array): boolean => ((packet[1] ?? 0) & 0x40) !== 0;

/** Empty if the packet has none. */
export function payloadOf(packet: Buffer): Buffer {
  const control = ((packet[3] ?? 0) >> 4) & 3;
  if ((control & 1) === 0) return Buffer.alloc(0);
  return packet.subarray(HEADER_BYTES + (control & 2 ? 1 + (packet[HEADER_BYTES] ?? 0) : 0), PACKET_BYTES);
}

/** Reads the tables of a transport stream (ISO/IEC 13818-1, 2.4.4) that has one program at a time. */
export class ProgramTables {
  /** Whether the stream has several programs at the same time. */
  several = false;
  #program: { number: number; pid: number } | null = null;
  #parts: Buffer[] = [];

  /** Whether packets of a PID are now part of a table, not of a stream. */
  isTable(pid: number): boolean {
    return pid === PAT_PID || pid === this.#program?.pid;
  }

  /** Takes the next packet. @returns the table of the program if the packet ends one. */
  take(packet: Buffer): ProgramTable | null {
    const pid = pidOf(packet);
    if (pid === PAT_PID) this.#takePrograms(packet);
    else if (pid === this.#program?.pid) return this.#takeStreams(packet, this.#program);
    return null;
  }

  #takePrograms(packet: Buffer): void {
    const section = begins(packet) ? sectionIn([payloadOf(packet)]) : null;
    if (section?.[0] !== 0) return;
    const programs: { number: number; pid: number }[] = [];
    for (let at = 8; at + 4 <= section.length - CRC_BYTES; at += 4) {
      const number = section.readUInt16BE(at);
      if (number > 0) programs.push({ number, pid: section.readUInt16BE(at + 2) & 0x1fff });
    }
    this.several ||= programs.length > 1;
    const [program] = programs;
    if (!program) return;
    if (this.#program?.pid !== program.pid) this.#parts = [];
    this.#program = program;
  }

  #takeStreams(packet: Buffer, { number, pid }: { number: number; pid: number }): ProgramTable | null {
    if (begins(packet)) this.#parts = [payloadOf(packet)];
    else if (this.#parts.length > 0) this.#parts.push(payloadOf(packet));
    const section = sectionIn(this.#parts);
    if (!section) {
      // Damaged: the longest section has ended.
      if (this.#parts.length > MOST_PARTS) this.#parts = [];
      return null;
    }
    this.#parts = [];
    // What the table will be is not yet so.
    const current = ((section[5] ?? 0) & 1) !== 0;
    if (section[0] !== 2 || !current || section.readUInt16BE(3) !== number) return null;
    const end = section.length - CRC_BYTES;
    const own = section.readUInt16BE(10) & 0xfff;
    const streams: ListedStream[] = [];
    for (let at = 12 + own; at + 5 <= end; ) {
      const length = section.readUInt16BE(at + 3) & 0xfff;
      const descriptors = Buffer.from(section.subarray(at + 5, Math.min(end, at + 5 + length)));
      streams.push({ pid: section.readUInt16BE(at + 1) & 0x1fff, type: section[at] ?? 0, descriptors });
      at += 5 + length;
    }
    const descriptors = Buffer.from(section.subarray(12, 12 + own));
    return { program: number, pid, clockPid: section.readUInt16BE(8) & 0x1fff, descriptors, streams };
  }
}

/** Packets of the longest section, of 4096 bytes, with room for packets that carry little. */
const MOST_PARTS = 32;
/** The shortest section that has a table in it. */
const LEAST_SECTION = 12;

/** The section that begins in the first payload; null if it is not complete, or damaged. */
function sectionIn(payloads: readonly Buffer[]): Buffer | null {
  const bytes = Buffer.concat(payloads);
  const start = 1 + (bytes[0] ?? 0);
  if (start + 3 > bytes.length) return null;
  const end = start + 3 + (bytes.readUInt16BE(start + 1) & 0xfff);
  const section = bytes.subarray(start, end);
  return end <= bytes.length && section.length >= LEAST_SECTION && checksum(section) === 0 ? section : null;
}

/** The CRC of sections (ISO/IEC 13818-1, annex A); 0 for a section that ends with its own. */
const checksum = (bytes: Uint8Array): number => remainder(bytes, 0xffffffff);

function section(id: number, number: number, body: Buffer): Buffer {
  const header = Buffer.from([id, 0, 0, 0, 0, 0xc1, 0, 0]);
  header.writeUInt16BE(0xb000 | (body.length + 5 + CRC_BYTES), 1);
  header.writeUInt16BE(number, 3);
  const sum = Buffer.alloc(CRC_BYTES);
  const bytes = Buffer.concat([header, body]);
  sum.writeUInt32BE(checksum(bytes));
  return Buffer.concat([bytes, sum]);
}

/** One packet with a section; null if it is too long for one. */
function packetWith(pid: number, bytes: Buffer): Buffer | null {
  if (HEADER_BYTES + 1 + bytes.length > PACKET_BYTES) return null;
  const packet = Buffer.alloc(PACKET_BYTES, 0xff);
  packet.set([SYNC, 0x40 | (pid >> 8), pid & 0xff, 0x10, 0]);
  bytes.copy(packet, HEADER_BYTES + 1);
  return packet;
}

/** Packets that announce a program: its place, and its streams. Null if its table is too long for one packet. */
export function packetsOf({ program, pid, clockPid, descriptors, streams }: ProgramTable): Buffer[] | null {
  const entry = Buffer.alloc(4);
  entry.writeUInt16BE(program);
  entry.writeUInt16BE(0xe000 | pid, 2);
  const head = Buffer.alloc(4);
  head.writeUInt16BE(0xe000 | clockPid);
  head.writeUInt16BE(0xf000 | descriptors.length, 2);
  const listed = streams.map((stream) => {
    const line = Buffer.alloc(5);
    line[0] = stream.type;
    line.writeUInt16BE(0xe000 | stream.pid, 1);
    line.writeUInt16BE(0xf000 | stream.descriptors.length, 3);
    return Buffer.concat([line, stream.descriptors]);
  });
  const table = packetWith(pid, section(2, program, Buffer.concat([head, descriptors, ...listed])));
  const programs = packetWith(PAT_PID, section(0, 1, entry));
  return table && programs ? [programs, table] : null;
}
