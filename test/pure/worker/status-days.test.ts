import { describe, expect, it } from 'vitest';
import type { Probe } from '../../../worker/repos/status.ts';
import {
  foldProbes,
  historyOf,
  isTaskDue,
  lastProbe,
  percentile,
  shownDays,
  uptimePercent,
} from '../../../worker/services/status/days.ts';
import { secondOfSound } from '../../../worker/services/status/second-of-sound.ts';

const noon = Date.UTC(2026, 10, 23, 12);
const HOUR = 3600_000;
const probe = (at: number, ok = true, overheadMs: number | null = null): Probe => ({
  ...{ at, ok, overheadMs },
  part: 'task',
});

describe('a percentile', () => {
  it.each([
    [[], 0.5, null],
    [[7], 0.5, 7],
    [[7], 0.95, 7],
    [[4, 1, 3, 2], 0.5, 2],
    [[4, 1, 3, 2], 0.95, 4],
    [Array.from({ length: 100 }, (_, index) => 100 - index), 0.95, 95],
    [Array.from({ length: 288 }, (_, index) => index), 0.5, 143],
    [[1, 2, 3], 0, 1],
  ])('of %j at %d is %j', (values, share, expected) => {
    expect(percentile(values, share)).toBe(expected);
  });
});

describe('uptime', () => {
  it.each([
    [[], null],
    [[{ probes: 0, failed: 0 }], null],
    [[{ probes: 288, failed: 0 }], 100],
    [[{ probes: 288, failed: 288 }], 0],
    [[{ probes: 288, failed: 1 }], 99.65],
    [Array.from({ length: 90 }, (_, index) => ({ probes: 288, failed: index === 3 ? 1 : 0 })), 99.99],
    [
      [
        { probes: 10, failed: 5 },
        { probes: 90, failed: 0 },
      ],
      95,
    ],
  ])('counts probes, not days, and is never rounded up: %#', (days, expected) => {
    expect(uptimePercent(days)).toBe(expected);
  });
});

describe('probes', () => {
  it('become a row a UTC day and part, with the last one of the day', () => {
    const midnight = Date.UTC(2026, 10, 24);
    const rows = foldProbes([
      probe(midnight - 1, false),
      probe(noon, true, 80),
      probe(noon + HOUR, true, 120),
      probe(midnight, true, 50),
      { ...probe(noon), part: 'queue' },
    ]);
    expect(rows).toEqual([
      {
        ...{ day: '2026-11-23', part: 'task', probes: 3, failed: 1, lastAt: midnight - 1, lastOk: false },
        ...{ overheadP50Ms: 80, overheadP95Ms: 120 },
      },
      {
        ...{ day: '2026-11-24', part: 'task', probes: 1, failed: 0, lastAt: midnight, lastOk: true },
        ...{ overheadP50Ms: 50, overheadP95Ms: 50 },
      },
      {
        ...{ day: '2026-11-23', part: 'queue', probes: 1, failed: 0, lastAt: noon, lastOk: true },
        ...{ overheadP50Ms: null, overheadP95Ms: null },
      },
    ]);
    expect(lastProbe(rows, 'task')).toEqual({ at: midnight, ok: true });
    expect(lastProbe(rows, 'storage')).toBeNull();
  });

  it('give the same rows however often they are folded', () => {
    const probes = [probe(noon, true, 80), probe(noon + 1, false)];
    expect(foldProbes([...probes].reverse())).toEqual(foldProbes(probes));
  });

  it('fill 90 days up to today, those without a probe too', () => {
    const days = shownDays(noon);
    expect([days.length, days[0], days.at(-1)]).toEqual([90, '2026-08-26', '2026-11-23']);
    const { days: shown, uptime_percent } = historyOf(foldProbes([probe(noon, false)]), 'task', noon);
    expect(shown?.map(({ day }) => day)).toEqual(days);
    expect(shown?.filter(({ probes }) => probes > 0)).toEqual([{ day: '2026-11-23', probes: 1, failed: 1 }]);
    expect(uptime_percent).toBe(0);
  });
});

describe('a probe task', () => {
  const runs = (minutes: number) =>
    Array.from({ length: 288 }, (_, index) => Date.UTC(2026, 10, 23) + index * 300_000 + 1234).filter((at) =>
      isTaskDue(at, minutes),
    ).length;

  it.each([
    [0, 0],
    [5, 288],
    [10, 144],
    [60, 24],
    [1440, 1],
  ])('every %d minutes is due %d times a day', (minutes, expected) => {
    expect(runs(minutes)).toBe(expected);
  });

  it('reads a WAV file of exactly one second', () => {
    const bytes = Buffer.from(secondOfSound());
    expect(bytes.subarray(0, 4).toString('latin1')).toBe('RIFF');
    expect(bytes.readUInt32LE(4)).toBe(bytes.length - 8);
    expect(bytes.readUInt32LE(40)).toBe(bytes.length - 44);
    expect(bytes.readUInt32LE(40)).toBe(bytes.readUInt32LE(28));
  });
});
