import { inArray, sql } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/** Whether a column has one of these values. A single parameter for any number, because D1 allows at most a hundred. */
export const isIn = (column: SQLiteColumn, values: readonly string[]) =>
  inArray(column, sql`(select value from json_each(${JSON.stringify(values)}))`);
