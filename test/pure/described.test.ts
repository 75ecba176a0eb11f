import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainAac } from '../../transcoder/bitstream/aac-config.ts';
import { BitWriter } from '../../transcoder/bitstream/bits.ts';
import { parseSps } from '../../transcoder/bitstream/h264-sets.ts';
import { parseVui } from '../../transcoder/bitstream/h264-vui.ts';
import { addEmulation, removeEmulation } from '../../transcoder/bitstream/nal.ts';

/** Of x264: High 4.0, 1920 × 1080, with usability information. */
const spsNal = Uint8Array.from(Buffer.from('67640028acd940780227e5c044000003000400000300f03c60c658', 'hex'));
const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));

/** The same set with other usability information, or none. */
function withVui(write: ((writer: BitWriter) => void) | null): Uint8Array {
  const rbsp = removeEmulation(spsNal);
  const writer = new BitWriter();
  writer.append(rbsp, 0, (parseSps(spsNal).vuiAt ?? 0) - 1);
  writer.flag(write !== null);
  write?.(writer);
  writer.flag(true);
  writer.align(0);
  return addEmulation(writer.bytes());
}

const vuiOf = (nal: Uint8Array) => parseVui(nal, parseSps(nal));
const nothing = {
  ...{ shape: null, fullRange: null, color: null, chromaPosition: null, reorder: null },
  repeats: false,
};

/** What all flags of the information say, where none of them is set. */
const flags = (writer: BitWriter, count: number) => writer.bits(0, count);

describe('usability information of H.264', () => {
  it('is read from a set of x264', () => {
    expect(vuiOf(spsNal)).toEqual({ ...nothing, shape: [1, 1], reorder: 2 });
  });

  it('is null where a set has none, and says nothing where all of it is left out', () => {
    expect(vuiOf(withVui(null))).toBeNull();
    expect(vuiOf(withVui((writer) => flags(writer, 9)))).toEqual(nothing);
  });

  it('tells the shape of samples by number and at length', () => {
    const shaped = (write: (writer: BitWriter) => void) =>
      vuiOf(
        withVui((writer) => {
          writer.flag(true);
          write(writer);
          flags(writer, 8);
        }),
      )?.shape;
    expect(shaped((writer) => writer.bits(2, 8))).toEqual([12, 11]);
    expect(shaped((writer) => writer.bits(16, 8))).toEqual([2, 1]);
    expect(shaped((writer) => writer.bits(17, 8))).toBeNull();
    expect(shaped((writer) => writer.bits(0, 8))).toBeNull();
    expect(
      shaped((writer) => {
        writer.bits(255, 8);
        writer.bits(64_001, 16);
        writer.bits(500, 16);
      }),
    ).toEqual([64_001, 500]);
  });

  it('is read behind all that may stand between', () => {
    const model = (writer: BitWriter, count: number) => {
      writer.unsigned(count - 1);
      writer.bits(0x35, 8);
      for (let index = 0; index < count; index++) {
        writer.unsigned(1000 + index);
        writer.unsigned(70_000);
        writer.flag(true);
      }
      writer.bits(0xfffff, 20);
    };
    const nal = withVui((writer) => {
      writer.bits(0b0_11, 3);
      writer.bits(0b1_010_1_1, 6);
      for (const code of [9, 16, 10]) writer.bits(code, 8);
      writer.flag(true);
      writer.unsigned(3);
      writer.unsigned(4);
      writer.flag(true);
      writer.bits(1001, 32);
      writer.bits(60_000, 32);
      writer.flag(true);
      writer.flag(true);
      model(writer, 2);
      writer.flag(true);
      model(writer, 1);
      writer.bits(0b1_1, 2);
      writer.bits(0b1_1, 2);
      for (const value of [0, 0, 12, 12, 5, 7]) writer.unsigned(value);
    });
    expect(vuiOf(nal)).toEqual({
      ...{ shape: null, fullRange: true, color: [9, 16, 10], chromaPosition: 3, reorder: 5 },
      repeats: true,
    });
  });

  it('ends with a RangeError at worst where it is damaged', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat({ max: 80 }), (bytes, vuiAt) => {
        try {
          parseVui(bytes, { vuiAt });
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: 3000 },
    );
  });
});

describe('the configuration of AAC', () => {
  it.each([
    ['AAC-LC at 48 kHz that leaves open what follows', '1190', true],
    ['AAC-LC at 44.1 kHz', '1210', true],
    ['a word that there is no band replication', '119056e500', true],
    ['a low rate with that word', '131056e500', true],
    ['a low rate without it: it may be there all the same', '1310', false],
    ['band replication announced in the extension', '131056e598', false],
    ['band replication announced as the type', '2b098800', false],
    ['AAC Main', '0990', false],
    ['channels described at length', '1180', false],
  ])('%s', (_, config, plain) => {
    expect(isPlainAac(hex(config))).toBe(plain);
  });

  it('ends with a RangeError at worst where it is damaged', () => {
    expect(() => isPlainAac(hex('11'))).toThrow(RangeError);
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), (bytes) => {
        try {
          isPlainAac(bytes);
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
      { numRuns: 2000 },
    );
  });
});
