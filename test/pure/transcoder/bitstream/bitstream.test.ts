import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { buildAvcc, parseAvcc } from '../../../../transcoder/bitstream/avcc.ts';
import { BitReader, BitWriter, stopBit } from '../../../../transcoder/bitstream/bits.ts';
import { H264Entrance, isOpenEntry } from '../../../../transcoder/bitstream/h264-entrance.ts';
import { OwnSets, withSets } from '../../../../transcoder/bitstream/h264-own-sets.ts';
import { movePps, parsePps, parseSps } from '../../../../transcoder/bitstream/h264-sets.ts';
import { parseSlice } from '../../../../transcoder/bitstream/h264-slice.ts';
import { spliceOf } from '../../../../transcoder/bitstream/h264-splice.ts';
import {
  addEmulation,
  joinLengths,
  removeEmulation,
  splitLengths,
  splitStartCodes,
} from '../../../../transcoder/bitstream/nal.ts';

import { recoveryPoint } from '../../../../transcoder/bitstream/refresh.ts';

/** Sets of x264: High 4.0, 1920 × 1080 with cropping, POC type 0, CABAC. */
const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
const spsNal = hex('67640028acd940780227e5c044000003000400000300f03c60c658');
const ppsNal = hex('68ebe3cb22c0');

const bytes = fc.uint8Array({ maxLength: 300 });
/** Bytes in which zeros and threes are frequent, as emulation prevention meets them. */
const sparse = fc
  .array(fc.oneof({ weight: 5, arbitrary: fc.constantFrom(0, 1, 2, 3) }, fc.integer({ min: 0, max: 255 })), {
    maxLength: 200,
  })
  .map((values) => Uint8Array.from(values));

/** What throws anything but a RangeError fails. */
function survives(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
  }
}

describe('bits', () => {
  it('are read as they were written', () => {
    const values = fc.array(fc.integer({ min: 0, max: 2 ** 32 - 2 }), { maxLength: 40 });
    fc.assert(
      fc.property(values, (list) => {
        const writer = new BitWriter(1);
        for (const value of list) writer.unsigned(value);
        const reader = new BitReader(writer.bytes());
        expect(list.map(() => reader.unsigned())).toEqual(list);
      }),
    );
  });

  it('move from any position to any other', () => {
    const position = fc.integer({ min: 0, max: 15 });
    fc.assert(
      fc.property(bytes, position, position, position, (source, from, ahead, short) => {
        const to = Math.max(from, source.length * 8 - short);
        if (from > source.length * 8) return;
        const writer = new BitWriter(1);
        writer.bits(0, ahead);
        writer.append(source, from, to);
        const [expected, found] = [new BitReader(source, from), new BitReader(writer.bytes(), ahead)];
        for (let at = from; at < to; at++) expect(found.bit()).toBe(expected.bit());
        expect(writer.position).toBe(ahead + to - from);
      }),
    );
  });

  it('read signed codes in the order of the standard', () => {
    const writer = new BitWriter();
    for (let code = 0; code < 5; code++) writer.unsigned(code);
    const reader = new BitReader(writer.bytes());
    expect(Array.from({ length: 5 }, () => reader.signed())).toEqual([0, 1, -1, 2, -2]);
  });

  it('end at the stop bit', () => {
    expect(stopBit(Uint8Array.of(0xff, 0x80))).toBe(8);
    expect(stopBit(Uint8Array.of(0xff, 0x01, 0, 0))).toBe(15);
    expect(() => stopBit(Uint8Array.of(0, 0))).toThrow(RangeError);
  });
});

describe('NAL units', () => {
  it('keep their payload through emulation prevention and hold no start code', () => {
    fc.assert(
      fc.property(sparse, (payload) => {
        const nal = addEmulation(payload);
        expect(removeEmulation(nal)).toEqual(payload);
        for (let at = 0; at + 2 < nal.length; at++) {
          expect(nal[at] === 0 && nal[at + 1] === 0 && (nal[at + 2] ?? 9) < 3).toBe(false);
        }
      }),
    );
  });

  it('are joined and split by lengths of 1, 2 and 4 bytes', () => {
    const nals = fc.array(fc.uint8Array({ minLength: 1, maxLength: 200 }), { maxLength: 5 });
    fc.assert(
      fc.property(nals, fc.constantFrom(1, 2, 4), (list, size) => {
        expect(splitLengths(joinLengths(list, size), size)).toEqual(list);
      }),
    );
    expect(() => joinLengths([new Uint8Array(256)], 1)).toThrow(RangeError);
  });

  it('are split at start codes of three and four bytes', () => {
    const stream = hex('00000001670102000001680300000001650405');
    expect(splitStartCodes(stream).map((nal) => Buffer.from(nal).toString('hex'))).toEqual([
      '670102',
      '6803',
      '650405',
    ]);
  });
});

describe('parameter sets', () => {
  it('tell what they hold', () => {
    expect(parseSps(spsNal)).toMatchObject({
      ...{ id: 0, profile: 100, level: 40, chromaFormat: 1, bitDepthLuma: 8, frameMbsOnly: true },
      ...{ widthMbs: 120, heightMapUnits: 68, pocType: 0, crop: [0, 0, 0, 4] },
    });
    expect(parsePps(ppsNal)).toMatchObject({ id: 0, spsId: 0, cabac: true, transform8x8: true });
  });

  it('survive the decoder configuration', () => {
    const avcc = {
      ...{ profile: 100, compatibility: 0, level: 40, lengthSize: 4 },
      ...{ sps: [spsNal], pps: [ppsNal, ppsNal], extension: hex('fdf8f800') },
    };
    expect(parseAvcc(buildAvcc(avcc))).toEqual(avcc);
  });

  it('qualify, or say why they do not', () => {
    const avcc = {
      ...{ profile: 100, compatibility: 0, level: 40, lengthSize: 4 },
      ...{ sps: [spsNal], pps: [ppsNal], extension: new Uint8Array() },
    };
    expect(spliceOf(avcc)).toMatchObject({ freePpsIds: { 0: 1, 254: 255 }, profile: 'high' });
    expect(spliceOf({ ...avcc, sps: [spsNal, spsNal] })).toEqual({ unfit: 'several_sps' });
    expect(spliceOf({ ...avcc, pps: [spsNal.subarray(0, 1)] })).toEqual({
      unfit: 'parameter_sets_unreadable',
    });
    const extended = Uint8Array.from(spsNal).fill(88, 1, 2);
    expect(spliceOf({ ...avcc, sps: [extended] })).toMatchObject({ unfit: expect.any(String) });
  });
});

describe('sets of an encoder beside those of a source', () => {
  const avcc = {
    ...{ profile: 100, compatibility: 0, level: 40, lengthSize: 4 },
    ...{ sps: [spsNal], pps: [ppsNal], extension: new Uint8Array() },
  };

  it('come behind them, each once', () => {
    const moved = movePps(ppsNal, 7, 0);
    const added = { sps: [], pps: [moved] };
    expect(withSets(avcc, [added, added, { sps: [spsNal], pps: [ppsNal] }])).toEqual({
      ...avcc,
      pps: [ppsNal, moved],
    });
  });

  it('are refused under an id that another set has', () => {
    const other = Uint8Array.from(spsNal).fill(50, 3, 4);
    expect(() => withSets(avcc, [{ sps: [other], pps: [] }])).toThrow(RangeError);
    expect(() => withSets(avcc, [{ sps: [], pps: [Uint8Array.from(ppsNal).fill(0xcf, 4, 5)] }])).toThrow(
      RangeError,
    );
  });

  it('are no pair where one of them is missing, or there are more', () => {
    expect(() => new OwnSets([spsNal])).toThrow(RangeError);
    expect(() => new OwnSets([spsNal, ppsNal, ppsNal])).toThrow(RangeError);
    expect(new OwnSets([spsNal, ppsNal]).added).toEqual({ sps: [spsNal], pps: [ppsNal] });
  });
});

describe('damaged input', () => {
  it('ends every parser with a RangeError at worst', () => {
    const [sps, pps] = [parseSps(spsNal), parsePps(ppsNal)];
    const open = { ...pps, weightedPrediction: true, weightedBipred: 1, redundantPictures: true };
    fc.assert(
      fc.property(bytes, (input) => {
        survives(() => parseAvcc(input));
        survives(() => spliceOf(parseAvcc(Uint8Array.of(1, ...input))));
        survives(() => parseSps(input));
        survives(() => parsePps(input));
        survives(() => splitLengths(input, 4));
        survives(() => splitStartCodes(input));
        for (const head of [0x65, 0x61, 0x01]) {
          survives(() => parseSlice(Uint8Array.of(head, ...input), { sps, pps }));
          survives(() => parseSlice(Uint8Array.of(head, ...input), { sps, pps: open }));
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('after an open entry ends its conversion with a RangeError at worst', () => {
    const splice = spliceOf({
      ...{ profile: 100, compatibility: 0, level: 40, lengthSize: 4 },
      ...{ sps: [spsNal], pps: [ppsNal], extension: new Uint8Array() },
    });
    if ('unfit' in splice) throw new Error(splice.unfit);
    const picture = fc.record({
      head: fc.constantFrom(0x61, 0x41, 0x01, 0x06),
      rest: bytes,
      leading: fc.boolean(),
    });
    /** first_mb 0, slice_type 7, pps_id 0, frame_num and pic_order_cnt_lsb of nothing but zeros. */
    const entry = Uint8Array.of(0x61, 0b1_0001000, 0b1_0000000, 0x80, 0x84, 0x21, 0xff);
    fc.assert(
      fc.property(fc.array(picture, { minLength: 1, maxLength: 5 }), (pictures) => {
        const entrance = new H264Entrance(splice, null);
        expect(entrance.packet(joinLengths([entry], 4), false)?.[4]).toBe(0x65);
        survives(() => {
          for (const { head, rest, leading } of pictures) {
            entrance.packet(joinLengths([Uint8Array.of(head, ...rest)], 4), leading);
          }
        });
        survives(() => recoveryPoint(pictures.map(({ rest }) => Uint8Array.of(6, ...rest))));
        expect(() =>
          isOpenEntry(
            pictures.map(({ head, rest }) => Uint8Array.of(head, ...rest)),
            splice,
          ),
        ).not.toThrow();
      }),
      { numRuns: 2000 },
    );
  });

  it('with single bits turned over reads as something or ends', () => {
    const at = (nal: Uint8Array) => fc.nat({ max: nal.length * 8 - 1 });
    fc.assert(
      fc.property(at(spsNal), at(ppsNal), (inSps, inPps) => {
        const turned = (nal: Uint8Array, bit: number) =>
          nal.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
        survives(() => parseSps(turned(spsNal, inSps)));
        survives(() => parsePps(turned(ppsNal, inPps)));
      }),
    );
  });
});
