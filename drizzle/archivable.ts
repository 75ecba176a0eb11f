import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import { ARCHIVE_AFTER_SECONDS } from '../schema/api/plans.ts';

type Ending = Record<'completedAt' | 'expiresAt' | 'filesRemovedAt', SQLWrapper>;

/** When a record may leave the database. An index contains these two expressions, so queries must use them unchanged. */
export function archivableAt({ completedAt, expiresAt }: Ending): SQL {
  const settled = sql`${completedAt} + ${sql.raw(String(ARCHIVE_AFTER_SECONDS * 1000))}`;
  // Not max(), because drizzle-kit splits expressions at commas.
  return sql`case when ${expiresAt} > ${settled} then ${expiresAt} else ${settled} end`;
}

export function withoutFiles({ completedAt, expiresAt, filesRemovedAt }: Ending): SQL {
  return sql`${completedAt} is not null and (${expiresAt} is null or ${filesRemovedAt} is not null)`;
}
