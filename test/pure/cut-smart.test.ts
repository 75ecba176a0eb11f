import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodingTimes } from '../../transcoder/media/bitstream/decoding-times.ts';
import type { MediaProbe, VideoStream } from '../../transcoder/media/probe.ts';
import type { Surveyed } from '../../transcoder/media/worker/protocol.ts';
import { spliced } from '../../transcoder/operations/cut-smart.ts';

const TICK = 512;
const FRAME = 1 / 30;

const video = {
  ...{ index: 0, codec: 'h264', timeBase: '1/15360', frameDuration: FRAME, pace: 'constant' },
  ...{ startTime: 0, frames: null },
} as VideoStream;
const probe = { format: 'mov', origin: 0, startTime: 0, duration: 1000, video } as MediaProbe;

/** Groups of pictures as an encoder may code them: anchors, and before each of them the B-frames that it follows. */
function packetsOf(
  groups: readonly { length: number; bFrames: number; idr: boolean }[],
): Surveyed['packets'] {
  const order: { frame: number; idr: boolean; key: boolean }[] = [];
  let next = 0;
  for (const { length, bFrames, idr } of groups) {
    order.push({ frame: next, idr, key: true });
    for (let at = 1; at < length; at += bFrames + 1) {
      const anchor = Math.min(at + bFrames, length - 1);
      order.push({ frame: next + anchor, idr: false, key: false });
      for (let between = at; between < anchor; between++) {
        order.push({ frame: next + between, idr: false, key: false });
      }
    }
    next += length;
  }
  const dts = decodingTimes(
    order.map(({ frame }) => frame * TICK),
    TICK,
  );
  return order.map(({ frame, idr, key }, index) => ({
    ...{ pts: frame * TICK, dts: dts[index] ?? 0, duration: TICK, key, idr, hidden: false },
  }));
}

const group = fc.record({
  length: fc.integer({ min: 1, max: 60 }),
  bFrames: fc.integer({ min: 0, max: 8 }),
  idr: fc.boolean(),
});
const structure = fc
  .array(group, { minLength: 1, maxLength: 8 })
  .map(([first, ...others]) => packetsOf([...(first ? [{ ...first, idr: true }] : []), ...others]));

describe('decoding times', () => {
  it('rise, and are never later than the presentation', () => {
    fc.assert(
      fc.property(structure, (packets) => {
        const pts = packets.map((packet) => packet.pts);
        const times = decodingTimes(pts, TICK);
        for (const [index, time] of times.entries()) {
          expect(time).toBeLessThanOrEqual(pts[index] ?? 0);
          if (index > 0) expect(time).toBeGreaterThan(times[index - 1] ?? 0);
        }
      }),
    );
  });

  it('are the presentation times where nothing is reordered', () => {
    expect(decodingTimes([0, 512, 1024], 512)).toEqual([0, 512, 1024]);
    expect(decodingTimes([0, 1536, 512, 1024], 512)).toEqual([-512, 0, 512, 1024]);
  });
});

describe('a range', () => {
  it('is divided into frames rendered and packets copied, each frame once and in order', () => {
    const window = fc.tuple(fc.nat({ max: 480 }), fc.integer({ min: 1, max: 480 }), fc.nat({ max: 9 }));
    fc.assert(
      fc.property(structure, window, (packets, [first, count, off]) => {
        const start = Math.max(0, first * FRAME + (off - 5) * 0.003);
        const span = { start, end: start + count * FRAME };
        const cut = spliced(probe, video, span, { packets, unfit: null });
        const frames = packets.map(({ pts }) => pts).sort((a, b) => a - b);
        const kept = frames.filter((pts) => {
          const time = pts / 15360 + FRAME / 2 + 1e-6;
          return time >= span.start && time < span.end;
        });
        const lead = packets.filter(({ idr, pts }) => idr && kept.includes(pts));
        if (typeof cut === 'string') {
          expect([cut, lead]).toEqual(['no_idr_in_range', []]);
          return;
        }
        const { head, copy, tail } = cut;
        const [before, behind] = [head?.frames ?? [], tail?.frames ?? []];
        expect([...before, ...copy.frames.toSorted((a, b) => a - b), ...behind]).toEqual(kept);
        const at = packets.findIndex(({ dts }) => dts === copy.first);
        expect(packets[at]?.idr).toBe(true);
        expect(packets.slice(at, at + copy.frames.length).map(({ pts }) => pts)).toEqual(copy.frames);
        expect(packets[at + copy.lastIdr]?.idr).toBe(true);
        for (const run of [head, tail]) {
          if (!run) continue;
          const from = packets.find(({ dts }) => dts === run.decodeFrom);
          expect(from?.idr).toBe(true);
          const read = packets.filter(({ dts }) => dts >= run.decodeFrom && dts <= run.decodeTo);
          expect(read.map(({ pts }) => pts)).toEqual(expect.arrayContaining(run.frames));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('without an IDR picture is rendered', () => {
    const packets = packetsOf([
      { length: 30, bFrames: 2, idr: true },
      { length: 30, bFrames: 2, idr: false },
    ]);
    const cut = (start: number, end: number) =>
      spliced(probe, video, { start, end }, { packets, unfit: null });
    expect(cut(0.5, 2)).toBe('no_idr_in_range');
    expect(cut(0, 2)).toMatchObject({ head: null, tail: null, zero: 0 });
  });

  it('in which an edit list hides packets is rendered', () => {
    const packets = packetsOf([{ length: 30, bFrames: 0, idr: true }]).map((packet, index) => ({
      ...packet,
      hidden: index === 5,
    }));
    expect(spliced(probe, video, { start: 0, end: 1 }, { packets, unfit: null })).toBe('edit_list');
  });
});
