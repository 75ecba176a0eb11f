import { and, desc, eq, lt, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { type AuditAction, auditEvents } from '../../../drizzle/people.ts';
import { newId } from '../../../schema/task/ids.ts';
import type { Also } from '../also.ts';

export type AuditRow = typeof auditEvents.$inferSelect;

/** What is recorded of a change. */
export interface Change {
  accountId: string;
  /** Address of the person who made the change. */
  actor: string;
  action: AuditAction;
  subject: string;
  now: number;
}

/** Records a change in the batch that makes it, directly after its statement; nothing if that statement changed no row. */
export function recorded(db: DrizzleD1Database, { accountId, actor, action, subject, now }: Change) {
  // In the order of the table's columns.
  return db.insert(auditEvents).select(sql`
    select ${newId('audit_event', now)}, ${accountId}, ${actor}, ${action}, ${subject}, ${now} where changes() > 0`);
}

/** The same, for a write of a repository that knows nothing of people. */
export const recording =
  (change: Change): Also =>
  (db) => [recorded(db, change)];

export function auditRepo(db: DrizzleD1Database) {
  return {
    async add(change: Change): Promise<void> {
      const { now, ...row } = change;
      await db.insert(auditEvents).values({ id: newId('audit_event', now), ...row, createdAt: now });
    },

    /** Newest first, those before this id. */
    async list(accountId: string, limit: number, before?: string): Promise<AuditRow[]> {
      const earlier = before === undefined ? undefined : lt(auditEvents.id, before);
      return db
        .select()
        .from(auditEvents)
        .where(and(eq(auditEvents.accountId, accountId), earlier))
        .orderBy(desc(auditEvents.id))
        .limit(limit);
    },

    async removeBefore(before: number): Promise<void> {
      await db.delete(auditEvents).where(lt(auditEvents.createdAt, before));
    },
  };
}
