import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { operations } from '../../../schema/operations/index.ts';
import { timeBaseOf } from '../../../transcoder/model/numbers/rational-time.ts';
import type { Plan } from '../../../transcoder/model/plan.ts';
import type { MediaProbe } from '../../../transcoder/model/source/media-probe.ts';
import { Packets } from '../../../transcoder/model/source/packets.ts';
import type { Render } from '../../../transcoder/model/steps.ts';
import { cut } from '../../../transcoder/operations/cut/cut.ts';
import { like, means, source } from './sources.ts';

/** What is at a source, as the test itself knows it: when each frame is shown, in ticks of its time base. */
interface Filmed {
  timeBase: string;
  rate: number;
  /** Seconds of the file. */
  origin: number;
  ticks: number[];
}

const SECONDS = 12;
/** Twenty-five seconds of a film at most. */
const filmed: fc.Arbitrary<Filmed> = fc
  .record({
    rate: fc.constantFrom(24, 25, 30, 60, 24_000 / 1001, 30_000 / 1001),
    coarse: fc.boolean(),
    timeBase: fc.constantFrom('1/1000', '1/90000', '1/12800', '1/15360', '1/600', '1/1000000'),
    origin: fc.constantFrom(0, 700, 11.4, -5.34, -0.021),
    late: fc.integer({ min: 0, max: 200 }),
  })
  .map(({ rate, coarse, timeBase, origin, late }) => {
    const frames = Number.isInteger(rate) ? `1/${rate}` : `1001/${Math.round(rate * 1001)}`;
    const base = coarse ? frames : timeBase;
    const { num, den } = timeBaseOf(base);
    const tick = (time: number) => Math.round((time * den) / num);
    const ticks = Array.from({ length: Math.round(SECONDS * rate) }, (_, index) =>
      coarse ? tick(origin + late / 1000) + index : tick(origin + late / 1000 + index / rate),
    );
    return { timeBase: base, rate, origin, ticks };
  });

const asked = fc
  .tuple(fc.integer({ min: 0, max: 9000 }), fc.integer({ min: 100, max: 2500 }))
  .map(([start, length]) => ({ start: start / 1000, end: (start + length) / 1000 }));

function planOf({ timeBase, rate, origin, ticks }: Filmed, request: Record<string, unknown>): Plan {
  const { num, den } = timeBaseOf(timeBase);
  const seconds = (tick: number) => (tick * num) / den;
  const packets = Packets.of(
    ticks.map((tick, index) => ({
      ...{ pts: seconds(tick), dts: seconds(tick), duration: 1 / rate, key: index % 24 === 0 },
    })),
  );
  const startTime = seconds(ticks[0] ?? 0);
  const video = { timeBase, frameDuration: 1 / rate, pace: 'unknown' as const, startTime, frames: null };
  const probe: MediaProbe = like(
    { ...video, duration: seconds(ticks.at(-1) ?? 0) + 1 / rate - startTime },
    { ...{ origin, startTime: origin, duration: SECONDS + 0.5 } },
  );
  const input = operations.cut.input.parse({ video_url: 'https://media.example.com/a', ...request });
  const audio = source.audio && { ...source.audio, startTime: origin, duration: SECONDS };
  return cut.plan({ input, probes: [{ ...probe, audio }], facts: { packets }, ...means });
}

/** The frames whose beginning is nearest to what was asked for; the earlier one where two are as near. */
function nearest({ timeBase, origin, ticks }: Filmed, time: number): number {
  const { num, den } = timeBaseOf(timeBase);
  const off = ticks.map((tick) => Math.abs((tick * num) / den - origin - time));
  const least = Math.min(...off);
  // A time in the middle of two frames, to the microsecond, but not quite, is nobody's to decide.
  fc.pre(off.filter((one) => one < least + 1e-5 && one > least + 1e-7).length === 0);
  return off.findIndex((one) => one < least + 1e-7);
}

/** What the filters of a chain do to frames at these ticks: the ones that come out, with their seconds in the output. */
function through(
  render: Render,
  label: string,
  { timeBase, ticks }: Filmed,
): [index: number, time: number][] {
  const chain = render.chains.find(({ to }) => to[0] === label);
  const option = (name: string, key: string) =>
    chain?.filters.find((one) => one.name === name)?.options?.[key];
  const own = timeBaseOf(timeBase);
  const link = timeBaseOf(String(option('settb', 'expr')));
  const from = Number(option('trim', 'start_pts'));
  const to = Number(option('trim', 'end_pts') ?? Number.POSITIVE_INFINITY);
  const zero = Number(/PTS-\((-?\d+)\)/.exec(String(option('setpts', 'expr')))?.[1]);
  return ticks.flatMap((tick, index): [number, number][] => {
    const pts = (tick * own.num * link.den) / (own.den * link.num);
    expect(pts).toBe(Math.round(pts));
    return pts >= from && pts < to ? [[index, ((pts - zero) * link.num) / link.den]] : [];
  });
}

const rendered = (plan: Plan) => plan.steps.filter((step): step is Render => step.kind === 'render');

describe('a cut at any time of a source of any time base', () => {
  test('begins and ends with the nearest frames, and its sound with them', () => {
    fc.assert(
      fc.property(filmed, asked, (film, { start, end }) => {
        const { num, den } = timeBaseOf(film.timeBase);
        const at = (index: number) => ((film.ticks[index] ?? 0) * num) / den - film.origin;
        const [first, behind] = [nearest(film, start), nearest(film, end)];
        // A frame before the first one, and farther, there is sound alone, which is kept.
        fc.pre(start > at(0) - 1 / film.rate + 1e-7 && behind > first);
        const plan = planOf(film, { start, end, quality: 'high' });
        const [render] = rendered(plan);
        if (!render) return expect.unreachable();

        const shown = through(render, 'v', film);
        expect(shown.map(([index]) => index)).toEqual(
          Array.from({ length: behind - first }, (_, index) => first + index),
        );
        for (const [index, time] of shown)
          expect(Math.abs(time - (at(index) - at(first)))).toBeLessThan(6e-5);

        const sound = render.chains.find(({ to }) => to[0] === 'a')?.filters[0]?.options ?? {};
        expect(Number(sound.start)).toBeCloseTo(film.origin + at(first), 5);
        expect(Number(sound.end)).toBeCloseTo(film.origin + at(behind), 5);
        expect(plan.time_map).toHaveLength(1);
        expect(plan.time_map[0]?.in[0]).toBeCloseTo(at(first), 5);
        expect(plan.time_map[0]?.in[1]).toBeCloseTo(at(behind), 5);
        expect(plan.duration).toBeCloseTo(at(behind) - at(first), 5);
      }),
      { numRuns: 400 },
    );
  });

  test('joins ranges so that each begins with its sound where the one before ends', () => {
    fc.assert(
      fc.property(filmed, fc.array(asked, { minLength: 2, maxLength: 4 }), (film, segments) => {
        const { num, den } = timeBaseOf(film.timeBase);
        const at = (index: number) => ((film.ticks[index] ?? 0) * num) / den - film.origin;
        fc.pre(
          segments.every(({ start, end }) => start > at(0) && nearest(film, end) > nearest(film, start)),
        );
        const plan = planOf(film, { segments, quality: 'high' });
        let out = 0;
        for (const [index, { start, end }] of segments.entries()) {
          const [from, to] = [at(nearest(film, start)), at(nearest(film, end))];
          const map = plan.time_map[index];
          expect(map?.in[0]).toBeCloseTo(from, 5);
          expect(map?.in[1]).toBeCloseTo(to, 5);
          expect(map?.out[0]).toBeCloseTo(out, 5);
          out += to - from;
          const render = rendered(plan)[index];
          if (!render) return expect.unreachable();
          const shown = through(render, 'v', film);
          expect(shown[0]?.[0]).toBe(nearest(film, start));
          expect(shown.at(-1)?.[0]).toBe(nearest(film, end) - 1);
        }
      }),
      { numRuns: 100 },
    );
  });
});

describe('a cut of sound alone', () => {
  test('is made at the times asked for', () => {
    const input = operations.cut.input.parse({
      audio_url: 'https://media.example.com/a',
      start: 1.2345,
      end: 3.21,
    });
    const plan = cut.plan({ input, probes: [{ ...source, video: null }], facts: {}, ...means });
    expect(plan.time_map).toEqual([{ source: 0, in: [1.2345, 3.21], out: [0, 1.9755] }]);
  });
});
