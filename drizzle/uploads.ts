import { sql } from 'drizzle-orm';
import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import type { ErrorCode } from '../schema/api/errors.ts';
import { accounts, tasks } from './tables.ts';

const time = (name: string) => integer(name, { mode: 'number' });

/** Files that callers send, of which tasks can be made. */
export const uploads = sqliteTable(
  'uploads',
  {
    id: text('id').primaryKey(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id),
    status: text('status', { enum: ['waiting', 'ready', 'failed'] }).notNull(),
    fileName: text('file_name').notNull(),
    sizeBytes: integer('size_bytes').notNull(),
    mediaType: text('media_type'),
    /** Hexadecimal, as the caller gave it. */
    sha256: text('sha256'),
    /** Of the multipart upload in R2; null for a file that is sent whole. */
    multipartId: text('multipart_id'),
    error: text('error', { mode: 'json' }).$type<{ code: ErrorCode; detail: string }>(),
    createdAt: time('created_at').notNull(),
    completedAt: time('completed_at'),
    expiresAt: time('expires_at').notNull(),
    /** When its file was deleted; until then its size counts as stored. */
    fileRemovedAt: time('file_removed_at'),
    /** Until when one request alone reads the whole file to check it. */
    checkedUntil: time('checked_until'),
  },
  (table) => [
    index('uploads_account').on(table.accountId, table.id),
    index('uploads_stored')
      .on(table.accountId, table.status, table.sizeBytes)
      .where(sql`${table.fileRemovedAt} is null`),
    index('uploads_expired').on(table.fileRemovedAt, table.expiresAt),
  ],
);

/** Which tasks read which uploads. */
export const uploadSources = sqliteTable(
  'upload_sources',
  {
    uploadId: text('upload_id')
      .notNull()
      .references(() => uploads.id, { onDelete: 'cascade' }),
    taskId: text('task_id')
      .notNull()
      .references(() => tasks.id, { onDelete: 'cascade' }),
  },
  (table) => [
    primaryKey({ columns: [table.uploadId, table.taskId] }),
    index('upload_sources_task').on(table.taskId),
  ],
);
