import { and, desc, eq, gt, isNull, lt, lte, not, or, sql } from 'drizzle-orm';
import type { DrizzleD1Database } from 'drizzle-orm/d1';
import { uploadSources, uploads } from '../../drizzle/uploads.ts';
import { isIn } from './is-in.ts';

export type UploadRow = typeof uploads.$inferSelect;

type NewUpload = Omit<UploadRow, 'status' | 'error' | 'completedAt' | 'fileRemovedAt' | 'checkedUntil'>;

/** The columns that decide whether an upload can be read. */
export type StoredUpload = Pick<UploadRow, 'id' | 'status' | 'expiresAt' | 'fileRemovedAt'>;

/** A claim that ends later than others by more than this was made before the clock was set back. Clocks differ by less. */
const SLACK_MS = 60_000;

/** The statement that records, in one batch with a new task, which uploads it reads. Uploads deleted by then are skipped. */
export function noteUploads(db: DrizzleD1Database, taskId: string, ids: readonly string[]) {
  return db.insert(uploadSources).select(
    db
      .select({ uploadId: uploads.id, taskId: sql<string>`${taskId}`.as('task_id') })
      .from(uploads)
      .where(isIn(uploads.id, ids)),
  );
}

/** Whether a live task reads the upload. */
const isRead = sql<number>`exists (
  select 1 from upload_sources as source join tasks as reader on reader.id = source.task_id
  where source.upload_id = uploads.id and reader.status in ('queued', 'processing')
)`;

export function uploadsRepo(db: DrizzleD1Database) {
  const own = (accountId: string, id: string) => and(eq(uploads.id, id), eq(uploads.accountId, accountId));

  return {
    /** @returns what the account has stored if one more would be too much, with nothing written; otherwise null */
    async create(
      row: NewUpload,
      most: { bytes: number; waiting: number },
    ): Promise<{ bytes: number; waiting: number } | null> {
      const { id, accountId, fileName, sizeBytes, mediaType, sha256, multipartId, createdAt, expiresAt } =
        row;
      const stored = sql`select coalesce(sum(size_bytes), 0) as bytes,
          coalesce(sum(status = 'waiting'), 0) as waiting
        from uploads where account_id = ${accountId} and file_removed_at is null`;
      const made = await db.all(sql`
        insert into uploads (id, account_id, status, file_name, size_bytes, media_type, sha256, multipart_id,
          created_at, expires_at)
        select ${id}, ${accountId}, 'waiting', ${fileName}, ${sizeBytes}, ${mediaType}, ${sha256},
          ${multipartId}, ${createdAt}, ${expiresAt}
        from (${stored}) as stored
        where stored.bytes + ${sizeBytes} <= ${most.bytes} and stored.waiting < ${most.waiting}
        returning id`);
      if (made.length === 1) return null;
      const [use] = await db.all<{ bytes: number; waiting: number }>(stored);
      return use ?? { bytes: 0, waiting: 0 };
    },

    async read(accountId: string, id: string): Promise<UploadRow | null> {
      const rows = await db.select().from(uploads).where(own(accountId, id)).limit(1);
      return rows[0] ?? null;
    },

    /** Newest first, those before this id. */
    async list(accountId: string, before: string | undefined, limit: number): Promise<UploadRow[]> {
      const earlier = before === undefined ? undefined : lt(uploads.id, before);
      return db
        .select()
        .from(uploads)
        .where(and(eq(uploads.accountId, accountId), earlier))
        .orderBy(desc(uploads.id))
        .limit(limit);
    },

    /** The uploads of the account among these. */
    async stored(accountId: string, ids: readonly string[]): Promise<Map<string, StoredUpload>> {
      const { id, status, expiresAt, fileRemovedAt } = uploads;
      const rows = await db
        .select({ id, status, expiresAt, fileRemovedAt })
        .from(uploads)
        .where(and(eq(uploads.accountId, accountId), isIn(uploads.id, ids)));
      return new Map(rows.map((row) => [row.id, row]));
    },

    /**
     * Claims the check of a waiting upload, or renews the claim that ends at `mine`.
     * @returns false if another request has it, or the upload does not wait
     */
    async claimCheck(
      accountId: string,
      id: string,
      claim: { now: number; until: number; mine: number | null },
    ): Promise<boolean> {
      const { checkedUntil, status } = uploads;
      const { now, until, mine } = claim;
      const over = or(isNull(checkedUntil), lte(checkedUntil, now), gt(checkedUntil, until + SLACK_MS));
      const free = mine === null ? over : eq(checkedUntil, mine);
      const rows = await db
        .update(uploads)
        .set({ checkedUntil: until })
        .where(and(own(accountId, id), eq(status, 'waiting'), free))
        .returning({ id: uploads.id });
      return rows.length === 1;
    },

    /** Gives up the claim that ends at `mine`. */
    async releaseCheck(accountId: string, id: string, mine: number): Promise<void> {
      await db
        .update(uploads)
        .set({ checkedUntil: null })
        .where(and(own(accountId, id), eq(uploads.checkedUntil, mine)));
    },

    /**
     * The outcome of a check, which may take minutes.
     * @returns null, with nothing changed, unless the upload was waiting and had not expired: the sweeper may have deleted its file
     */
    async settle(
      accountId: string,
      id: string,
      now: number,
      outcome: Partial<
        Pick<UploadRow, 'status' | 'mediaType' | 'error' | 'completedAt' | 'expiresAt' | 'fileRemovedAt'>
      >,
    ): Promise<UploadRow | null> {
      const rows = await db
        .update(uploads)
        .set(outcome)
        .where(and(own(accountId, id), eq(uploads.status, 'waiting'), gt(uploads.expiresAt, now)))
        .returning();
      return rows[0] ?? null;
    },

    /** Uploads whose time is over and whose file may still exist, except those that live tasks read. */
    async expired(now: number, limit: number): Promise<Pick<UploadRow, 'id' | 'multipartId'>[]> {
      const { id, multipartId } = uploads;
      return db
        .select({ id, multipartId })
        .from(uploads)
        .where(and(isNull(uploads.fileRemovedAt), lte(uploads.expiresAt, now), not(isRead)))
        .limit(limit);
    },

    async filesRemoved(ids: readonly string[], now: number): Promise<void> {
      await db.update(uploads).set({ fileRemovedAt: now }).where(isIn(uploads.id, ids));
    },

    /** Deletes up to `limit` records whose file was deleted before this time. @returns how many */
    async removeBefore(time: number, limit: number): Promise<number> {
      const old = sql`(select id from uploads where file_removed_at < ${time} limit ${limit})`;
      return (await db.delete(uploads).where(sql`${uploads.id} in ${old}`)).meta.changes;
    },

    /** Of these ids, the uploads whose file is still wanted. */
    async kept(ids: readonly string[]): Promise<Set<string>> {
      const rows = await db
        .select({ id: uploads.id })
        .from(uploads)
        .where(and(isIn(uploads.id, ids), isNull(uploads.fileRemovedAt)));
      return new Set(rows.map(({ id }) => id));
    },

    async ofAccount(accountId: string, limit: number): Promise<Pick<UploadRow, 'id' | 'multipartId'>[]> {
      const { id, multipartId } = uploads;
      return db
        .select({ id, multipartId })
        .from(uploads)
        .where(eq(uploads.accountId, accountId))
        .limit(limit);
    },

    async remove(accountId: string, ids: readonly string[]): Promise<void> {
      await db.delete(uploads).where(and(eq(uploads.accountId, accountId), isIn(uploads.id, ids)));
    },
  };
}
