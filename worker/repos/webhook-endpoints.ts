import { and, eq, isNull, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { webhookEndpoints } from '../../drizzle/tables.ts';
import type { EventType } from '../../schema/api/webhook.ts';
import type { Also } from './also.ts';

export type EndpointRow = typeof webhookEndpoints.$inferSelect;

const own = (accountId: string, id: string) =>
  and(eq(webhookEndpoints.id, id), eq(webhookEndpoints.accountId, accountId));

export function webhookEndpointsRepo(db: DrizzleD1Database) {
  return {
    /** @returns false, with nothing written, if the account already has `most` endpoints. */
    async create(row: Omit<EndpointRow, 'disabledAt'>, most: number, also: Also): Promise<boolean> {
      const { id, accountId, url, events, createdAt } = row;
      // In the order of the table's columns.
      const [made] = await db.batch([
        db
          .insert(webhookEndpoints)
          .select(
            sql`select ${id}, ${accountId}, ${url}, ${events === null ? null : JSON.stringify(events)}, ${createdAt}, null
              where (select count(*) from webhook_endpoints where account_id = ${accountId}) < ${most}`,
          )
          .returning({ id: webhookEndpoints.id }),
        ...also(db),
      ]);
      return made.length === 1;
    },

    async list(accountId: string): Promise<EndpointRow[]> {
      return db
        .select()
        .from(webhookEndpoints)
        .where(eq(webhookEndpoints.accountId, accountId))
        .orderBy(webhookEndpoints.id);
    },

    async read(accountId: string, id: string): Promise<EndpointRow | null> {
      const rows = await db.select().from(webhookEndpoints).where(own(accountId, id)).limit(1);
      return rows[0] ?? null;
    },

    /** An enabled endpoint of the account with this URL that wants the event. */
    async receiving(accountId: string, url: string, type: EventType): Promise<EndpointRow | null> {
      const { events } = webhookEndpoints;
      const wants = sql`(${events} is null or exists (select 1 from json_each(${events}) where value = ${type}))`;
      const rows = await db
        .select()
        .from(webhookEndpoints)
        .where(
          and(
            eq(webhookEndpoints.accountId, accountId),
            eq(webhookEndpoints.url, url),
            isNull(webhookEndpoints.disabledAt),
            wants,
          ),
        )
        .limit(1);
      return rows[0] ?? null;
    },

    async disable(accountId: string, id: string, now: number): Promise<void> {
      await db.update(webhookEndpoints).set({ disabledAt: now }).where(own(accountId, id));
    },

    async remove(accountId: string, id: string, also: Also): Promise<boolean> {
      const [removed] = await db.batch([
        db.delete(webhookEndpoints).where(own(accountId, id)).returning({ id: webhookEndpoints.id }),
        ...also(db),
      ]);
      return removed.length === 1;
    },
  };
}
