import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { boxAt, boxesIn } from '../../../transcoder/bitstream/mp4/boxes.ts';
import { hasOnlyKeyframes, keyframeOffsets } from '../../../transcoder/bitstream/mp4/keyframe-positions.ts';
import { type Span, Spans } from '../../../transcoder/model/source/byte-ranges.ts';
import {
  parseContentRange,
  parseUnsatisfied,
  rangeHeader,
} from '../../../transcoder/source/content-range.ts';
import { ReadAhead } from '../../../transcoder/source/read-ahead.ts';
import { editionOf, merged, sameEdition } from '../../../transcoder/source/validators.ts';

const SIZE = 60;
const span = fc
  .tuple(fc.integer({ min: 0, max: SIZE }), fc.integer({ min: 0, max: SIZE }))
  .map(([a, b]): Span => [Math.min(a, b), Math.max(a, b)]);
const bytesOf = (spans: readonly Span[]) => {
  const bytes = new Array<boolean>(SIZE).fill(false);
  for (const [from, to] of spans) bytes.fill(true, from, to);
  return bytes;
};

describe('spans', () => {
  it('hold what was added, and nothing twice', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 12 }), (added) => {
        const list = new Spans(added).list();
        expect(bytesOf(list)).toEqual(bytesOf(added));
        for (const [index, [from, to]] of list.entries()) {
          expect(from).toBeLessThan(to);
          expect(from).toBeGreaterThan(list[index - 1]?.[1] ?? -1);
        }
        expect(new Spans(added).size).toBe(bytesOf(added).filter(Boolean).length);
      }),
    );
  });

  it('tell what is missing of another, and what is around a byte', () => {
    fc.assert(
      fc.property(fc.array(span, { maxLength: 12 }), span, (added, wanted) => {
        const spans = new Spans(added);
        const have = bytesOf(added);
        const missing = bytesOf([wanted]).map((is, at) => is && !have[at]);
        expect(bytesOf(spans.missing(wanted))).toEqual(missing);
        for (let at = 0; at < SIZE; at++) {
          const around = spans.around(at);
          expect(around !== null).toBe(have[at]);
          if (!around) continue;
          expect(have.slice(...around)).not.toContain(false);
          expect([have[around[0] - 1] ?? false, have[around[1]] ?? false]).toEqual([false, false]);
        }
      }),
    );
  });
});

describe('Content-Range', () => {
  it('is what a request asked for, as text and back', () => {
    expect(rangeHeader([0, 65_536])).toBe('bytes=0-65535');
    expect(parseContentRange('bytes 0-65535/1000000')).toEqual({ span: [0, 65_536], total: 1_000_000 });
    expect(parseContentRange('BYTES 5-5/6')).toEqual({ span: [5, 6], total: 6 });
    expect(parseUnsatisfied('bytes */12')).toBe(12);
  });

  it.each([
    undefined,
    '',
    'bytes 0-65535/*',
    'bytes */100',
    'bytes 5-4/10',
    'bytes 0-10/10',
    'bytes -5/10',
    'bytes 0-5',
    'items 0-5/10',
    'bytes=0-5/10',
    'bytes 0-5/10 ',
    'bytes 0-5/10, bytes 6-7/10',
    'bytes 0x0-5/10',
    `bytes 0-5/${'9'.repeat(40)}`,
  ])('%o is none', (header) => {
    expect(parseContentRange(header)).toBeNull();
  });

  it('never yields a span outside the file, whatever a header says', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.stringMatching(/^bytes \d{1,4}-\d{1,4}\/\d{1,4}$/)), (header) => {
        const parsed = parseContentRange(header);
        if (!parsed) return;
        expect(parsed.span[0]).toBeLessThan(parsed.span[1]);
        expect(parsed.span[1]).toBeLessThanOrEqual(parsed.total);
      }),
    );
  });
});

it('two answers are about the same file unless something that both say differs', () => {
  const one = { bytes: 10, etag: '"a"', modified: null };
  expect(sameEdition(one, { bytes: null, etag: null, modified: 'Mon' })).toBe(true);
  expect(sameEdition(one, { ...one })).toBe(true);
  expect(sameEdition(one, { ...one, etag: '"b"' })).toBe(false);
  expect(sameEdition(one, { ...one, bytes: 11 })).toBe(false);
  expect(sameEdition({ ...one, modified: 'Sun' }, { ...one, modified: 'Mon' })).toBe(false);
});

it('dates of change that only say when an answer was sent say nothing, but one that follows an older one does', () => {
  const at = (date: string, modified: string) => editionOf({ date, 'last-modified': modified }, 10);
  const [first, second] = ['Mon, 30 Nov 2026 12:00:00 GMT', 'Mon, 30 Nov 2026 12:00:03 GMT'];
  expect(sameEdition(at(first, first), at(second, second))).toBe(true);
  expect(sameEdition(merged(at(first, first), at(second, second)), at(second, second))).toBe(true);
  expect(sameEdition(at(first, 'Sun, 29 Nov 2026 12:00:00 GMT'), at(second, second))).toBe(false);
  expect(sameEdition(at(first, first), editionOf({ 'last-modified': second }, 10))).toBe(false);
});

/** A box with a size of 32 bits, of 64, or of none. */
function box(type: string, body: Buffer, size: 'short' | 'long' | 'rest' = 'short'): Buffer {
  const head = Buffer.alloc(size === 'long' ? 16 : 8);
  head.writeUInt32BE(size === 'short' ? 8 + body.length : size === 'long' ? 1 : 0);
  head.write(type, 4, 'latin1');
  if (size === 'long') head.writeBigUInt64BE(BigInt(16 + body.length), 8);
  return Buffer.concat([head, body]);
}

describe('boxes', () => {
  it('are walked with sizes of 32 bits, of 64 bits, and up to the end', () => {
    const file = Buffer.concat([
      box('ftyp', Buffer.alloc(16)),
      box('mdat', Buffer.alloc(100), 'long'),
      box('moov', Buffer.alloc(7), 'rest'),
    ]);
    expect([...boxesIn(file, 0, file.length)]).toEqual([
      { type: 'ftyp', from: 0, body: 8, to: 24 },
      { type: 'mdat', from: 24, body: 40, to: 140 },
      { type: 'moov', from: 140, body: 148, to: 155 },
    ]);
  });

  it('are none where a header is cut off, a size is too small or reaches beyond the end', () => {
    expect(boxAt(box('mdat', Buffer.alloc(9)), 0, 16)).toBeNull();
    expect(boxAt(Buffer.from([0, 0, 0, 7, 0x6d, 0x64, 0x61, 0x74]), 0, 8)).toBeNull();
    expect(boxAt(Buffer.from([0, 0, 0, 1, 0x6d, 0x64, 0x61, 0x74, 0, 0]), 0, 1000)).toBeNull();
    expect(boxAt(Buffer.alloc(4), 0, 100)).toBeNull();
  });
});

const u32 = (...values: number[]) => {
  const buffer = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) buffer.writeUInt32BE(value, index * 4);
  return buffer;
};
const full = (type: string, ...values: number[]) => box(type, u32(0, ...values));

/** Nine samples in chunks of 2, 2, 3 and 2 at 1000, 2000, 3000 and 4000; samples 1, 4, 5 and 9 are keyframes. */
function moov({
  kind = 'vide',
  more = Buffer.alloc(0),
  sizes = full('stsz', 0, 9, 10, 20, 30, 40, 50, 60, 70, 80, 90),
  keys = full('stss', 4, 1, 4, 5, 9),
  entry = 'avc1',
}: {
  kind?: string;
  keys?: Uint8Array;
  /** Type of the sample entry. */
  entry?: string;
  more?: Uint8Array;
  sizes?: Buffer;
} = {}): Buffer {
  const stbl = Buffer.concat([
    box('stsd', Buffer.concat([u32(0, 1), box(entry, Buffer.alloc(8))])),
    keys,
    full('stsc', 3, 1, 2, 1, 3, 3, 1, 4, 2, 1),
    sizes,
    full('stco', 4, 1000, 2000, 3000, 4000),
  ]);
  const handler = box('hdlr', Buffer.concat([u32(0, 0), Buffer.from(kind, 'latin1'), Buffer.alloc(12)]));
  const media = Buffer.concat([handler, box('minf', box('stbl', stbl))]);
  return box('moov', Buffer.concat([box('mvhd', Buffer.alloc(20)), box('trak', box('mdia', media)), more]));
}

describe('the keyframes of an index', () => {
  it('are located by their chunks and the sizes before them', () => {
    expect(keyframeOffsets(moov())).toEqual([1000, 2030, 3000, 4080]);
    expect(keyframeOffsets(moov({ sizes: full('stsz', 25, 9) }))).toEqual([1000, 2025, 3000, 4025]);
  });

  it('are none of a sound track, and none where a table lies', () => {
    expect(keyframeOffsets(moov({ kind: 'soun' }))).toEqual([]);
    expect(keyframeOffsets(moov({ sizes: full('stsz', 0, 2, 10, 20) }))).toEqual([]);
    expect(keyframeOffsets(moov({ sizes: full('free') }))).toEqual([]);
    expect(keyframeOffsets(moov({ more: box('mvex', Buffer.alloc(0)) }))).toEqual([]);
  });

  it('are every picture where none are listed, of codecs that have no others', () => {
    const none = Buffer.alloc(0);
    expect(hasOnlyKeyframes(moov({ keys: none, entry: 'apcn' }))).toBe(true);
    expect(keyframeOffsets(moov({ keys: none, entry: 'apcn' }))).toEqual([]);
    expect(hasOnlyKeyframes(moov({ keys: none }))).toBe(false);
    expect(hasOnlyKeyframes(moov({ entry: 'apcn' }))).toBe(false);
    expect(hasOnlyKeyframes(moov({ keys: none, entry: 'apcn', kind: 'soun' }))).toBe(false);
    const fragments = { more: box('mvex', none) };
    expect(hasOnlyKeyframes(moov({ keys: none, entry: 'apcn', ...fragments }))).toBe(false);
  });

  it('are not collected where there are millions', () => {
    const keys = Buffer.alloc(8 + 4 * 2_000_000);
    keys.writeUInt32BE(2_000_000, 4);
    for (let index = 0; index < 2_000_000; index++) keys.writeUInt32BE(index + 1, 8 + 4 * index);
    expect(keyframeOffsets(moov({ keys: box('stss', keys) }))).toEqual([]);
  });

  it('are numbers, or none, whatever the bytes are', () => {
    const whole = moov({ keys: Buffer.alloc(0), entry: 'apcn' });
    const listed = moov();
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.nat(whole.length - 1), fc.nat(255)), { maxLength: 8 }),
        fc.nat(whole.length),
        (changes, length) => {
          for (const each of [whole, listed]) {
            const bytes = Buffer.from(each.subarray(0, length));
            for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
            const offsets = keyframeOffsets(bytes);
            expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
            expect(hasOnlyKeyframes(bytes)).toBeTypeOf('boolean');
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

describe('reading ahead', () => {
  const KIB = 1024;
  const read = (ahead: ReadAhead, wanted: Span, on = true): number => {
    const to = ahead.to(wanted, on);
    ahead.brought([wanted[0], to]);
    return to - wanted[0];
  };

  it('doubles from 256 KiB up to 4 MiB for a reader who goes on', () => {
    const ahead = new ReadAhead([]);
    const steps: number[] = [];
    for (let at = 0; steps.length < 6; at += steps.at(-1) ?? 0) steps.push(read(ahead, [at, at + 100]));
    expect(steps.map((step) => step / KIB)).toEqual([256, 512, 1024, 2048, 4096, 4096]);
  });

  it('begins anew for a reader who jumps, and keeps two readers apart', () => {
    const ahead = new ReadAhead([]);
    const far = 1e9;
    expect(read(ahead, [0, 100]) / KIB).toBe(256);
    expect(read(ahead, [far, far + 100]) / KIB).toBe(256);
    expect(read(ahead, [256 * KIB, 256 * KIB + 100]) / KIB).toBe(512);
    expect(read(ahead, [far + 256 * KIB, far + 256 * KIB + 100]) / KIB).toBe(512);
  });

  it('gives one who looks around little, and always what is wanted', () => {
    const ahead = new ReadAhead([]);
    expect(read(ahead, [0, 100], false) / KIB).toBe(64);
    expect(read(ahead, [1e9, 1e9 + 5e6], false)).toBe(5e6);
  });

  it('reads more and more for one who jumps about for long', () => {
    const ahead = new ReadAhead([]);
    const steps = Array.from({ length: 300 }, (_, n) => read(ahead, [n * 1e9, n * 1e9 + 100], false) / KIB);
    expect(steps[15]).toBe(64);
    expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    expect(steps.at(-1)).toBe(4096);
  });

  it('ends with the group of pictures at first, and at a keyframe afterwards', () => {
    const ahead = new ReadAhead([0, 1e6, 2e6, 3e6, 4e6, 20e6]);
    expect(read(ahead, [1e6, 1e6 + 100])).toBe(1e6);
    expect(read(ahead, [2e6, 2e6 + 100])).toBe(2e6);
    expect(read(ahead, [4e6 + 50, 4e6 + 150])).toBeLessThanOrEqual(4096 * KIB);
    expect(read(new ReadAhead([0, 1e6]), [1e6 - 9000, 1e6])).toBe(16_384 * KIB);
  });
});
