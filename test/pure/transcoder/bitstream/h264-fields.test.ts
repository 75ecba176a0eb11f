import { describe, expect, test } from 'vitest';
import { fieldsIn, framesOnly, singleFields } from '../../../../transcoder/bitstream/h264-fields.ts';
import { nalType, parsePps, parseSps, typeOf } from '../../../../transcoder/bitstream/h264-sets.ts';
import { emitSlice, isSlice, parseSlice } from '../../../../transcoder/bitstream/h264-slice.ts';
import { splitStartCodes } from '../../../../transcoder/bitstream/nal.ts';
import { fieldPictures } from '../../../fixtures/field-pictures.ts';

const START = Uint8Array.of(0, 0, 0, 1);
const framed = (units: readonly Uint8Array[]) => Buffer.concat(units.flatMap((unit) => [START, unit]));

describe.each(['top', 'bottom'] as const)('field pictures, the %s one first', (first) => {
  const units = splitStartCodes(fieldPictures(3, 2, first));
  const slices = units.filter(isSlice);
  const of = (type: number) => units.find((unit) => typeOf(unit) === type) ?? new Uint8Array();
  const sets = { sps: parseSps(of(nalType.sps)), pps: parsePps(of(nalType.pps)) };
  const other = first === 'top' ? 'bottom' : 'top';

  test('are read, and written as they were', () => {
    expect(slices.length).toBe(6);
    expect(sets.sps).toMatchObject({ frameMbsOnly: false, adaptiveFields: false });
    const read = slices.map((slice) => parseSlice(slice, sets));
    const shown = read.map(({ field, frameNum, pocLsb, idrPicId }) => [field, frameNum, pocLsb, idrPicId]);
    expect(shown).toEqual([
      ...[
        [first, 0, 0, 0],
        [other, 0, 1, null],
        [first, 1, 2, null],
        [other, 1, 3, null],
      ],
      ...[
        [first, 0, 0, 1],
        [other, 0, 1, null],
      ],
    ]);
    for (const [index, slice] of read.entries()) {
      expect(emitSlice(slice, slice, sets.sps, sets.pps.cabac)).toEqual(Uint8Array.from(slices[index] ?? []));
    }
  });

  test('are found in packets of one and of both', () => {
    const configuration = framed([of(nalType.sps), of(nalType.pps)]);
    const [one = new Uint8Array(), two = new Uint8Array()] = slices;
    expect(fieldsIn(configuration)(framed([one, two]))).toEqual([first, other]);
    expect(fieldsIn(configuration)(framed([two]))).toEqual([other]);
    expect(singleFields(configuration)(framed([one, two]))).toBe(false);
    expect(singleFields(configuration)(framed([one]))).toBe(true);
    expect(framesOnly(configuration)).toBe(false);
    expect(fieldsIn(configuration)(Uint8Array.of(0, 0, 1, 5))).toEqual([]);
  });
});
