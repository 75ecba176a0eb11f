import { DatabaseSync } from 'node:sqlite';
import { sql } from 'drizzle-orm';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { plans } from '../../../schema/api/plans.ts';
import { remaining } from '../../../transcoder/task/eta.ts';
import { expectedOf, type Pace, withTask } from '../../../worker/account/pace.ts';
import { line, lineOf, linesOf, prospects } from '../../../worker/repos/line.ts';

const seconds = fc.double({ min: 0, max: 20_000, noNaN: true });
const seen = fc.array(fc.tuple(seconds, seconds), { minLength: 1, maxLength: 60 });

function paceOf(tasks: readonly (readonly [source: number, processing: number])[]): Pace {
  let pace: Pace | undefined;
  for (const [source, processing] of tasks) pace = withTask(pace, source, processing);
  if (!pace) throw new Error('no task');
  return pace;
}

describe('what is expected of a kind of work', () => {
  it('is never below zero, never falls with longer sources, and is a number after any tasks', () => {
    fc.assert(
      fc.property(seen, (tasks) => {
        const { typical_seconds, fixed_seconds, per_source_second } = expectedOf(paceOf(tasks));
        for (const figure of [typical_seconds, fixed_seconds, per_source_second]) {
          expect(Number.isFinite(figure)).toBe(true);
          expect(figure).toBeGreaterThanOrEqual(0);
        }
      }),
      { numRuns: 2000 },
    );
  });

  it('finds the seconds that every task takes and those for each second of source', () => {
    const tasks = [10, 60, 300, 20, 120, 600].map((source) => [source, 2 + 0.5 * source] as const);
    const expected = expectedOf(paceOf(tasks));
    expect(expected.fixed_seconds).toBeCloseTo(2, 6);
    expect(expected.per_source_second).toBeCloseTo(0.5, 6);
  });

  it('is what the work has taken where all sources are of one length', () => {
    const expected = expectedOf(paceOf(Array.from({ length: 30 }, () => [60, 9] as const)));
    expect(expected.typical_seconds).toBeCloseTo(9, 6);
    expect(expected.fixed_seconds + expected.per_source_second * 60).toBeCloseTo(9, 6);
  });

  it('follows a change within twenty tasks', () => {
    const before = Array.from({ length: 100 }, () => [60, 9] as const);
    const after = Array.from({ length: 20 }, () => [60, 3] as const);
    expect(expectedOf(paceOf([...before, ...after])).typical_seconds).toBeLessThan(6);
  });
});

describe('what an attempt still needs', () => {
  it('is null while nothing is known, then what is expected, then what its own pace says', () => {
    expect(remaining({ fraction: 0, seconds: 0, expected: null })).toBeNull();
    expect(remaining({ fraction: 0, seconds: 2, expected: 10 })).toBe(8);
    expect(remaining({ fraction: 0.5, seconds: 10, expected: null })).toBe(10);
    expect(remaining({ fraction: 0.99, seconds: 99, expected: 10 })).toBeCloseTo(0.99, 2);
  });

  it('falls as the work goes on at an even pace, whatever was expected', () => {
    fc.assert(
      fc.property(fc.double({ min: 20, max: 5000, noNaN: true }), seconds, (total, expected) => {
        let before = Number.POSITIVE_INFINITY;
        for (let fraction = 0.06; fraction <= 1; fraction += 0.02) {
          const rest = remaining({ fraction, seconds: total * fraction, expected }) ?? Number.NaN;
          expect(rest).toBeGreaterThanOrEqual(0);
          if (expected >= total) expect(rest).toBeLessThanOrEqual(before + 1e-6);
          before = rest;
        }
        expect(before).toBeLessThan(0.05 * total + 0.05 * expected);
      }),
      { numRuns: 300 },
    );
  });
});

describe('what a waiting task has before it', () => {
  const line = { position: 1, ahead: 0, running: 0, rest: 0, plan: 'basic' as const };
  const etaOf = (more: Partial<typeof line>, expectedSeconds: number | null = 10) =>
    prospects({ etaSeconds: null, expectedSeconds }, { ...line, ...more }).etaSeconds;

  it('is its own work alone where a slot is free, and the others too where none is', () => {
    expect(etaOf({})).toBe(10);
    expect(etaOf({ position: 1, running: 2, rest: 8 })).toBe(14);
    expect(etaOf({ position: 3, ahead: 20, running: 2, rest: 8 })).toBe(24);
    expect(etaOf({ running: 2, rest: 8 }, null)).toBeNull();
    expect(prospects({ etaSeconds: 4, expectedSeconds: 10 }, null)).toEqual({
      queuePosition: null,
      etaSeconds: 4,
    });
  });

  it('never gets less with a later place, and never more by what runs going on', () => {
    const place = fc.record({
      works: fc.array(fc.integer({ min: 0, max: 500 }), { minLength: 1, maxLength: 30 }),
      running: fc.integer({ min: 0, max: plans.basic.running }),
      rest: fc.integer({ min: 0, max: 1000 }),
    });
    fc.assert(
      fc.property(place, ({ works, running, rest }) => {
        let ahead = 0;
        let before = 0;
        for (const [index, work] of works.entries()) {
          const at = { position: index + 1, ahead, running, rest };
          const eta = etaOf(at) ?? Number.NaN;
          expect(eta).toBeGreaterThanOrEqual(before);
          expect(etaOf({ ...at, rest: Math.floor(rest / 2) })).toBeLessThanOrEqual(eta);
          before = eta;
          ahead += work;
        }
      }),
      { numRuns: 500 },
    );
  });
});

describe('the lines of a page of tasks', () => {
  const duration = fc.option(fc.integer({ min: 0, max: 5000 }), { nil: null });
  const liveRow = fc.record({
    status: fc.constantFrom('queued', 'queued', 'queued', 'processing' as const),
    etaSeconds: duration,
    expectedSeconds: duration,
  });

  it('are those that one query per task gives', () => {
    const database = new DatabaseSync(':memory:');
    database.exec(`create table accounts (id, plan); insert into accounts values ('a', 'boost');
      create table tasks (account_id default 'a', seq, status, eta_seconds, expected_seconds)`);
    const query = new SQLiteAsyncDialect().sqlToQuery(sql`select seq, ${line} as line from tasks`);
    fc.assert(
      fc.property(fc.array(liveRow, { maxLength: 30 }), (drawn) => {
        const live = drawn.map((row, index) => ({ ...row, seq: index + 1 }));
        database.exec('delete from tasks');
        const insert = database.prepare(
          'insert into tasks (seq, status, eta_seconds, expected_seconds) values (?, ?, ?, ?)',
        );
        for (const row of live) insert.run(row.seq, row.status, row.etaSeconds, row.expectedSeconds);
        const expected = database
          .prepare(query.sql)
          .all()
          .flatMap((row) =>
            row.line === null ? [] : [[Number(row.seq), lineOf(String(row.line))] as const],
          );
        const inAnyOrder = live.toSorted((a, b) => (a.seq % 7) - (b.seq % 7));
        expect(linesOf(inAnyOrder, 'boost')).toEqual(new Map(expected));
      }),
    );
  });
});
