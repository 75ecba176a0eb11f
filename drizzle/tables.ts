import { index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { OperationName } from '../schema/operations/index.ts';
import type { PlanName } from '../schema/plans.ts';
import type { Stage, Status, TaskError } from '../schema/task.ts';
import type { Result } from '../schema/wire.ts';

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
  },
  (table) => [
    index('tasks_account_created').on(table.accountId, table.createdAt, table.id),
    index('tasks_account_status').on(table.accountId, table.status, table.createdAt, table.id),
    index('tasks_account_operation').on(table.accountId, table.operation, table.createdAt, table.id),
    index('tasks_account_line').on(table.accountId, table.status, table.seq),
    index('tasks_status_lease').on(table.status, table.leaseExpiresAt),
    index('tasks_expired').on(table.filesRemovedAt, table.expiresAt),
    index('tasks_ended').on(table.completedAt),
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
