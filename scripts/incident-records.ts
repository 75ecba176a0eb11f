import { and, desc, eq, isNull, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/sqlite-proxy';
import { incidents } from '../drizzle/status.ts';
import type { StatusPart } from '../schema/api/status.ts';
import { newId } from '../schema/task/ids.ts';

/** Only builds statements; d1.ts runs them. */
const db = drizzle(async () => {
  throw new Error('Run the statement with an Execute of d1.ts');
});

export function insertIncident(about: { title: string; text: string; part: StatusPart | null }, now: number) {
  const { title, text, part } = about;
  const id = newId('incident', now);
  const row = { id, title, part, openedAt: now, closedAt: null, updates: [{ at: now, text }] };
  return { id, statement: db.insert(incidents).values(row) };
}

/** Adds a text to an open incident, and closes it if so said. Returns no row if there is no such open incident. */
export function updateIncident(id: string, text: string, { close, now }: { close: boolean; now: number }) {
  const updates = sql`json_insert(${incidents.updates}, '$[#]', json(${JSON.stringify({ at: now, text })}))`;
  return db
    .update(incidents)
    .set({ updates, ...(close ? { closedAt: now } : {}) })
    .where(and(eq(incidents.id, id), isNull(incidents.closedAt)))
    .returning({ id: incidents.id });
}

export function selectIncident(id: string) {
  return db.select({ closedAt: incidents.closedAt }).from(incidents).where(eq(incidents.id, id));
}

export function selectIncidents() {
  const columns = {
    id: incidents.id,
    title: incidents.title,
    part: incidents.part,
    opened_at: incidents.openedAt,
    closed_at: incidents.closedAt,
  };
  return db.select(columns).from(incidents).orderBy(desc(incidents.openedAt));
}
