import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { cursorOf, placeOfCursor } from '../../../worker/lib/text/cursor.ts';
import { type TaskFilter, taskListQuery } from '../../../worker/repos/task-list.ts';

const migrations = resolve(import.meta.dirname, '../../../drizzle/migrations');

/** How SQLite goes about a page of the list. */
function plan(filter: TaskFilter): string[] {
  const database = new DatabaseSync(':memory:');
  for (const name of readdirSync(migrations).sort())
    if (name.endsWith('.sql')) database.exec(readFileSync(resolve(migrations, name), 'utf8'));
  const { sql, params } = new SQLiteAsyncDialect().sqlToQuery(taskListQuery('acct_1', filter, 21));
  const steps = database.prepare(`explain query plan ${sql}`).all(...(params as (string | number)[]));
  return steps.map(({ detail }) => String(detail));
}

const place = { createdAt: 1_763_632_800_000, id: `task_${'0'.repeat(26)}` };

describe('a page of the list of tasks', () => {
  it.each<[string, TaskFilter, string]>([
    ['no filter', {}, 'tasks_account_created'],
    ['a status', { status: 'failed' }, 'tasks_account_status'],
    ['an operation', { operation: 'cut' }, 'tasks_account_operation'],
    ['an operation and a status', { operation: 'cut', status: 'failed' }, 'tasks_account_operation_status'],
    ['a time', { createdAfter: 1, createdBefore: 2 }, 'tasks_account_created'],
  ])('with %s is read off an index in its order, first page or later', (_, filter, index) => {
    for (const after of [undefined, place]) {
      const [first, ...rest] = plan({ ...filter, after });
      expect(first).toMatch(new RegExp(`SEARCH tasks USING INDEX ${index} \\(account_id=\\?`));
      if (after) expect(first).toMatch(/created_at<\?|\(created_at,id\)</);
      expect(rest.join(), 'nothing is sorted').not.toContain('ORDER BY');
    }
  });
});

describe('a cursor', () => {
  it('gives back the place it was made of, in letters that need no escape in an address', () => {
    const cursor = cursorOf(place);
    expect(encodeURIComponent(cursor)).toBe(cursor);
    expect(placeOfCursor(cursor)).toEqual(place);
  });

  it.each(['', '!', 'a', 'abc', btoa('12'), btoa('x task_1'), btoa("1 task_1' or 1=1"), 'é'])(
    'that is no such text, %j, is known as none',
    (text) => expect(placeOfCursor(text)).toBeNull(),
  );
});
