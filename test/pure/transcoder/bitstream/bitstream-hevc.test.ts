import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hevc } from '../../../../transcoder/bitstream/hevc.ts';
import { type HevcPps, parseHevcPps } from '../../../../transcoder/bitstream/hevc-pps.ts';
import { parseVps, renumber } from '../../../../transcoder/bitstream/hevc-sets.ts';
import {
  asEntry,
  hevcPpsIdOf,
  moveHevcSlice,
  parseHevcSlice,
} from '../../../../transcoder/bitstream/hevc-slice.ts';
import {
  enteredUnit,
  HevcSplicer,
  hevcEntry,
  hevcSpliceOf,
  hevcUnitUnfit,
} from '../../../../transcoder/bitstream/hevc-splice.ts';
import { parseHevcSps } from '../../../../transcoder/bitstream/hevc-sps.ts';
import { buildHvcc, type Hvcc, parseHvcc } from '../../../../transcoder/bitstream/hvcc.ts';
import { joinLengths, splitLengths } from '../../../../transcoder/bitstream/nal.ts';

/** Sets and slice headers of x265: Main 10, level 4, 1920 × 1080 with cropping, wavefronts. */
const hex = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
const vpsNal = hex('40010c01ffff022000000300900000030000030078959809');
const spsNal = hex(
  '420101022000000300900000030000030078a003c08010e4d96566924caf016a02020208000003000800000300f040',
);
const ppsNal = hex('4401c172b46240');
const idrNal = hex(
  '2801af0842234af844816512907e424510c0b6c486019694739ba0bcc7872807e063ffff372b7fffffebcb6b',
);
const pNal = hex(
  '0201d011578431840111a21413004c013c04004486ec30e332013a422493259925a84002501778be1dd33d82d02fffcb',
);

const hvcc: Hvcc = {
  ...{ profileSpace: 0, tier: 0, profile: 2, compatibility: 0x20000000, level: 120 },
  ...{ constraints: hex('900000000000'), format: hex('f000fcfdfafa0000'), layers: 3, lengthSize: 4 },
  arrays: [
    { complete: true, type: 32, nals: [vpsNal] },
    { complete: true, type: 33, nals: [spsNal] },
    { complete: true, type: 34, nals: [ppsNal] },
    { complete: false, type: 39, nals: [hex('4e0189')] },
  ],
};
const sets = { sps: parseHevcSps(spsNal), pps: parseHevcPps(ppsNal) };
const splice = () => {
  const found = hevcSpliceOf(hvcc);
  if ('unfit' in found) throw new Error(found.unfit);
  return found;
};

const bytes = fc.uint8Array({ maxLength: 300 });

/** What throws anything but a RangeError fails. */
function survives(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(RangeError);
  }
}

describe('parameter sets of HEVC', () => {
  it('tell what they hold', () => {
    expect(parseVps(vpsNal)).toEqual({ id: 0, layers: 1 });
    expect(sets.sps).toMatchObject({
      ...{
        id: 0,
        vpsId: 0,
        width: 1920,
        height: 1080,
        chromaFormat: 1,
        bitDepthLuma: 10,
        bitDepthChroma: 10,
      },
      ...{ blocks: 510, pocLsbBits: 8, longTerm: null, temporalMotion: true, fields: false },
      general: { tier: 0, profile: 2, compatibility: 0x20000000, level: 120 },
    });
    expect(sets.pps).toMatchObject({ id: 0, spsId: 0, entryPoints: true, weightedPrediction: true });
  });

  it('get other ids and nothing else', () => {
    const ids = fc.record({ vps: fc.nat(15), sps: fc.nat(15), pps: fc.nat(63) });
    fc.assert(
      fc.property(ids, (wanted) => {
        const [vps, sps, pps] = [vpsNal, spsNal, ppsNal].map((nal) => renumber(nal, wanted));
        if (!vps || !sps || !pps) throw new Error('a set is missing');
        expect(parseVps(vps).id).toBe(wanted.vps);
        const { idAt, ...rest } = sets.sps;
        expect(parseHevcSps(sps)).toMatchObject({ ...rest, id: wanted.sps, vpsId: wanted.vps });
        const { rest: _, ...fields } = sets.pps;
        expect(parseHevcPps(pps)).toMatchObject({ ...fields, id: wanted.pps, spsId: wanted.sps });
        const none = { vps: 0, sps: 0, pps: 0 };
        expect([vps, sps, pps].map((nal) => renumber(nal, none))).toEqual([vpsNal, spsNal, ppsNal]);
        expect(idAt[1]).toBeGreaterThan(idAt[0]);
      }),
    );
  });

  it('survive the decoder configuration', () => {
    expect(parseHvcc(buildHvcc(hvcc))).toEqual(hvcc);
  });

  it('qualify, or say why they do not', () => {
    expect(splice()).toMatchObject({ profile: 'main10' });
    expect(splice().free.slice(0, 2)).toEqual([
      { vps: 1, sps: 1, pps: 1 },
      { vps: 2, sps: 2, pps: 2 },
    ]);
    const other = (type: number, nals: Uint8Array[]) =>
      hevcSpliceOf({ ...hvcc, arrays: hvcc.arrays.map((a) => (a.type === type ? { ...a, nals } : a)) });
    expect(other(33, [spsNal, spsNal])).toEqual({ unfit: 'several_sps' });
    expect(other(33, [])).toEqual({ unfit: 'parameter_sets_in_band' });
    expect(other(34, [ppsNal.subarray(0, 3)])).toEqual({ unfit: 'parameter_sets_unreadable' });
    expect(other(32, [hex('40010c1fffff')])).toEqual({ unfit: 'several_layers' });
    const extended = Uint8Array.from(spsNal).fill(4, 3, 4);
    expect(other(33, [extended])).toEqual({ unfit: 'profile' });
  });
});

describe('access units of HEVC', () => {
  const cra = Uint8Array.from(idrNal).fill(21 << 1, 0, 1);

  it('are entered at IDR, CRA and BLA pictures', () => {
    const of = (type: number) => hevcEntry([hex('4e0189'), Uint8Array.from(idrNal).fill(type << 1, 0, 1)]);
    expect([20, 18].map(of)).toEqual(['closed', 'closed']);
    expect([19, 21, 16, 17].map(of)).toEqual(['open', 'open', 'open', 'open']);
    expect([0, 1, 8, 9, 22].map(of)).toEqual([null, null, null, null, null]);
  });

  it('begin a copied run with parameter sets, a CRA picture as one of a broken link', () => {
    const unit = [hex('460110'), spsNal, hex('4e0189'), cra];
    const entered = enteredUnit(unit, splice());
    expect(entered.slice(0, -1)).toEqual([hex('460110'), vpsNal, spsNal, ppsNal, hex('4e0189')]);
    expect(entered.at(-1)).toEqual(Uint8Array.from(cra).fill(18 << 1, 0, 1));
  });

  it('say why they cannot be copied', () => {
    expect(hevcUnitUnfit([vpsNal, spsNal, ppsNal, idrNal], hvcc)).toBeNull();
    expect(hevcUnitUnfit([idrNal, hex('7c0100')], hvcc)).toBe('dolby_vision');
    expect(hevcUnitUnfit([renumber(ppsNal, { vps: 0, sps: 0, pps: 1 })], hvcc)).toBe('parameter_sets_change');
    expect(hevcUnitUnfit([hex('280900')], hvcc)).toBe('several_layers');
  });

  it('of encoders move to ids of their own, with their sets and HDR10 metadata at each random access point', () => {
    const coded = hevc.coded({ extradata: buildHvcc(hvcc), tag: 'hvc1' });
    if ('unfit' in coded) throw new Error(coded.unfit);
    const startCodes = (nals: Uint8Array[]) => Uint8Array.from(nals.flatMap((nal) => [0, 0, 0, 1, ...nal]));
    // Active parameter sets, which name the ids that the encoder chose, and a light level.
    const messages = [hex('4e018101ff80'), hex('4e01900403e8019080')];
    const encoder = {
      from: 'encoder',
      extradata: startCodes([vpsNal, spsNal, ppsNal, ...messages]),
    } as const;
    const file = { from: 'file', extradata: buildHvcc({ ...hvcc, level: 93 }) } as const;
    const { extradata, insertions, resumed, tag } = coded.join([encoder, file, encoder]);
    expect(tag).toBe('hvc1');
    const numbered = (id: number) =>
      [vpsNal, spsNal, ppsNal].map((nal) => renumber(nal, { vps: id, sps: id, pps: id }));
    expect(parseHvcc(extradata).arrays.map(({ nals }) => nals)).toEqual([
      ...[0, 1, 2].map((index) => [0, 1, 2].map((id) => numbered(id)[index])),
      [hex('4e0189')],
    ]);
    const made = (which: number, packet: Uint8Array) => {
      const place = insertions[which]?.stretch({ before: null, behind: null });
      return splitLengths(place?.(packet) ?? new Uint8Array(), 4);
    };
    for (const [which, id, metadata, idr, p] of [
      [0, 1, messages[1], startCodes([idrNal]), startCodes([pNal])],
      [1, 2, hex('4e0189'), joinLengths([idrNal], 4), joinLengths([pNal], 4)],
      [2, 1, messages[1], startCodes([idrNal]), startCodes([pNal])],
    ] as const) {
      expect(made(which, idr).slice(0, 4)).toEqual([...numbered(id), metadata]);
      expect(made(which, idr).slice(4).map(hevcPpsIdOf)).toEqual([id]);
      expect(made(which, p).map(hevcPpsIdOf)).toEqual([id]);
    }
    const back = splitLengths(resumed(null).packet(joinLengths([cra], 4), false) ?? new Uint8Array(), 4);
    expect(back.slice(0, 3)).toEqual([vpsNal, spsNal, ppsNal]);
  });

  it('are not joined with those of another bit depth', () => {
    const eight = { ...splice(), sps: { ...sets.sps, bitDepthLuma: 8 } };
    const ids = { vps: 1, sps: 1, pps: 1 };
    expect(() => new HevcSplicer(eight, [vpsNal, spsNal, ppsNal], ids)).toThrow(RangeError);
  });
});

describe('slices of HEVC', () => {
  it('come back from any other parameter set', () => {
    fc.assert(
      fc.property(fc.constantFrom(idrNal, pNal), fc.nat(63), (nal, id) => {
        const moved = moveHevcSlice(parseHevcSlice(nal, sets), id);
        expect(parseHevcSlice(moved, sets).ppsId).toBe(id);
        expect(moveHevcSlice(parseHevcSlice(moved, sets), 0)).toEqual(nal);
      }),
    );
  });
});

describe('damaged input', () => {
  const flags = fc.record({
    ...{
      dependentSlices: fc.boolean(),
      outputFlag: fc.boolean(),
      extraBits: fc.nat(7),
      cabacInit: fc.boolean(),
    },
    ...{ chromaOffsets: fc.boolean(), weightedPrediction: fc.boolean(), weightedBipred: fc.boolean() },
    ...{ entryPoints: fc.boolean(), deblockingOverride: fc.boolean(), listModification: fc.boolean() },
    ...{ headerExtension: fc.boolean(), chromaOffsetLists: fc.boolean() },
  });

  it('ends every parser with a RangeError at worst', () => {
    fc.assert(
      fc.property(bytes, flags, fc.nat(40), (input, changed, type) => {
        const nal = Uint8Array.of(type << 1, 1, ...input);
        const pps: HevcPps = { ...sets.pps, ...changed };
        survives(() => parseHvcc(input));
        survives(() => hevcSpliceOf(parseHvcc(Uint8Array.of(1, ...input))));
        survives(() => parseVps(input));
        survives(() => hevc.coded({ extradata: Uint8Array.of(1, ...input), tag: null }));
        survives(() => parseHevcSps(nal));
        survives(() => parseHevcPps(nal));
        survives(() => renumber(nal, { vps: 1, sps: 2, pps: 3 }));
        survives(() => hevcPpsIdOf(nal));
        survives(() => moveHevcSlice(parseHevcSlice(nal, { ...sets, pps }), 5));
        survives(() => hevcUnitUnfit([input, nal], hvcc));
        survives(() => asEntry(input));
        survives(() => enteredUnit([input, nal], splice()));
        survives(() => new HevcSplicer(splice(), [vpsNal, nal, ppsNal], { vps: 1, sps: 1, pps: 1 }));
      }),
      { numRuns: 3000 },
    );
  });

  it('with single bits turned over reads as something or ends', () => {
    fc.assert(
      fc.property(fc.constantFrom(vpsNal, spsNal, ppsNal, idrNal, pNal), fc.nat(), (nal, bit) => {
        const at = bit % (nal.length * 8);
        const turned = nal.map((byte, index) => (index === at >> 3 ? byte ^ (1 << (at & 7)) : byte));
        survives(() => renumber(turned, { vps: 1, sps: 2, pps: 3 }));
        survives(() => moveHevcSlice(parseHevcSlice(turned, sets), 5));
        survives(() => parseHevcSps(turned));
      }),
      { numRuns: 1000 },
    );
  });
});
