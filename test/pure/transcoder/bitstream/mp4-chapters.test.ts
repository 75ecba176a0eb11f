import { describe, expect, test } from 'vitest';
import { boxesIn } from '../../../../transcoder/bitstream/mp4/boxes.ts';
import { withChapterTrack } from '../../../../transcoder/bitstream/mp4/chapter-track.ts';
import { indexForFront } from '../../../../transcoder/bitstream/mp4/front-index.ts';
import {
  childOf,
  insideOf,
  samplesOf,
  tracksOf,
} from '../../../../transcoder/bitstream/mp4/sample-tables.ts';
import { box, chunkTables } from '../../../../transcoder/bitstream/mp4/write-tables.ts';

function words(...numbers: number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32BE(number >>> 0, 4 * index);
  return bytes;
}

/** A movie of 48,000 ticks per second with one track, whose chunks of one sample are at these positions. */
function movie(positions: readonly number[], more: Buffer[] = []): Buffer {
  const { length } = positions;
  const chunks = chunkTables(positions.map((position) => ({ position, samples: 1 })));
  const table = box(
    'stbl',
    box('stsd', words(0, 1, 8)),
    box('stts', words(0, 1, length, 10)),
    ...chunks.flatMap(([, each]) => each ?? []),
    box('stsz', words(0, 0, length, ...positions.map(() => 7))),
  );
  const header = box('mvhd', words(0, 0, 0, 48_000, 0, ...Array(19).fill(0), 2));
  return box('moov', header, box('trak', box('mdia', box('minf', table))), ...more);
}

const rootOf = (moov: Buffer) => boxesIn(moov, 0, moov.length).next().value ?? null;
const trackAt = (moov: Buffer, index: number) => {
  const track = tracksOf(moov)[index];
  if (!track) throw new Error('there is no such track');
  return track;
};

const chapters = [
  { start: 0, end: 2.5, title: 'One' },
  { start: 2.5, end: 10, title: 'Größe' },
];

describe('chapters in an index', () => {
  test('are a text track with a title for each, to which the others refer', () => {
    const { moov, titles, samples } = withChapterTrack(movie([100]), chapters, 5000);
    expect(samples).toBe(2);
    const track = trackAt(moov, 1);
    const found = samplesOf(moov, track);
    expect([...(found?.positions ?? [])]).toEqual([5000, 5000 + 2 + 3 + 12]);
    expect([...(found?.times ?? [])]).toEqual([0, 2500]);
    expect(found?.last).toBe(7500);
    const second = titles.subarray(2 + 3 + 12);
    expect(second.readUInt16BE(0)).toBe(Buffer.byteLength('Größe'));
    expect(second.toString('utf8', 2, 2 + second.readUInt16BE(0))).toBe('Größe');
    const reference = insideOf(moov, trackAt(moov, 0), 'tref', 'chap');
    const header = childOf(moov, track, 'tkhd');
    const id = moov.readUInt32BE((header?.body ?? 0) + 12);
    expect(moov.readUInt32BE(reference?.body ?? 0)).toBe(id);
    const next = childOf(moov, rootOf(moov), 'mvhd');
    expect(moov.readUInt32BE((next?.to ?? 0) - 4)).toBe(id + 1);
  });

  test('are shown for as many ticks of the movie as they last, even if these need more than 32 bits', () => {
    for (const seconds of [10, 100_000]) {
      const { moov } = withChapterTrack(movie([1]), [{ start: 0, end: seconds, title: '' }], 9);
      const edit = insideOf(moov, trackAt(moov, 1), 'edts', 'elst');
      const at = edit?.body ?? 0;
      const shown = moov[at] === 1 ? Number(moov.readBigUInt64BE(at + 8)) : moov.readUInt32BE(at + 8);
      expect(shown).toBe(seconds * 48_000);
    }
  });

  test('join what is said of the file, 255 of them at most', () => {
    const many = Array.from({ length: 300 }, (_, at) => ({ start: at, end: at + 1, title: 'é'.repeat(200) }));
    const said = box('udta', box('meta', words(1, 2, 3)));
    const { moov, samples } = withChapterTrack(movie([1], [said]), many, 9);
    expect(samples).toBe(300);
    const all = [...boxesIn(moov, rootOf(moov)?.body ?? 0, moov.length)].filter(
      ({ type }) => type === 'udta',
    );
    expect(all).toHaveLength(1);
    const [listed = null] = all;
    expect(childOf(moov, listed, 'meta')).not.toBeNull();
    const list = childOf(moov, listed, 'chpl');
    expect(moov[(list?.body ?? 0) + 8]).toBe(255);
    // A title is not cut off within a letter.
    expect(moov[(list?.body ?? 0) + 9 + 8]).toBe(254);
  });
});

describe('an index that is moved to the front', () => {
  test.each([
    ['near', [100, 2000]],
    ['up to which 32 bits are enough', [100, 0xffff_ff00]],
    ['beyond 4 GiB', [100, 2 ** 33]],
  ])('finds chunks that are %s where they are then', (_, positions) => {
    const moov = movie(positions);
    const moved = indexForFront(moov);
    const found = samplesOf(moved, trackAt(moved, 0));
    expect([...(found?.positions ?? [])]).toEqual(positions.map((position) => position + moved.length));
  });
});
