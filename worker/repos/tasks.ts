import { and, eq, inArray, lt, lte, or, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { accounts, type StageTimes, tasks } from '../../drizzle/tables.ts';
import {
  liveStatuses,
  type Stage,
  type TaskError,
  type TaskPlan,
  type Warning,
} from '../../schema/task/task.ts';
import type { Metering, Result } from '../../schema/task/wire.ts';
import { line, prospects } from './line.ts';
import type { TaskRow, TaskView } from './task-row.ts';
import { noteSources } from './task-sources.ts';
import { noteUploads } from './uploads.ts';
import { addUsage, costOf } from './usage.ts';
import { announcement } from './webhook-deliveries.ts';

type NewTask = Pick<
  TaskRow,
  | 'id'
  | 'accountId'
  | 'seq'
  | 'requestId'
  | 'operation'
  | 'input'
  | 'metadata'
  | 'createdAt'
  | 'expectedSeconds'
>;

/** What a task completes with: its result, or the plan of a dry run. */
type Product = { result: Result; expiresAt: number } | { plan: TaskPlan; warnings: Warning[] };

/** What follows the end of a task: the deliveries of its event. */
interface Ended {
  deliveries: { id: string }[];
}

const own = (accountId: string, id: string) => and(eq(tasks.id, id), eq(tasks.accountId, accountId));
const ownLive = (accountId: string, id: string) =>
  and(own(accountId, id), inArray(tasks.status, liveStatuses));

export function tasksRepo(db: DrizzleD1Database) {
  return {
    /**
     * Writes a new task, the tasks and uploads that it reads, and the account's rate-limit state in one batch.
     * @returns the expected seconds until it is done; null while unknown
     */
    async create(
      task: NewTask,
      sourceIds: readonly string[],
      rate: { remaining: number; resetAt: number },
    ): Promise<number | null> {
      const [, , made] = await db.batch([
        db.insert(tasks).values({
          ...task,
          status: 'queued',
          stage: 'waiting',
          progressPercent: 0,
          attempt: 0,
        }),
        db
          .update(accounts)
          .set({ rateRemaining: rate.remaining, rateResetAt: rate.resetAt })
          .where(eq(accounts.id, task.accountId)),
        db
          .select({ etaSeconds: tasks.etaSeconds, expectedSeconds: tasks.expectedSeconds, line })
          .from(tasks)
          .where(eq(tasks.id, task.id)),
        ...(sourceIds.length > 0
          ? [noteSources(db, task.id, sourceIds), noteUploads(db, task.id, sourceIds)]
          : []),
      ]);
      const [row] = made;
      return row ? prospects(row, row.line).etaSeconds : null;
    },

    async read(accountId: string, id: string): Promise<TaskView | null> {
      const rows = await db.select({ task: tasks, line }).from(tasks).where(own(accountId, id)).limit(1);
      const [row] = rows;
      return row ? { ...row.task, ...prospects(row.task, row.line) } : null;
    },

    /** A task of any account, for a signed link, which identifies the task. */
    async readSigned(id: string): Promise<TaskRow | null> {
      const rows = await db.select().from(tasks).where(eq(tasks.id, id)).limit(1);
      return rows[0] ?? null;
    },

    /** Records that an attempt has started. */
    async begin(
      accountId: string,
      id: string,
      attempt: number,
      now: number,
      leaseExpiresAt: number,
    ): Promise<void> {
      await db
        .update(tasks)
        .set({
          status: 'processing',
          stage: 'fetching',
          progressPercent: 0,
          attempt,
          startedAt: sql`coalesce(${tasks.startedAt}, ${now})`,
          leaseExpiresAt,
          stageTimes: { fetching: now },
        })
        .where(ownLive(accountId, id));
    },

    /** Records where an attempt is, and that it has started if `begin` could not be written. */
    async progress(
      accountId: string,
      id: string,
      attempt: number,
      {
        since,
        ...at
      }: {
        stage: Stage;
        progressPercent: number;
        etaSeconds: number | null;
        leaseExpiresAt: number;
        /** When the stages that are reported with it began. */
        since: StageTimes;
      },
    ): Promise<void> {
      const times = sql`iif(${tasks.attempt} = ${attempt}, coalesce(${tasks.stageTimes}, '{}'), '{}')`;
      const noted = Object.entries(since).map(([stage, time]) => sql`, ${`$.${stage}`}, ${time}`);
      await db
        .update(tasks)
        .set({
          ...at,
          ...{ status: 'processing', attempt },
          startedAt: sql`coalesce(${tasks.startedAt}, ${Math.min(...Object.values(since))})`,
          stageTimes: sql`json_insert(${times}${sql.join(noted)})`,
        })
        .where(
          and(
            own(accountId, id),
            or(
              and(eq(tasks.attempt, attempt), eq(tasks.status, 'processing')),
              and(lt(tasks.attempt, attempt), inArray(tasks.status, liveStatuses)),
            ),
          ),
        );
    },

    /** Queues a task again until this attempt begins. */
    async requeue(accountId: string, id: string, attempt: number): Promise<void> {
      await db
        .update(tasks)
        .set({
          status: 'queued',
          stage: 'waiting',
          progressPercent: 0,
          etaSeconds: null,
          leaseExpiresAt: null,
        })
        .where(and(own(accountId, id), lt(tasks.attempt, attempt), eq(tasks.status, 'processing')));
    },

    /**
     * The only commit of a success. It also succeeds for an attempt whose start could not be recorded, but not for one that a
     * later attempt has replaced.
     * @returns null, with nothing changed, if another attempt or an end came first.
     */
    async complete(
      accountId: string,
      id: string,
      attempt: number,
      product: Product,
      metering: Metering | undefined,
      now: number,
    ): Promise<Ended | null> {
      const current = and(ownLive(accountId, id), lte(tasks.attempt, attempt));
      const commit = db
        .update(tasks)
        .set({
          status: 'completed',
          stage: 'done',
          progressPercent: 100,
          etaSeconds: null,
          leaseExpiresAt: null,
          attempt,
          startedAt: sql`min(coalesce(${tasks.startedAt}, ${now}), ${now})`,
          completedAt: now,
          ...('plan' in product ? { plan: product } : product),
        })
        .where(current)
        .returning({ id: tasks.id });
      const [, changed, deliveries] = await db.batch([
        addUsage(
          db,
          current,
          costOf('completed', 'result' in product ? product.result : null, metering),
          now,
        ),
        commit,
        announcement(db, { accountId, taskId: id, type: 'task.completed', now }),
      ]);
      return changed.length === 1 ? { deliveries } : null;
    },

    /**
     * Whether the task was completed by exactly this attempt with exactly these files (null: without files). Two machines may
     * have run the same attempt.
     */
    async isResultOf(
      accountId: string,
      id: string,
      attempt: number,
      files: Result['files'] | null,
    ): Promise<boolean> {
      const rows = await db
        .select({ result: tasks.result })
        .from(tasks)
        .where(and(own(accountId, id), eq(tasks.attempt, attempt), eq(tasks.status, 'completed')));
      const taken = new Set(rows[0]?.result?.files.map(({ key }) => key));
      if (files === null) return rows.length === 1 && taken.size === 0;
      return files.length > 0 && files.every(({ key }) => taken.has(key));
    },

    /** Fails a live task in the stage that its error names. @returns null if it had already ended. */
    async fail(
      accountId: string,
      id: string,
      { error, metering }: { error: TaskError; metering?: Metering | undefined },
      now: number,
    ): Promise<Ended | null> {
      const current = ownLive(accountId, id);
      const commit = db
        .update(tasks)
        .set({
          status: 'failed',
          startedAt: sql`min(${tasks.startedAt}, ${now})`,
          stage: error.stage,
          error,
          etaSeconds: null,
          leaseExpiresAt: null,
          completedAt: now,
        })
        .where(current)
        .returning({ id: tasks.id });
      const [, changed, deliveries] = await db.batch([
        addUsage(db, current, costOf('failed', null, metering), now),
        commit,
        announcement(db, { accountId, taskId: id, type: 'task.failed', now }),
      ]);
      return changed.length === 1 ? { deliveries } : null;
    },

    async remove(accountId: string, id: string): Promise<boolean> {
      const changed = await db.delete(tasks).where(own(accountId, id)).returning({ id: tasks.id });
      return changed.length === 1;
    },
  };
}
