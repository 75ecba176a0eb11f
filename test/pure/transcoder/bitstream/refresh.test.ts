import { describe, expect, test } from 'vitest';
import { accessUnits } from '../../../../transcoder/bitstream/refresh.ts';

const START = [0, 0, 0, 1];
const unit = (...nals: number[][]) => Uint8Array.from(nals.flatMap((nal) => [...START, ...nal]));

/** A recovery point of so many frames behind a message of another kind, which is longer than 255 bytes. */
const sei = (...message: number[]) => [6, ...message, 0x80];
/** ue(0) is 1, ue(21) is 000010110. */
const after = { 0: [6, 1, 0b1_1_0_00_1_00], 21: [6, 2, 0b00001011, 0b0_1_0_00_1_00] };
const long = [5, 255, 45, ...Array.from({ length: 300 }, () => 7)];

/** Slices: first_mb 0, then the type; that of 2 is intra, that of 0 predicted. */
const slice = { intra: [0x41, 0b1_011_0000], predicted: [0x41, 0b1_1_000000], spare: [0x01, 0b1_1_000000] };

describe('a packet of H.264', () => {
  const unitOf = accessUnits('h264', new Uint8Array());

  test.each([
    ['an IDR picture is right at once', unit([0x65, 0x88]), { recovery: 0, reference: true }],
    [
      'a recovery point says in how many frames',
      unit(sei(...after[21]), slice.predicted),
      { recovery: 21, reference: true },
    ],
    [
      'behind other messages too',
      unit(sei(...long, ...after[21]), slice.predicted),
      { recovery: 21, reference: true },
    ],
    ['an open group is right at once', unit(sei(...after[0]), slice.intra), { recovery: 0, reference: true }],
    ['an intra picture without a message too', unit(slice.intra), { recovery: 0, reference: true }],
    [
      'a predicted picture without a message is no entry',
      unit(slice.predicted),
      { recovery: null, reference: true },
    ],
    ['a picture that none refers to', unit(slice.spare), { recovery: null, reference: false }],
  ])('%s', (_, packet, wanted) => {
    expect(unitOf(packet)).toEqual(wanted);
  });

  test('is divided by lengths where the stream has an avcC, and believed where it is damaged', () => {
    const avcc = Uint8Array.from([1, 66, 0, 30, 0xff, 0xe0, 0]);
    const lengths = accessUnits('h264', avcc);
    const packet = Uint8Array.from([0, 0, 0, 5, ...sei(...after[0]), 0, 0, 0, 2, ...slice.predicted]);
    expect(lengths(packet)).toEqual({ recovery: 0, reference: true });
    expect(lengths(Uint8Array.from([0, 0, 9, 9, 1]))).toEqual({ recovery: 0, reference: true });
  });
});

describe('a packet of HEVC', () => {
  const unitOf = accessUnits('hevc', new Uint8Array());

  test.each([
    ['an IDR picture', 19, 0],
    ['a CRA picture', 21, 0],
    ['a BLA picture', 16, 0],
    ['any other', 1, null],
  ])('of %s', (_, type, recovery) => {
    expect(unitOf(unit([type << 1, 1, 0x80]))).toEqual({ recovery, reference: true });
  });
});
