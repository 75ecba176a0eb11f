import { describe, expect, test } from 'vitest';
import { singleFields } from '../../../../transcoder/bitstream/h264-fields.ts';
import { presentationTimes } from '../../../../transcoder/media/remux/presentation-times.ts';

const shown = (...packets: number[]) => packets.map((packet) => ({ packet, repeated: 0 }));
const stamped = (times: readonly number[], hidden = 0) =>
  times.map((time, index) => ({ pts: time, dts: time, hidden: index < hidden }));

describe('times of packets that hold decoding times for presentation times', () => {
  test('follow the decoder from where they first descend', () => {
    // I0 P3 B1 B2 P6 B4 B5: the decoder outputs a frame once it has read the next packet.
    const order = shown(0, 2, 3, 1, 5, 6, 4);
    const { pts } = presentationTimes(stamped([0, 10, 20, 30, 40, 50, 60]), order, 10, 1);
    expect(pts).toEqual([0, 40, 20, 30, 70, 50, 60]);
  });

  test('begin with the edit where it hides the first packets, which keep their times', () => {
    const order = shown(0, 2, 3, 1, 5, 6, 4);
    const { pts, durations } = presentationTimes(stamped([-20, -10, 0, 10, 20, 30, 40], 2), order, 10, 1);
    expect(pts).toEqual([-20, -10, 0, 10, 50, 30, 40]);
    expect(durations.slice(2)).toEqual([10, 20, 10, 10, 10]);
  });

  test('begin with the first packet that can be decoded', () => {
    const { pts } = presentationTimes(stamped([0, 10, 20, 30, 40]), shown(2, 3, 4), 10, 1);
    expect(pts).toEqual([null, null, 20, 30, 40]);
  });

  test('stay as they are where frames are shown in decoding order', () => {
    const { pts } = presentationTimes(stamped([0, 10, 25]), shown(0, 1, 2), 10, 0);
    expect(pts).toEqual([0, 10, 25]);
  });
});

describe('times of packets of which some', () => {
  const packets = (...times: [number | null, number | null][]) =>
    times.map(([pts, dts]) => ({ pts, dts, hidden: false }));

  test('state none are between the others', () => {
    const times = packets([0, -10], [null, null], [10, 10], [20, 20], [60, 30]);
    const { pts } = presentationTimes(times, shown(0, 2, 3, 1, 4), 10, 1);
    expect(pts).toEqual([0, 40, 10, 20, 60]);
  });

  test('descend in the order of presentation follow the decoding times', () => {
    // The P-frame says that it is shown before its last B-frame.
    const times = packets([5, -10], [15, 0], [15, 10], [35, 20], [45, 30]);
    const { pts } = presentationTimes(times, shown(0, 2, 3, 1, 4), 10, 1);
    expect(pts).toEqual([5, 35, 15, 25, 45]);
  });

  test('state when they are decoded alone are shown after the delay of the stream, though fewer frames are reordered', () => {
    const times = packets([null, 0], [null, 10], [null, 20], [null, 30], [null, 40]);
    const { pts } = presentationTimes(times, shown(0, 2, 1, 4, 3), 10, 2);
    expect(pts).toEqual([20, 40, 30, 60, 50]);
  });

  test('have one time are a tick apart, however long nothing follows', () => {
    const times = packets([0, null], [10, null], [10, null], [10, null], [90, null]);
    const { pts } = presentationTimes(times, shown(0, 1, 2, 3, 4), 10, 0);
    expect(pts).toEqual([0, 10, 11, 12, 90]);
  });

  test('repeat, as of frames that a file has twice, ascend by a tick', () => {
    const times = packets([null, 0], [null, 10], [null, 10], [null, 20], [null, 30]);
    expect(presentationTimes(times, shown(0, 1, 2, 3, 4), 10, 0).pts).toEqual([0, 10, 11, 20, 30]);
  });

  test('go back ascend by a tick until they have caught up', () => {
    const times = packets([null, 0], [null, 10], [null, 20], [null, 10], [null, 20], [null, 30]);
    expect(presentationTimes(times, shown(0, 1, 2, 3, 4, 5), 10, 0).pts).toEqual([0, 10, 20, 21, 22, 30]);
  });

  test('descend are as stated where a gap of several in a row has no decoding time', () => {
    const times = packets([0, 0], [30, null], [10, null], [20, 20]);
    const { pts } = presentationTimes(times, shown(0, 1, 2, 3), 10, 1);
    expect(pts).toEqual([0, 30, 40, 50]);
  });
});

describe('a packet of H.264 is recognized as one field', () => {
  const start = [0, 0, 1];
  /** Main profile, four bits of `frame_num`, order of output as coded, with and without fields. */
  const sequence = (fields: boolean) => [
    ...start,
    0x67,
    0x4d,
    0,
    0x1e,
    ...(fields ? [0xda, 0x19, 0x12] : [0xda, 0x19, 0x64]),
  ];
  /** `first_mb` 0, type 7, PPS 0, `frame_num` 0, then `field_pic_flag` and `bottom_field_flag`. */
  const slice = (flags: 'frame' | 'top' | 'bottom') => [
    ...[...start, 0x65, 0x88],
    { frame: 0x80, top: 0x84, bottom: 0x86 }[flags],
    0x40,
  ];
  const isField = (sps: number[], ...units: number[][]) =>
    singleFields(Uint8Array.from([]))(Uint8Array.from([...sps, ...units.flat()]));

  test('by the parity of its slices', () => {
    expect(isField(sequence(true), slice('top'))).toBe(true);
    expect(isField(sequence(true), slice('bottom'), slice('bottom'))).toBe(true);
    expect(isField(sequence(true), slice('top'), slice('bottom'))).toBe(false);
    expect(isField(sequence(true), slice('frame'))).toBe(false);
    expect(isField(sequence(false), slice('top'))).toBe(false);
    expect(isField([], slice('top'))).toBe(false);
  });
});
