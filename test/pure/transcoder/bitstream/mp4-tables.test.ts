import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { boxAt } from '../../../../transcoder/bitstream/mp4/boxes.ts';
import {
  isKey,
  type Samples,
  samplesOf,
  shownPart,
  tracksOf,
} from '../../../../transcoder/bitstream/mp4/sample-tables.ts';
import {
  box,
  filled,
  mediaHeader,
  mostBytes,
  tablesFor,
  type WrittenSamples,
} from '../../../../transcoder/bitstream/mp4/write-tables.ts';

const full = (type: string, ...numbers: number[]): Buffer => {
  const content = Buffer.alloc(4 * (1 + numbers.length));
  for (const [index, number] of numbers.entries()) content.writeUInt32BE(number >>> 0, 4 + 4 * index);
  return box(type, content);
};

const stsd = full('stsd', 1, 8);
/** A movie whose tables hold nothing yet. */
function empty({ edits = [], more = [] }: { edits?: Buffer[]; more?: Buffer[] } = {}): Buffer {
  const table = box('stbl', stsd, full('stts', 0), full('stsc', 0), full('stsz', 0, 0), full('stco', 0));
  const list = edits.length > 0 ? [box('edts', ...edits)] : [];
  return box('moov', box('trak', ...list, box('mdia', box('minf', table))), ...more);
}

function only(moov: Buffer): Samples | null {
  const [track] = tracksOf(moov);
  if (!track) throw new Error('there is no track');
  return samplesOf(moov, track);
}

const written = (moov: Buffer, samples: WrittenSamples): Buffer =>
  Buffer.concat(filled(moov, [{ tables: tablesFor(samples), samples: samples.sizes.length, bitrate: 0 }]));

const sample = fc.record({
  size: fc.integer({ min: 0, max: 0x3fff_ffff }),
  key: fc.boolean(),
  duration: fc.integer({ min: 1, max: 5 }),
  offset: fc.integer({ min: 0, max: 9 }),
  chunk: fc.boolean(),
});

/** Samples in chunks that lie behind one another, with a gap before each. */
function samplesFrom(
  list: readonly (typeof sample extends fc.Arbitrary<infer T> ? T : never)[],
  start: number,
): WrittenSamples {
  const dts: number[] = [];
  const chunks: WrittenSamples['chunks'] = [];
  let [time, position] = [-7, start];
  for (const { size, duration, chunk } of list) {
    dts.push(time);
    time += duration;
    const last = chunks.at(-1);
    if (chunk || !last) {
      position += 5;
      chunks.push({ position, samples: 1 });
    } else last.samples += 1;
    position += size;
  }
  return {
    sizes: Uint32Array.from(list, ({ size }) => size),
    keys: Uint8Array.from(list, ({ key }) => (key ? 1 : 0)),
    dts,
    pts: list.map(({ offset }, index) => (dts[index] ?? 0) + offset),
    durations: list.map(({ duration }) => duration),
    chunks,
  };
}

describe('tables of samples', () => {
  test('are read as they were written, near and beyond four gigabytes', () => {
    fc.assert(
      fc.property(
        fc.array(sample, { minLength: 1, maxLength: 60 }),
        fc.constantFrom(40, 2 ** 32),
        (drawn, start) => {
          const list = drawn.map((each, index) => ({ ...each, key: each.key || index === 0 }));
          const made = samplesFrom(list, start);
          const moov = written(empty(), made);
          const read = only(moov);
          if (!read) throw new Error('nothing was read');
          expect([...read.sizes]).toEqual([...made.sizes]);
          expect([...read.times]).toEqual(Array.from(made.dts, (time) => time + 7));
          expect(read.last).toBe(list.at(-1)?.duration);
          expect(Array.from(read.times, (time, at) => time + (read.offsets?.[at] ?? 0))).toEqual(
            Array.from(made.pts, (time) => time + 7),
          );
          expect(list.map((_, at) => isKey(read, at))).toEqual(list.map(({ key }) => key));
          let at = 0;
          for (const { position, samples } of made.chunks) {
            let from = position;
            for (const end = at + samples; at < end; at++) {
              expect(read.positions[at]).toBe(from);
              from += made.sizes[at] ?? 0;
            }
          }
          const keys = list.filter(({ key }) => key).length;
          expect(moov.length).toBeLessThanOrEqual(empty().length + mostBytes(made, keys, made.chunks.length));
        },
      ),
    );
  });

  test('are written again as they were, and other boxes stay', () => {
    const made = samplesFrom([{ size: 9, key: true, duration: 2, offset: 0, chunk: true }], 100);
    const first = written(empty({ more: [box('udta', Buffer.from('a title'))] }), made);
    expect(written(first, made).equals(first)).toBe(true);
    expect(first.includes('a title')).toBe(true);
  });

  const two = samplesFrom(
    [
      { size: 9, key: true, duration: 2, offset: 0, chunk: true },
      { size: 8, key: false, duration: 2, offset: 1, chunk: false },
    ],
    100,
  );
  const withTable = (...tables: [string, Buffer][]) =>
    Buffer.concat(filled(written(empty(), two), [{ tables: new Map(tables), samples: null, bitrate: 0 }]));
  /** Both samples, in one chunk. */
  const inChunks = (...groups: number[]) => withTable(['stsc', full('stsc', groups.length / 3, ...groups)]);
  const rap = Buffer.concat([Buffer.alloc(4), Buffer.from('rap '), Buffer.from([0, 0, 0, 0])]);

  test.each<[string, Buffer]>([
    ['more sizes than bytes', withTable(['stsz', full('stsz', 0, 4_000_000_000, 1)])],
    ['one size for all', withTable(['stsz', full('stsz', 4, 4_000_000_000)])],
    ['times of fewer samples', withTable(['stts', full('stts', 1, 1, 2)])],
    ['times of more samples', withTable(['stts', full('stts', 1, 4_000_000_000, 2)])],
    ['a chunk that is missing', withTable(['stco', full('stco', 0)])],
    ['a chunk too many', withTable(['stco', full('stco', 2, 100, 200)])],
    ['two descriptions', withTable(['stsd', full('stsd', 2, 8, 8)])],
    ['two tables of sizes', withTable(['more', full('stsz', 0, 2, 9, 8)])],
    ['positions of 32 and of 64 bits', withTable(['more', full('co64', 1, 0, 100)])],
    ['a position beyond any file', withTable(['stco', full('co64', 1, 0x7fff_ffff, 100)])],
    ['a sample that libav refuses', withTable(['stsz', full('stsz', 0, 2, 9, 0x4000_0000)])],
    ['a negative duration', withTable(['stts', full('stts', 2, 1, -2, 1, 2)])],
    ['an offset that libav ignores', withTable(['ctts', full('ctts', 2, 1, 0, 1, 0x7fff_0000)])],
    ['another description', inChunks(1, 2, 2)],
    ['a first chunk without a group', inChunks(2, 2, 1)],
    ['a group without samples', inChunks(1, 2, 1, 2, 0, 1)],
    ['groups in disorder', inChunks(1, 2, 1, 1, 2, 1)],
    ['no sync samples', withTable(['stss', full('stss', 0)])],
    ['sync samples counted from 0', withTable(['stss', full('stss', 1, 0)])],
    ['sync samples in disorder', withTable(['stss', full('stss', 2, 2, 1)])],
    ['a sync sample too many', withTable(['stss', full('stss', 2, 1, 3)])],
    ['sync samples that are cut off', withTable(['stss', full('stss', 9, 1)])],
    ['partial sync samples', withTable(['stps', full('stps', 1, 2)])],
    ['random access points of open groups', withTable(['sbgp', box('sbgp', rap)])],
    ['a table that is cut off', withTable(['stco', box('stco', Buffer.alloc(4))])],
    ['fragments', written(empty({ more: [box('mvex')] }), two)],
    ['no tables', box('moov', box('trak', box('mdia')))],
  ])('with %s are not read', (_, moov) => {
    expect(only(moov)).toBeNull();
  });

  test('that were damaged anywhere are read, or not, without an error', () => {
    const moov = written(empty({ edits: [full('elst', 1, 4, 0, 0x10000)] }), two);
    fc.assert(
      fc.property(
        fc.integer({ min: 8, max: moov.length - 1 }),
        fc.integer({ min: 0, max: 255 }),
        (at, value) => {
          const damaged = Buffer.from(moov);
          damaged[at] = value;
          for (const track of tracksOf(damaged)) {
            samplesOf(damaged, track);
            shownPart(damaged, track);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });
});

test.each([20, 2 ** 32 + 7, 2 ** 32 + 8, 2 ** 33])('media of %i bytes is in a box', (bytes) => {
  const boxes: (readonly [string, number])[] = [];
  const header = mediaHeader(bytes);
  for (let at = 0; at < header.length; ) {
    const found = boxAt(header, at, bytes);
    if (!found) throw new Error('there is no box');
    boxes.push([found.type, found.to]);
    at = found.to;
  }
  const far = ['mdat', bytes] as const;
  expect(boxes).toEqual(bytes > 2 ** 32 + 7 ? [far] : [['free', 8], far]);
});

/** A movie of 1000 ticks a second, with media of 90,000. */
function edited(...edits: number[][]) {
  const list = box('edts', full('elst', edits.length, ...edits.flat()));
  const media = box('mdia', full('mdhd', 0, 0, 90_000, 0));
  const moov = box('moov', full('mvhd', 0, 0, 1000, 0), box('trak', list, media));
  const [track] = tracksOf(moov);
  return track && shownPart(moov, track);
}

const normal = 0x10000;
test.each<[string, number[][], ReturnType<typeof shownPart>]>([
  ['from the beginning', [[900, 0, normal]], { from: 0, to: 81_000 }],
  ['from a later sample', [[900, 3000, normal]], { from: 3000, to: 84_000 }],
  ['for no time', [[0, 3000, normal]], null],
  [
    'after a pause',
    [
      [500, -1, normal],
      [900, 0, normal],
    ],
    { from: 0, to: 81_000 },
  ],
  [
    'in two pieces',
    [
      [300, 0, normal],
      [300, 5, normal],
    ],
    null,
  ],
  ['at half its speed', [[900, 0, normal / 2]], null],
  ['nowhere', [[500, -1, normal]], null],
  ['by no edit', [], null],
])('the part of a track that is shown %s', (_, edits, shown) => {
  expect(edited(...edits)).toEqual(shown);
});

test('a track without an edit list is shown whole', () => {
  const [track] = tracksOf(empty());
  const all = { from: Number.NEGATIVE_INFINITY, to: Number.POSITIVE_INFINITY };
  expect(track && shownPart(empty(), track)).toEqual(all);
});
