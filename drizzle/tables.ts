import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, real, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import type { PlanName } from '../schema/api/plans.ts';
import type { DeliveryError, DeliveryStatus, EventType, TaskEventType } from '../schema/api/webhook.ts';
import type { OperationName } from '../schema/operations/index.ts';
import type { Stage, Status, TaskError, TaskPlan, Warning } from '../schema/task/task.ts';
import type { Result } from '../schema/task/wire.ts';
import { archivableAt, withoutFiles } from './archivable.ts';

/** Times are integers: milliseconds since the Unix epoch, UTC. */
const time = (name: string) => integer(name, { mode: 'number' });

export const accounts = sqliteTable('accounts', {
  id: text('id').primaryKey(),
  name: text('name').notNull(),
  plan: text('plan').$type<PlanName>().notNull(),
  subscription: text('subscription', { enum: ['active', 'inactive'] }).notNull(),
  /** Creations left and when all are back, as of the newest creation: read by polls for their RateLimit header. */
  rateRemaining: integer('rate_remaining'),
  rateResetAt: time('rate_reset_at'),
  createdAt: time('created_at').notNull(),
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
    /** When the sweeper found its files expired and deleted them. */
    filesRemovedAt: time('files_removed_at'),
    /** How long the work is expected to take, by what its account has seen of such work; null where it has seen none. */
    expectedSeconds: real('expected_seconds'),
    /** What a dry run ended with. */
    plan: text('plan', { mode: 'json' }).$type<{ plan: TaskPlan; warnings: Warning[] }>(),
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
    // Only tasks without files, by when they may be archived.
    index('tasks_archivable').on(archivableAt(table)).where(withoutFiles(table)),
  ],
);

/**
 * An object of the archive in R2: tasks of one account created on one UTC day. Objects are never changed, only replaced, and
 * count while their row is `kept`; whatever is `writing` or `removing` the sweeper cleans up.
 */
export const archiveChunks = sqliteTable(
  'archive_chunks',
  {
    /** Of the object in R2. */
    key: text('key').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    state: text('state', { enum: ['writing', 'kept', 'removing'] }).notNull(),
    /** The smallest and the largest id in it. */
    firstId: text('first_id').notNull(),
    lastId: text('last_id').notNull(),
    /** The earliest and the latest creation in it. */
    oldestAt: time('oldest_at').notNull(),
    newestAt: time('newest_at').notNull(),
    /** When the last of its tasks ended. */
    endedAt: time('ended_at').notNull(),
    /** When the plan of its account lets it go. */
    removeAt: time('remove_at').notNull(),
    taskCount: integer('task_count').notNull(),
    /** Which operations ended how: pairs of operation and status. */
    contents: text('contents', { mode: 'json' }).$type<[OperationName, Status][]>().notNull(),
    begunAt: time('begun_at').notNull(),
    /** The chunk that took its place, without a task that was deleted. */
    replacedBy: text('replaced_by'),
  },
  (table) => [
    index('archive_chunks_list').on(table.accountId, table.newestAt, table.key),
    index('archive_chunks_find').on(table.accountId, table.lastId),
    index('archive_chunks_unfinished').on(table.state, table.begunAt).where(sql`${table.state} <> 'kept'`),
    index('archive_chunks_remove').on(table.removeAt),
  ],
);

/** Which tasks read the outputs of which others. */
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

/** What an account's tasks have cost, by the UTC day and operation they ended on. It outlives the tasks. */
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

/** How far the walk of the sweeper through the objects has come: it goes on where the tick before ended. */
export const sweepPositions = sqliteTable('sweep_positions', {
  prefix: text('prefix').primaryKey(),
  /** The last key that was looked at; empty at the beginning. */
  afterKey: text('after_key').notNull(),
});

/** What failed on its way through a queue more often than is retried; kept for the operator. */
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
    /** Types of events; null: all. */
    events: text('events', { mode: 'json' }).$type<TaskEventType[]>(),
    createdAt: time('created_at').notNull(),
    /** When it answered 410. */
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
    /** The secret, sealed (worker/lib/seal.ts). */
    sealed: text('sealed').notNull(),
    createdAt: time('created_at').notNull(),
    /** Null: the newest one. */
    expiresAt: time('expires_at'),
  },
  (table) => [
    primaryKey({ columns: [table.accountId, table.sealed] }),
    uniqueIndex('webhook_secrets_newest').on(table.accountId).where(sql`${table.expiresAt} is null`),
  ],
);

/** One event for one receiver: what is to be delivered, and the log of it. */
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
    /** How many attempts were made; the fencing number of the next. */
    attempts: integer('attempts').notNull(),
    /** Place in the schedule of attempts; a redelivery begins it anew. */
    step: integer('step').notNull(),
    /** When the next attempt is due, or when one under way is given up for lost; null unless pending. */
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
    // The end of a task is told to an address once, whatever is reported how often.
    uniqueIndex('webhook_deliveries_once').on(table.taskId, table.url),
  ],
);
