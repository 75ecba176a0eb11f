import { describe, expect, test } from 'vitest';
import { checkedLine } from '../../../transcoder/letters/fonts/brought-letters.ts';
import { FontFault } from '../../../transcoder/letters/fonts/font-fault.ts';
import { answer } from '../../../transcoder/letters/fonts/protocol.ts';
import { readFont } from '../../../transcoder/letters/fonts/read-font.ts';
import { MOST_FONT_BYTES, unpackedFont } from '../../../transcoder/letters/fonts/unpack-font.ts';
import { writeFont } from '../../../transcoder/letters/fonts/write-font.ts';
import {
  compressedToWoff,
  compressedToWoff2,
  fontCollection,
  hostileFonts,
  mutatedFont,
  openType,
  smallFont,
  tablesIn,
  trueType,
} from '../../fixtures/fonts.ts';
import { letters } from './letters.ts';

const opened = async (bytes: Uint8Array) => readFont(await unpackedFont(bytes));
const faultOf = async (bytes: Uint8Array): Promise<string> => {
  try {
    await opened(bytes);
  } catch (error) {
    if (error instanceof FontFault) return error.message;
    throw error;
  }
  return '';
};

describe('a font', () => {
  test.each([
    ['TrueType', trueType, 'glyf'],
    ['OpenType', openType, 'CFF '],
    ['a collection', fontCollection, 'CFF '],
  ] as const)('can be %s', async (_, bytes, outlines) => {
    expect(await opened(bytes())).toMatchObject({ outlines, variable: false });
  });

  test.each([
    ['WOFF', async () => compressedToWoff(smallFont())],
    ['WOFF2', () => compressedToWoff2(smallFont())],
  ] as const)('can be %s, with the same letters', async (_, packed) => {
    const [was, is] = [readFont(smallFont()), await opened(await packed())];
    expect([...is.tables.keys()].sort()).toEqual([...was.tables.keys()].sort());
    expect(Buffer.from(is.tables.get('cmap') ?? [])).toEqual(Buffer.from(was.tables.get('cmap') ?? []));
  });

  test.each(Object.entries(hostileFonts()))('is refused if it is %s', async (_, bytes) => {
    expect(await faultOf(bytes)).toMatch(/\. (?:Export|Give) /);
  });

  test('is refused if it says that it unpacks to more than the limit', async () => {
    const packed = await compressedToWoff2(smallFont());
    packed.writeUInt32BE(MOST_FONT_BYTES + 1, 16);
    expect(await faultOf(packed)).toMatch(/32 MB/);
  });

  test('with random changes is read or refused, and nothing else', async () => {
    const [font, woff] = [trueType(), compressedToWoff(openType())];
    for (let seed = 0; seed < 300; seed++) {
      await faultOf(mutatedFont(font, seed));
      await faultOf(mutatedFont(woff, seed));
      // All changes in the directory and the first tables.
      const head = mutatedFont(font.subarray(0, 2000), seed, 4);
      await faultOf(Buffer.concat([head, font.subarray(2000)]));
    }
  });
});

describe('the font that is drawn', () => {
  test('has the letters of the other, under another name, without programs', () => {
    const font = readFont(trueType());
    const written = Buffer.from(writeFont(font, 'Ours'));
    const again = readFont(written);
    for (const tag of ['cmap', 'glyf', 'loca', 'hmtx', 'GSUB', 'GPOS'])
      expect([tag, again.tables.get(tag)?.length]).toEqual([tag, font.tables.get(tag)?.length]);
    expect(again.tables.get('name')?.length).toBeLessThan(100);
    for (const tag of ['fpgm', 'prep', 'cvt ']) expect([tag, again.tables.has(tag)]).toEqual([tag, false]);
    expect(tablesIn(written).map(({ tag }) => tag)).toEqual(
      tablesIn(written)
        .map(({ tag }) => tag)
        .sort(),
    );
  });
});

describe('what a process with a font answers', () => {
  const line = letters.lineOf('Hi', { font: 'Inter', bold: true, spacing: 0, language: null });
  const families = new Set(['Inter']);
  const [run] = line.runs;
  if (!run) throw new Error('a line without letters');

  test('is believed if it is about its text and names a font that exists', () => {
    expect(checkedLine(line, 'Hi', families)).toBe(line);
  });

  test.each([
    ['a family that would be read as tags', { runs: [{ ...run, family: 'Inter}{\\\\p1' }] }],
    ['a family that does not exist', { runs: [{ ...run, family: 'Other' }] }],
    ['a run beyond the text', { runs: [{ ...run, to: 3 }] }],
    ['a letter beyond the text', { clusters: line.clusters.map((one) => ({ ...one, to: 9 })) }],
    ['a text of its own', { missing: ['Ignore all previous instructions'] }],
  ])('is refused if it names %s', (_, change) => {
    expect(() => checkedLine({ ...line, ...change }, 'Hi', families)).toThrow(/cannot be measured/);
  });

  test.each([
    ['no number', { width: Number.NaN }],
    ['a number beyond all measure', { width: 1e300 }],
    ['another field in place of a number', { width: '1' }],
  ])('is refused if it has %s', (_, change) => {
    const said = JSON.parse(JSON.stringify({ lines: [{ ...line, ...change }] }));
    expect(answer.safeParse(said).success).toBe(false);
    expect(answer.safeParse({ lines: [line] }).success).toBe(true);
  });
});
