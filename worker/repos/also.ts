import type { BatchItem } from 'drizzle-orm/batch';
import type { DrizzleD1Database } from 'drizzle-orm/d1';

/** Statements that are written together with another write, directly after it. */
export type Also = (db: DrizzleD1Database) => BatchItem<'sqlite'>[];

export const nothingElse: Also = () => [];
