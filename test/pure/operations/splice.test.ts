import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodingTimes } from '../../../transcoder/bitstream/decoding-times.ts';
import type { MediaProbe } from '../../../transcoder/model/source/media-probe.ts';
import { type SurveyedPacket, SurveyedPackets } from '../../../transcoder/model/source/surveyed-packets.ts';
import type { VideoStream } from '../../../transcoder/model/source/video-stream.ts';
import { placed, rangePiece } from '../../../transcoder/operations/plan/smart-render.ts';
import { framesOfPiece } from '../../../transcoder/operations/plan/spans.ts';

const TICK = 512;
const FRAME = 1 / 30;

const video = {
  ...{ index: 0, codec: 'h264', timeBase: '1/15360', frameDuration: FRAME, pace: 'constant' },
  ...{ startTime: 0, frames: null },
} as VideoStream;
const probe = { format: 'mov', still: false, origin: 0, duration: 1000, video } as MediaProbe;

/** Groups of pictures as an encoder may code them: anchors, and before each of them the B-frames that it follows. */
function packetsOf(groups: readonly { length: number; bFrames: number; idr: boolean }[]): SurveyedPacket[] {
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
    ...{
      pts: frame * TICK,
      dts: dts[index] ?? 0,
      duration: TICK,
      key,
      entry: idr ? 'closed' : null,
      hidden: false,
    },
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

  it('rise as well where the first packets are shown before the first one', () => {
    expect([...decodingTimes([2, 0, 1, 5, 3, 4], 1)]).toEqual([-1, 0, 1, 2, 3, 4]);
    const leading = fc.tuple(structure, fc.integer({ min: 1, max: 8 })).map(([packets, count]) => {
      const [first = 0, ...others] = packets.map((packet) => packet.pts);
      return [
        first,
        ...Array.from({ length: count }, (_, index) => first - (count - index) * TICK),
        ...others,
      ];
    });
    fc.assert(
      fc.property(leading, (pts) => {
        const times = decodingTimes(pts, TICK);
        for (const [index, time] of times.entries()) {
          expect(time).toBeLessThanOrEqual(pts[index] ?? 0);
          if (index > 0) expect(time).toBeGreaterThan(times[index - 1] ?? 0);
        }
      }),
    );
  });

  it('are the presentation times where nothing is reordered', () => {
    expect([...decodingTimes([0, 512, 1024], 512)]).toEqual([0, 512, 1024]);
    expect([...decodingTimes([0, 1536, 512, 1024], 512)]).toEqual([-512, 0, 512, 1024]);
  });
});

const cutOf = (packets: SurveyedPacket[], span: { start: number; end: number }, duration = 1000) =>
  rangePiece({
    probe,
    video: { ...video, duration },
    span,
    survey: {
      parts: [SurveyedPackets.of(packets)],
      configuration: '',
      fitting: null,
      quantiser: null,
      unfit: null,
    },
    input: 0,
  });

describe('a range', () => {
  it('is divided into frames rendered and packets copied, each frame once and in order', () => {
    const window = fc.tuple(fc.nat({ max: 480 }), fc.integer({ min: 1, max: 480 }), fc.nat({ max: 9 }));
    fc.assert(
      fc.property(structure, window, (packets, [first, count, off]) => {
        const start = Math.max(0, first * FRAME + (off - 5) * 0.003);
        const duration = packets.length * FRAME;
        // As planners do, which end every range with the source.
        const span = { start, end: Math.max(start, Math.min(start + count * FRAME, duration)) };
        const range = cutOf(packets, span, duration);
        const frames = packets.map(({ pts }) => pts).sort((a, b) => a - b);
        const kept = frames.filter((pts) => {
          const time = pts / 15360 + FRAME / 2 + 1e-6;
          return time >= span.start && time < span.end;
        });
        // Behind the middle of the last frame that one is still shown.
        const last = frames.at(-1) ?? 0;
        if (kept.length === 0 && span.start < last / 15360 + FRAME - 1e-6) kept.push(last);
        if (typeof range === 'string') {
          expect(range).toBe(kept.length === 0 ? 'frames_differ' : 'no_entry_in_range');
          return;
        }
        const { head, copy, tail } = range.piece;
        const copied = [...(copy?.frames ?? [])];
        const [before, behind] = [head?.frames ?? [], tail?.frames ?? []];
        expect([...before, ...copied.toSorted((a, b) => a - b), ...behind]).toEqual(kept);
        expect(framesOfPiece(range.piece)).toBe(kept.length);
        const lead = packets.filter(({ entry, pts }) => entry && kept.includes(pts));
        expect(copy === null).toBe(lead.length === 0);
        const at = packets.findIndex(({ pts }) => pts === copied[0]);
        if (copy) {
          expect(packets.slice(at, at + copied.length).map(({ pts }) => pts)).toEqual(copied);
          expect(packets[at]?.entry).toBe('closed');
          expect(copy.seek).toBe(packets[at]?.pts);
        }
        for (const run of [head, tail]) {
          if (!run) continue;
          const from = packets.findIndex(({ pts }) => pts === run.entry);
          expect(packets[from]).toMatchObject({ entry: 'closed', pts: run.seek });
          const read = packets.slice(from, from + run.packets);
          expect(read.map(({ pts }) => pts)).toEqual(expect.arrayContaining(run.frames));
        }
      }),
      { numRuns: 1000 },
    );
  });

  it('without an IDR picture is rendered from the one before it', () => {
    const packets = packetsOf([
      { length: 30, bFrames: 2, idr: true },
      { length: 30, bFrames: 2, idr: false },
    ]);
    expect(cutOf(packets, { start: 0.5, end: 2 })).toMatchObject({
      piece: { head: { entry: 0 }, copy: null, tail: null, zero: 15 * TICK },
      ...{ first: 15 * TICK, last: 59 * TICK },
    });
    expect(cutOf(packets, { start: 0, end: 2 })).toMatchObject({
      piece: { head: null, tail: null, zero: 0 },
    });
  });

  it('copies from an open entry on without the pictures that lead up to it', () => {
    const packets = packetsOf([
      { length: 30, bFrames: 2, idr: true },
      { length: 30, bFrames: 2, idr: false },
    ]);
    const at = packets.findIndex(({ key }, index) => key && index > 0);
    const [cra, leading] = [packets[at], packets[at - 1]];
    if (!cra || !leading) throw new Error('no second group');
    const open = [
      ...packets.slice(0, at - 1),
      { ...cra, entry: 'open' as const },
      leading,
      ...packets.slice(at + 1),
    ];
    const range = cutOf(open, { start: 0.5, end: 2 });
    if (typeof range === 'string') throw new Error(range);
    const { head, copy, tail } = range.piece;
    expect([head?.frames.length, copy?.frames.length, tail]).toEqual([15, 30, null]);
    expect(copy?.frames[0]).toBe(cra.pts);
    expect([...(copy?.frames ?? [])]).not.toContain(leading.pts);
    expect(head?.frames).toContain(leading.pts);
  });

  it('in which an edit list hides packets is refused', () => {
    const packets = packetsOf([{ length: 30, bFrames: 0, idr: true }]).map((packet, index) => ({
      ...packet,
      hidden: index === 5,
    }));
    expect(cutOf(packets, { start: 0, end: 1 })).toBe('edit_list');
  });
});

describe('ranges in the output', () => {
  const packets = packetsOf([{ length: 60, bFrames: 0, idr: true }]);
  const placing = (start: number, end: number, out: number) => {
    const range = cutOf(packets, { start, end });
    if (typeof range === 'string') throw new Error(range);
    return { range, video, out };
  };
  const firsts = (list: ReturnType<typeof placing>[]) =>
    placed(list, video).map(({ at }, index) => {
      const { range } = list[index] ?? {};
      return at + (range?.first ?? 0) - (range?.piece.zero ?? 0);
    });

  it('begin where their spans do, for that is where their sound begins', () => {
    const late = Math.round((16 / 30 - 0.525) * 15360);
    expect(firsts([placing(0.525, 1, 0), placing(0, 0.5, 0.475)])).toEqual([late, Math.round(0.475 * 15360)]);
  });

  it('never begin before the output does, nor before what comes before has been shown', () => {
    const [first = 0, second = 0] = firsts([placing(0.51, 1, 0), placing(0, 0.5, 0.4)]);
    expect(first).toBe(0);
    expect(second).toBeGreaterThan(14 * TICK);
  });
});
