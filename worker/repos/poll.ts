import { and, Column, eq, fillPlaceholders, sql } from 'drizzle-orm';
import { QueryBuilder } from 'drizzle-orm/sqlite-core';
import { accounts, keys, tasks } from '../../drizzle/tables.ts';
import { keyIsValid, type Principal, principalColumns } from './keys.ts';
import { line, lineOf, prospects } from './line.ts';
import { type TaskRow, type TaskView, taskColumns } from './task-row.ts';

/**
 * The query of a poll, which is the most frequent one: it authenticates and reads in a single statement. Its text is built once
 * per isolate and its rows are mapped by hand, because building it each time costs more than the database takes to answer.
 */
const fields = {
  ...prefixed('principal', principalColumns),
  ...prefixed('task', taskColumns),
  line,
};

const query = new QueryBuilder()
  .select(fields)
  .from(keys)
  .innerJoin(accounts, eq(accounts.id, keys.accountId))
  .leftJoin(tasks, and(eq(tasks.id, sql.placeholder('id')), eq(tasks.accountId, accounts.id)))
  .where(and(eq(keys.hash, sql.placeholder('hash')), keyIsValid(sql.placeholder('now'))))
  .limit(1)
  .toSQL();

const readers = Object.entries(fields).map(([path, field]) => {
  const [group = '', name = ''] = path.split('.');
  const read = (value: unknown) =>
    value !== null && field instanceof Column ? field.mapFromDriverValue(value) : value;
  return { group, name, read };
});

export const pollStatement = (hash: string, id: string, now: number) => ({
  sql: query.sql,
  params: fillPlaceholders(query.params, { hash, id, now }),
});

/** D1 or one of its sessions. */
interface Database {
  prepare(sql: string): { bind(...values: unknown[]): { raw<T>(): Promise<T[]> } };
}

interface Poll {
  principal: Principal;
  /** Null if the account has no such task. */
  task: TaskView | null;
}

/** @returns null for an unknown, revoked or expired key. */
export async function poll(db: Database, hash: string, id: string): Promise<Poll | null> {
  const { sql, params } = pollStatement(hash, id, Date.now());
  const [row] = await db
    .prepare(sql)
    .bind(...params)
    .raw<unknown[]>();
  if (!row) return null;
  const groups: Record<string, Record<string, unknown>> = { principal: {}, task: {} };
  let before: string | null = null;
  for (const [index, { group, name, read }] of readers.entries()) {
    const value = read(row[index]);
    const target = groups[group];
    if (target) target[name] = value;
    else before = value as string | null;
  }
  const task = groups.task as unknown as TaskRow;
  const ahead = before === null ? null : lineOf(before);
  return {
    principal: groups.principal as unknown as Principal,
    task: task.id === null ? null : { ...task, ...prospects(task, ahead) },
  };
}

function prefixed<P extends string, T extends Record<string, Column>>(prefix: P, columns: T) {
  return Object.fromEntries(
    Object.entries(columns).map(([name, column]) => [`${prefix}.${name}`, column]),
  ) as Record<`${P}.${string}`, Column>;
}
