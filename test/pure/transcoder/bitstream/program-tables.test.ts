import { describe, expect, test } from 'vitest';
import { remainder } from '../../../../transcoder/bitstream/remainder.ts';
import { MovedStreams } from '../../../../transcoder/bitstream/transport/moved-streams.ts';
import {
  type ProgramTable,
  ProgramTables,
} from '../../../../transcoder/bitstream/transport/program-tables.ts';

const PMT = 0x100;

/** A packet, filled with 0xff behind its payload. */
function packetOf(pid: number, begins: boolean, payload: Buffer): Buffer {
  const packet = Buffer.alloc(188, 0xff);
  Buffer.from([0x47, (begins ? 0x40 : 0) | (pid >> 8), pid & 0xff, 0x10]).copy(packet);
  payload.copy(packet, 4);
  return packet;
}

/** A section with its checksum, behind the byte that says where it begins. */
function sectionOf(id: number, number: number, body: Buffer): Buffer {
  const length = 5 + body.length + 4;
  const head = Buffer.from([id, 0xb0 | (length >> 8), length & 0xff, number >> 8, number & 0xff, 0xc1, 0, 0]);
  const bytes = Buffer.concat([head, body]);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(remainder(bytes, 0xffffffff));
  return Buffer.concat([Buffer.from([0]), bytes, sum]);
}

const programs = packetOf(0, true, sectionOf(0, 1, Buffer.from([0, 1, 0xe0 | (PMT >> 8), PMT & 0xff])));
const video = Buffer.from([0xe1, 0x01, 0xf0, 0x00, 0x1b, 0xe1, 0x01, 0xf0, 0x00]);
const table = packetOf(PMT, true, sectionOf(2, 1, video));

describe('tables of a transport stream', () => {
  test('are read again after a damaged one, and what follows it is not collected', () => {
    const damaged = Buffer.from(table);
    damaged[4 + 12] = 0x55;
    const rest = packetOf(PMT, false, Buffer.alloc(184, 0xff));
    const tables = new ProgramTables();
    expect(tables.take(programs)).toBeNull();
    expect(tables.take(damaged)).toBeNull();
    const began = performance.now();
    for (let index = 0; index < 50_000; index++) expect(tables.take(rest)).toBeNull();
    expect(tables.take(table)?.streams).toMatchObject([{ pid: 0x101, type: 0x1b }]);
    // It took minutes where each packet was joined with all before it.
    expect(performance.now() - began).toBeLessThan(20_000);
  });

  test('that go on listing new streams are not followed for ever', () => {
    const listed = (from: number): ProgramTable => ({
      ...{ program: 1, pid: PMT, clockPid: 0x101, descriptors: Buffer.alloc(0) },
      streams: Array.from({ length: 110 }, (_, index) => {
        const descriptors = Buffer.alloc(6);
        descriptors.writeUInt16BE(0x0504);
        descriptors.writeUInt32BE(from + index, 2);
        return { pid: 0x200 + index, type: 6, descriptors };
      }),
    });
    const moved = new MovedStreams(listed(0));
    for (let index = 1; index < 1000; index++) moved.take(listed(index * 110));
    expect(moved.table.streams.length).toBeLessThan(500);
    expect(Math.min(...moved.table.streams.map(({ pid }) => pid))).toBeGreaterThan(0);
  });
});
