import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { av1 } from '../../../../transcoder/bitstream/av1.ts';
import {
  av1Unit,
  buildAv1c,
  isAv1Key,
  parseAv1c,
  raisedAv1c,
  sequenceOf,
  splitObus,
} from '../../../../transcoder/bitstream/av1-obus.ts';
import { parseAv1Sequence } from '../../../../transcoder/bitstream/av1-sequence.ts';
import { vp9 } from '../../../../transcoder/bitstream/vp9.ts';
import { isVp9Unseen, vp9Frames, vp9Key } from '../../../../transcoder/bitstream/vp9-frames.ts';

const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
/** Configuration of SVT-AV1: ten bits, 320 × 180, BT.709. */
const av1c = hex('81004c000a0e000000043cfecc02f85010101040');
/** A key frame of libvpx, 320 × 180. */
const key = hex('824983420013f00b36043824');

/** What throws anything but a RangeError fails. */
function survives(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
  }
}

describe('AV1', () => {
  const obus = splitObus(parseAv1c(av1c).obus);
  const header = sequenceOf(obus);
  const sequence = header?.sequence ?? parseAv1Sequence(new Uint8Array());
  const frame = (bits: number) => splitObus(Uint8Array.of(0x32, 2, bits, 0));

  it('tells the format of a sequence', () => {
    expect(sequence).toMatchObject({
      ...{ profile: 0, level: 0, tier: 0, width: 320, height: 180, bitDepth: 10, monochrome: false },
      ...{ subsampling: [1, 1], color: [1, 1, 1], fullRange: false, still: false, operatingPoints: 1 },
    });
  });

  it('knows key frames that are shown at once', () => {
    expect(isAv1Key(frame(0b00010000), sequence)).toBe(true);
    expect(isAv1Key(frame(0b00000000), sequence)).toBe(false);
    expect(isAv1Key(frame(0b00110000), sequence)).toBe(false);
    expect(isAv1Key(frame(0b10010000), sequence)).toBe(false);
    expect(isAv1Key(obus, sequence)).toBe(false);
  });

  it('says the sequence header where it is missing, and only there', () => {
    const said = av1Unit(frame(0b00010000), header?.obu.bytes ?? null);
    expect(splitObus(said).map(({ type }) => type)).toEqual([1, 6]);
    expect(av1Unit(splitObus(said), header?.obu.bytes ?? null)).toEqual(said);
    expect(av1Unit(splitObus(hex('120032021000')), null)).toEqual(hex('32021000'));
  });

  it('survives the decoder configuration, whose level rises', () => {
    expect(buildAv1c(parseAv1c(av1c))).toEqual(av1c);
    const raised = raisedAv1c(parseAv1c(av1c), { ...sequence, level: 8, tier: 1 });
    expect(buildAv1c(raised)).toEqual(Uint8Array.of(0x81, 8, 0xcc, ...av1c.subarray(3)));
  });

  it('joins encoders of the same format, whose key frames say what they are', () => {
    const coded = av1.coded({ extradata: av1c, tag: 'av01' });
    if ('unfit' in coded) throw new Error(coded.unfit);
    const own = header?.obu.bytes ?? new Uint8Array();
    const { extradata, insertions, resumed, tag } = coded.join([{ from: 'encoder', extradata: own }]);
    expect([tag, extradata]).toEqual(['av01', av1c]);
    const place = insertions[0]?.stretch({ before: null, behind: null });
    const key = hex('32021000');
    for (const made of [place?.(key), resumed(null).packet(key, false)])
      expect(made).toEqual(Uint8Array.of(...own, ...key));
    expect(place?.(hex('120032023000'))).toEqual(hex('32023000'));
    expect(coded.entry(key)).toBe('closed');
    expect(coded.misfit(Uint8Array.of(...own, ...key))).toBeNull();
    const other = Uint8Array.from(own).fill(0x14, 7, 8);
    expect(coded.misfit(Uint8Array.of(...other, ...key))).toBe('parameter_sets_change');
    expect(() => coded.join([{ from: 'encoder', extradata: other }])).toThrow(RangeError);
  });

  it('is not joined without a configuration', () => {
    expect(av1.coded({ extradata: new Uint8Array(), tag: null })).toEqual({
      unfit: 'parameter_sets_unreadable',
    });
  });

  it('reads sizes of several bytes', () => {
    const unit = Uint8Array.of(0x32, 0x80 | 44, 2, ...new Uint8Array(300));
    expect(splitObus(unit).map(({ payload }) => payload.length)).toEqual([300]);
    expect(() => splitObus(unit.subarray(0, 200))).toThrow(RangeError);
  });

  it('ends damaged input with a RangeError at worst', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (input) => {
        survives(() => parseAv1Sequence(input));
        survives(() => splitObus(input));
        survives(() => parseAv1c(input));
        survives(() => av1.coded({ extradata: Uint8Array.of(0x81, ...input), tag: null }));
        survives(() => sequenceOf(splitObus(Uint8Array.of(0x0a, input.length, ...input))));
        survives(() => isAv1Key(splitObus(Uint8Array.of(0x30, ...input)), sequence));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('VP9', () => {
  it.each([
    ['a frame that is not shown', [0b1000_0100, 0], true],
    ['a key frame that is not shown', [0b1000_0000, 0], true],
    ['one of profile 3', [0b1011_0010, 0], true],
    ['a frame that is shown', [0b1000_0110, 0], false],
    ['a frame that is shown again', [0b1000_1000], false],
    ['bytes without the marker of a frame', [0b0100_0000, 0], false],
    ['no bytes', [], false],
  ])('%s is found: %s', (_, bytes, unseen) => {
    expect(isVp9Unseen(Uint8Array.from(bytes))).toBe(unseen);
  });

  /** Frames with the index of a superframe, their sizes in two bytes each. */
  const superframe = (frames: readonly Uint8Array[]) => {
    const marker = 0b11001000 | (frames.length - 1);
    const sizes = frames.flatMap(({ length }) => [length & 255, length >> 8]);
    return Uint8Array.from([...frames.flatMap((frame) => [...frame]), marker, ...sizes, marker]);
  };

  it('tells key frames and their format', () => {
    expect(vp9Key(key)).toEqual({
      ...{ profile: 0, bitDepth: 8, colorSpace: 0, fullRange: false, subsampling: [1, 1] },
      ...{ width: 320, height: 180 },
    });
    expect(vp9Key(Uint8Array.from(key).fill(0x86, 0, 1))).toBeNull();
    expect(vp9Key(Uint8Array.from(key).fill(0x80, 0, 1))).toBeNull();
    expect(vp9Key(Uint8Array.of(0x88))).toBeNull();
  });

  it('fits where every key frame is of the same format', () => {
    const coded = vp9.coded({ extradata: new Uint8Array(), tag: 'vp09' });
    if ('unfit' in coded) throw new Error(coded.unfit);
    expect([coded.misfit(key), coded.misfit(key)]).toEqual([null, null]);
    expect(coded.misfit(Uint8Array.from(key).fill(0x23, 6, 7))).toBe('parameter_sets_change');
    expect([coded.entry(key), coded.entry(Uint8Array.of(0x86))]).toEqual(['closed', null]);
  });

  it('takes superframes apart', () => {
    const frame = fc.uint8Array({ minLength: 1, maxLength: 300 });
    fc.assert(
      fc.property(fc.array(frame, { minLength: 1, maxLength: 8 }), (frames) => {
        expect(vp9Frames(superframe(frames))).toEqual(frames);
      }),
    );
    expect(vp9Key(superframe([key, Uint8Array.of(0x86)]))).toMatchObject({ width: 320 });
    expect(vp9Key(superframe([Uint8Array.of(0x86), key]))).toBeNull();
  });

  it('ends damaged input with a RangeError at worst', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.nat(255), (input, marker) => {
        survives(() => vp9Key(input));
        survives(() => vp9Key(Uint8Array.of(0x82, ...input)));
        survives(() => vp9Key(Uint8Array.of(...input, 0xc0 | marker)));
      }),
      { numRuns: 3000 },
    );
  });
});
