import { and, between, eq, gt, inArray, lt, lte, ne, or, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { webhookDeliveries } from '../../drizzle/tables.ts';
import type { DeliveryStatus, TaskEventType } from '../../schema/api/webhook.ts';
import { idHead, newId } from '../../schema/task/ids.ts';

export type DeliveryRow = typeof webhookDeliveries.$inferSelect;

/** An attempt without an outcome after this time was lost. Longer than a receiver may take. */
export const CLAIM_MS = 60_000;
/**
 * A redelivery during an attempt is due this much later than its claim ends, at most: a millisecond for each time that it was asked for.
 * The claim of a later attempt ends later than that.
 */
const MOST_ASKED_MS = 30_000;
/** Limits the rows that are read to count the test events of an account. */
const NEWEST_DELIVERIES = 1000;

type Due = Pick<DeliveryRow, 'id' | 'attempts'>;

/** How a claimed attempt ended, and what follows. */
interface Outcome extends Pick<DeliveryRow, 'status' | 'step' | 'nextAttemptAt' | 'lastError'> {
  /** Null if no request was sent. */
  sent: { at: number; statusCode: number | null } | null;
}

/**
 * The statement that runs in one batch with the end of a task: a delivery of its event for the callback_url and for each
 * subscribed endpoint of another URL, because the callback of a task goes on when an endpoint is deleted. It writes nothing unless the
 * preceding statement ended the task at `now`.
 */
export function announcement(
  db: DrizzleD1Database,
  about: { accountId: string; taskId: string; type: TaskEventType; now: number },
) {
  const { accountId, taskId, type, now } = about;
  const status = type === 'task.completed' ? 'completed' : 'failed';
  // In the order of the table's columns.
  const rows = sql`
    select ${idHead('webhook_delivery', now)} || lower(hex(randomblob(8))), ended.account_id,
      ${newId('event', now)}, ${type}, ended.id, receiver.endpoint_id, receiver.url,
      'pending', 0, 0, ${now}, null, null, null, ${now}
    from tasks as ended join (
      select id as endpoint_id, url from webhook_endpoints
      where account_id = ${accountId} and disabled_at is null
        and url is not (select json_extract(input, '$.callback_url') from tasks where id = ${taskId})
        and (events is null or exists (select 1 from json_each(events) where value = ${type}))
      union all
      select null, json_extract(input, '$.callback_url') from tasks where id = ${taskId}
    ) as receiver
    where ended.id = ${taskId} and ended.account_id = ${accountId} and ended.status = ${status}
      and ended.completed_at = ${now} and receiver.url is not null`;
  return db
    .insert(webhookDeliveries)
    .select(rows)
    .onConflictDoNothing()
    .returning({ id: webhookDeliveries.id });
}

export interface DeliveryFilter {
  taskId?: string | undefined;
  status?: DeliveryStatus | undefined;
  /** Only deliveries with a smaller id. */
  before?: string | undefined;
}

/** The deliveries of an account, newest first. A task has few, so they are found by task and then sorted. */
export function deliveryListQuery(
  db: DrizzleD1Database,
  accountId: string,
  { taskId, status, before }: DeliveryFilter,
  limit: number,
) {
  const { id } = webhookDeliveries;
  // A unary plus keeps SQLite from using an index of that column.
  const named = taskId === undefined ? sql`` : sql.raw('+');
  return db
    .select()
    .from(webhookDeliveries)
    .where(
      and(
        sql`${named}${webhookDeliveries.accountId} = ${accountId}`,
        taskId === undefined ? undefined : eq(webhookDeliveries.taskId, taskId),
        status === undefined ? undefined : sql`${named}${webhookDeliveries.status} = ${status}`,
        before === undefined ? undefined : lt(id, before),
      ),
    )
    .orderBy(sql`${named}${id} desc`)
    .limit(limit);
}

/** Whether fewer test events of the account are pending among its newest deliveries. */
const fewerTests = (accountId: string, most: number) => sql`(select count(*) from (
    select type, status from webhook_deliveries where account_id = ${accountId} order by id desc limit ${NEWEST_DELIVERIES}
  ) where type = 'webhook.test' and status = 'pending') < ${most}`;

export function webhookDeliveriesRepo(db: DrizzleD1Database) {
  const own = (accountId: string, id: string) =>
    and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.accountId, accountId));
  return {
    /**
     * Writes the delivery of a test event, with its limit in the same statement.
     * @returns null if `most` test events of the account are pending among its newest deliveries
     */
    async createTest(
      row: Pick<DeliveryRow, 'id' | 'accountId' | 'eventId' | 'endpointId' | 'url' | 'createdAt'>,
      most: number,
    ): Promise<DeliveryRow | null> {
      const { id, accountId, eventId, endpointId, url, createdAt } = row;
      // In the order of the table's columns.
      const values = sql`
        select ${id}, ${accountId}, ${eventId}, 'webhook.test', null, ${endpointId}, ${url},
          'pending', 0, 0, ${createdAt}, null, null, null, ${createdAt}
        where ${fewerTests(accountId, most)}`;
      const [made] = await db.insert(webhookDeliveries).select(values).returning();
      return made ?? null;
    },

    /** Newest first. */
    async list(accountId: string, filter: DeliveryFilter, limit: number): Promise<DeliveryRow[]> {
      return deliveryListQuery(db, accountId, filter, limit);
    },

    async read(accountId: string, id: string): Promise<DeliveryRow | null> {
      const rows = await db.select().from(webhookDeliveries).where(own(accountId, id)).limit(1);
      return rows[0] ?? null;
    },

    /** Claims the attempt that is due until `until`. @returns null if it is claimed, or if none is due */
    async claim(id: string, now: number, until: number): Promise<DeliveryRow | null> {
      const rows = await db
        .update(webhookDeliveries)
        .set({ nextAttemptAt: until })
        .where(
          and(
            eq(webhookDeliveries.id, id),
            eq(webhookDeliveries.status, 'pending'),
            lte(webhookDeliveries.nextAttemptAt, now),
          ),
        )
        .returning();
      return rows[0] ?? null;
    },

    /**
     * Writes the outcome of a claimed attempt. If its claim is over, because the delivery was restarted or another consumer has claimed
     * it, the attempt is only counted.
     * @returns how many attempts were made, or null if the claim is over
     */
    async settle(
      { id, nextAttemptAt: until }: DeliveryRow,
      { sent, ...next }: Outcome,
    ): Promise<number | null> {
      const one = eq(webhookDeliveries.id, id);
      const counted = sent ? { attempts: sql`${webhookDeliveries.attempts} + 1` } : {};
      const [settled] = await db
        .update(webhookDeliveries)
        .set({
          ...next,
          ...counted,
          ...(sent ? { lastAttemptAt: sent.at, lastStatusCode: sent.statusCode } : {}),
        })
        .where(
          and(
            one,
            eq(webhookDeliveries.status, 'pending'),
            sql`${webhookDeliveries.nextAttemptAt} = ${until}`,
          ),
        )
        .returning({ attempts: webhookDeliveries.attempts });
      if (settled) return settled.attempts;
      if (sent) await db.update(webhookDeliveries).set(counted).where(one);
      return null;
    },

    /**
     * Restarts the schedule of attempts, unless that is of a test event and `mostTests` are pending: null, as without such a delivery. If one may be under way, the next is due when the claim of that one ends, so a receiver that does
     * not answer gets one request at a time, however often a redelivery is asked for.
     */
    async restart(
      accountId: string,
      id: string,
      now: number,
      mostTests: number,
    ): Promise<DeliveryRow | null> {
      const { type, status, nextAttemptAt: due } = webhookDeliveries;
      const room = or(ne(type, 'webhook.test'), eq(status, 'pending'), fewerTests(accountId, mostTests));
      const claimed = sql`${status} = 'pending' and ${due} between ${now + 1} and ${now + CLAIM_MS + MOST_ASKED_MS}`;
      const rows = await db
        .update(webhookDeliveries)
        .set({
          ...{ status: 'pending', step: 0 },
          nextAttemptAt: sql`case when ${claimed} then ${due} + 1 else ${now} end`,
        })
        .where(and(own(accountId, id), room))
        .returning();
      return rows[0] ?? null;
    },

    /**
     * Makes a redelivery due that was asked for during a claimed attempt which is over.
     * @returns how many attempts were made, or null if there is none
     */
    async advance({ id, accountId, nextAttemptAt }: DeliveryRow, now: number): Promise<number | null> {
      const until = nextAttemptAt ?? 0;
      const { status, nextAttemptAt: due, attempts } = webhookDeliveries;
      const asked = and(eq(status, 'pending'), between(due, until + 1, until + MOST_ASKED_MS));
      const [advanced] = await db
        .update(webhookDeliveries)
        .set({ nextAttemptAt: now })
        .where(and(own(accountId, id), asked))
        .returning({ attempts });
      return advanced?.attempts ?? null;
    },

    /**
     * Makes attempts due that were scheduled before the clock was set back: their delivery started, or was last tried, after
     * now.
     */
    async hasten(now: number, slack: number, due: number): Promise<void> {
      const { status, nextAttemptAt, lastAttemptAt, createdAt } = webhookDeliveries;
      await db
        .update(webhookDeliveries)
        .set({ nextAttemptAt: due })
        .where(
          and(
            eq(status, 'pending'),
            gt(nextAttemptAt, now + slack),
            sql`coalesce(${lastAttemptAt}, ${createdAt}) > ${now + slack}`,
          ),
        );
    },

    /** Deliveries whose attempt was due before `before`: never queued, or lost on the way. */
    async overdue(before: number, limit: number): Promise<Due[]> {
      return db
        .select({ id: webhookDeliveries.id, attempts: webhookDeliveries.attempts })
        .from(webhookDeliveries)
        .where(and(eq(webhookDeliveries.status, 'pending'), lt(webhookDeliveries.nextAttemptAt, before)))
        .orderBy(webhookDeliveries.nextAttemptAt)
        .limit(limit);
    },

    /** @returns how many deliveries were removed */
    async removeBefore(before: number, limit: number): Promise<number> {
      const old = db
        .select({ id: webhookDeliveries.id })
        .from(webhookDeliveries)
        .where(lt(webhookDeliveries.createdAt, before))
        .limit(limit);
      const removed = await db.delete(webhookDeliveries).where(inArray(webhookDeliveries.id, old));
      return removed.meta.changes;
    },
  };
}
