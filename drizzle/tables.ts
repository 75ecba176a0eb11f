import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { NoticedLimit, NoticedPercent } from '../schema/api/noticed-limits.ts';
import type { PlanName } from '../schema/api/plans.ts';
import type { DeliveryError, DeliveryStatus, EventType, TaskEventType } from '../schema/api/webhook.ts';
import type { OperationName } from '../schema/operations/index.ts';
import type { Stage, Status, TaskError, TaskPlan, Warning } from '../schema/task/task.ts';
import type { Result } from '../schema/task/wire.ts';
import { archivableAt, withoutFiles } from './archivable.ts';

/** Times by stage. */
export type StageTimes = Partial<Record<Stage, number>>;

/** Times are integers: milliseconds since the Unix epoch, UTC. */
const time = (name: string) => integer(name, { mode: 'number' });

export const accounts = sqliteTable('accounts', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  plan: text('plan').$type<PlanName>().notNull(),
  subscription: text('subscription', { enum: ['active', 'inactive'] }).notNull(),
  /** Creations left and when all tokens are back, as of the latest creation; polls read them for their RateLimit header. */
  rateRemaining: integer('rate_remaining'),
  rateResetAt: time('rate_reset_at'),
  createdAt: time('created_at').notNull(),
  /** When the free trial ends and the subscription becomes inactive; null unless the account is on trial. */
  trialEndsAt: time('trial_ends_at'),
  /** Until when a failed payment has to be made for the subscription to stay active; null if no payment has failed. */
  payBy: time('pay_by'),
});

export const keys = sqliteTable(
  'keys',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    label: text('label').notNull(),
    /** HMAC-SHA-256 of the key with the pepper, hex. */
    hash: text('hash').notNull().unique(),
    createdAt: time('created_at').notNull(),
    lastUsedAt: time('last_used_at'),
    revokedAt: time('revoked_at'),
    /** Null if it does not expire. */
    expiresAt: time('expires_at'),
    /**
     * How long the key was made to live, in milliseconds, and so the keys it is rolled into. If that is without an end: null, and 0 once a
     * roll ends it. Null with an end: made by a release that recorded no lifetimes.
     */
    lifetime: integer('lifetime'),
  },
  (table) => [index('keys_account').on(table.accountId)],
);

export const tasks = sqliteTable(
  'tasks',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    /** Order of admission within the account. */
    seq: integer('seq').notNull(),
    requestId: text('request_id').notNull(),
    operation: text('operation').$type<OperationName>().notNull(),
    status: text('status').$type<Status>().notNull(),
    stage: text('stage').$type<Stage>().notNull(),
    progressPercent: real('progress_percent').notNull(),
    etaSeconds: real('eta_seconds'),
    attempt: integer('attempt').notNull(),
    input: text('input', { mode: 'json' }).$type<Record<string, unknown>>().notNull(),
    metadata: text('metadata', { mode: 'json' }).$type<Record<string, string>>().notNull(),
    result: text('result', { mode: 'json' }).$type<Result>(),
    error: text('error', { mode: 'json' }).$type<TaskError>(),
    createdAt: time('created_at').notNull(),
    startedAt: time('started_at'),
    completedAt: time('completed_at'),
    expiresAt: time('expires_at'),
    leaseExpiresAt: time('lease_expires_at'),
    /** When the sweeper deleted its expired files. */
    filesRemovedAt: time('files_removed_at'),
    /** Expected duration, from earlier tasks of the account; null if there are none. */
    expectedSeconds: real('expected_seconds'),
    /** The result of a dry run. */
    plan: text('plan', { mode: 'json' }).$type<{ plan: TaskPlan; warnings: Warning[] }>(),
    /** When the latest attempt was first reported to be in each stage; null for tasks from before this was recorded. */
    stageTimes: text('stage_times', { mode: 'json' }).$type<StageTimes>(),
  },
  (table) => [
    index('tasks_account_created').on(table.accountId, table.createdAt, table.id),
    index('tasks_account_status').on(table.accountId, table.status, table.createdAt, table.id),
    index('tasks_account_operation').on(table.accountId, table.operation, table.createdAt, table.id),
    index('tasks_account_operation_status').on(
      table.accountId,
      table.operation,
      table.status,
      table.createdAt,
      table.id,
    ),
    index('tasks_account_line').on(table.accountId, table.status, table.seq, table.expectedSeconds),
    index('tasks_status_lease').on(table.status, table.leaseExpiresAt, table.id),
    index('tasks_expired').on(table.filesRemovedAt, table.expiresAt),
    // Only tasks without files, ordered by when they may be archived.
    index('tasks_archivable').on(archivableAt(table)).where(withoutFiles(table)),
  ],
);

/**
 * An object of the archive in R2 with tasks of one account created on one UTC day. Objects are never changed, only replaced.
 * They count while their row is `kept`; the sweeper cleans up rows that are `writing` or `removing`.
 */
export const archiveChunks = sqliteTable(
  'archive_chunks',
  {
    /** Key of the object in R2. */
    key: text('key').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    state: text('state', { enum: ['writing', 'kept', 'removing'] }).notNull(),
    /** The smallest and the largest task id in it. */
    firstId: text('first_id').notNull(),
    lastId: text('last_id').notNull(),
    /** The earliest and the latest creation time in it. */
    oldestAt: time('oldest_at').notNull(),
    newestAt: time('newest_at').notNull(),
    /** When the last of its tasks ended. */
    endedAt: time('ended_at').notNull(),
    /** When the retention of its account's plan ends. */
    removeAt: time('remove_at').notNull(),
    taskCount: integer('task_count').notNull(),
    /** The combinations of operation and status in it. */
    contents: text('contents', { mode: 'json' }).$type<[OperationName, Status][]>().notNull(),
    begunAt: time('begun_at').notNull(),
    /** The chunk that replaced it, without a deleted task. */
    replacedBy: text('replaced_by'),
  },
  (table) => [
    index('archive_chunks_list').on(table.accountId, table.newestAt, table.key),
    index('archive_chunks_find').on(table.accountId, table.lastId),
    index('archive_chunks_unfinished').on(table.state, table.begunAt).where(sql`${table.state} <> 'kept'`),
    index('archive_chunks_remove').on(table.removeAt),
  ],
);

/** Which tasks read the outputs of other tasks. */
export const taskSources = sqliteTable(
  'task_sources',
  {
    sourceId: text('source_id')
      .notNull()
      .references(() => tasks.id, { onDelete: 'cascade' }),
    taskId: text('task_id')
      .notNull()
      .references(() => tasks.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.sourceId, table.taskId] }),
    index('task_sources_task').on(table.taskId),
  ],
);

/** Usage of an account by operation and the UTC day on which its tasks ended. It outlives the tasks. */
export const usageDays = sqliteTable(
  'usage_days',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    /** `YYYY-MM-DD`. */
    day: text('day').notNull(),
    operation: text('operation').$type<OperationName>().notNull(),
    completed: integer('completed').notNull(),
    failed: integer('failed').notNull(),
    sourceSeconds: real('source_seconds').notNull(),
    outputSeconds: real('output_seconds').notNull(),
    processingSeconds: real('processing_seconds').notNull(),
    bytesRead: integer('bytes_read').notNull(),
    bytesStored: integer('bytes_stored').notNull(),
  },
  (table) => [primaryKey({ columns: [table.accountId, table.day, table.operation] })],
);

/** Limits of a plan that an account came close to or reached. The owners get one mail for each. */
export const limitNotices = sqliteTable(
  'limit_notices',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    limit: text('limit_name').$type<NoticedLimit>().notNull(),
    /** UTC month, `YYYY-MM`. */
    month: text('month').notNull(),
    percent: integer('percent').$type<NoticedPercent>().notNull(),
    notedAt: time('noted_at').notNull(),
    /** Null until the mails are queued. */
    mailedAt: time('mailed_at'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.limit, table.month, table.percent] }),
    index('limit_notices_open').on(table.notedAt).where(sql`${table.mailedAt} is null`),
    index('limit_notices_noted').on(table.notedAt),
  ],
);

/** Position of the sweeper's walk through the objects, which continues where the previous sweep ended. */
export const sweepPositions = sqliteTable('sweep_positions', {
  prefix: text('prefix').primaryKey(),
  /** The last key that was checked; empty at the start. */
  afterKey: text('after_key').notNull(),
});

/** Queue messages that failed more often than they are retried; kept for the operator. */
export const deadLetters = sqliteTable(
  'dead_letters',
  {
    queue: text('queue').notNull(),
    messageId: text('message_id').notNull(),
    body: text('body', { mode: 'json' }).$type<unknown>().notNull(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.queue, table.messageId] })],
);

export const webhookEndpoints = sqliteTable(
  'webhook_endpoints',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    url: text('url').notNull(),
    /** Types of events; null means all. */
    events: text('events', { mode: 'json' }).$type<TaskEventType[]>(),
    createdAt: time('created_at').notNull(),
    /** When the receiver answered 410. */
    disabledAt: time('disabled_at'),
  },
  (table) => [index('webhook_endpoints_account').on(table.accountId)],
);

export const webhookSecrets = sqliteTable(
  'webhook_secrets',
  {
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    /** The secret, sealed (schema/api/seal.ts). */
    sealed: text('sealed').notNull(),
    createdAt: time('created_at').notNull(),
    /** Null for the newest one. */
    expiresAt: time('expires_at'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.sealed] }),
    uniqueIndex('webhook_secrets_newest').on(table.accountId).where(sql`${table.expiresAt} is null`),
  ],
);

/** One event for one receiver: the pending delivery and its log entry. */
export const webhookDeliveries = sqliteTable(
  'webhook_deliveries',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    eventId: text('event_id').notNull(),
    type: text('type').$type<EventType>().notNull(),
    taskId: text('task_id'),
    endpointId: text('endpoint_id'),
    url: text('url').notNull(),
    status: text('status').$type<DeliveryStatus>().notNull(),
    /** Attempts made so far. */
    attempts: integer('attempts').notNull(),
    /** Position in the schedule of attempts; a redelivery restarts it. */
    step: integer('step').notNull(),
    /** When the next attempt is due, or when the claim of a running one ends, which identifies the claim; null unless pending. */
    nextAttemptAt: time('next_attempt_at'),
    lastAttemptAt: time('last_attempt_at'),
    lastStatusCode: integer('last_status_code'),
    lastError: text('last_error').$type<DeliveryError>(),
    createdAt: time('created_at').notNull(),
  },
  (table) => [
    index('webhook_deliveries_account').on(table.accountId, table.id),
    index('webhook_deliveries_account_status').on(table.accountId, table.status, table.id),
    index('webhook_deliveries_due').on(table.status, table.nextAttemptAt),
    index('webhook_deliveries_created').on(table.createdAt),
    // Each URL gets the end of a task once, even if it is reported several times.
    uniqueIndex('webhook_deliveries_once').on(table.taskId, table.url),
  ],
);
