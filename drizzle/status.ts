import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { StatusPart } from '../schema/api/status.ts';

const time = (name: string) => integer(name, { mode: 'number' });

/** The probes of the last days, out of which `statusDays` is made. */
export const statusProbes = sqliteTable(
  'status_probes',
  {
    at: time('at').notNull(),
    part: text('part').$type<StatusPart>().notNull(),
    ok: integer('ok', { mode: 'boolean' }).notNull(),
    /** Of a probe task that completed. */
    overheadMs: integer('overhead_ms'),
  },
  (table) => [primaryKey({ columns: [table.at, table.part] })],
);

/** A row a day and part; `/status` reads only these. */
export const statusDays = sqliteTable(
  'status_days',
  {
    /** `YYYY-MM-DD`, UTC. */
    day: text('day').notNull(),
    part: text('part').$type<StatusPart>().notNull(),
    probes: integer('probes').notNull(),
    failed: integer('failed').notNull(),
    /** The last probe of the day. */
    lastAt: time('last_at').notNull(),
    lastOk: integer('last_ok', { mode: 'boolean' }).notNull(),
    /** Null unless probe tasks completed on this day. */
    overheadP50Ms: integer('overhead_p50_ms'),
    overheadP95Ms: integer('overhead_p95_ms'),
  },
  (table) => [primaryKey({ columns: [table.day, table.part] })],
);

export interface IncidentUpdate {
  at: number;
  text: string;
}

/** Written by `npm run admin -- incident`. */
export const incidents = sqliteTable(
  'incidents',
  {
    id: text('id').primaryKey(),
    title: text('title').notNull(),
    /** Null for the whole service. */
    part: text('part').$type<StatusPart>(),
    openedAt: time('opened_at').notNull(),
    closedAt: time('closed_at'),
    /** Oldest first; the first one opened it. */
    updates: text('updates', { mode: 'json' }).$type<IncidentUpdate[]>().notNull(),
  },
  (table) => [index('incidents_opened').on(table.openedAt)],
);
