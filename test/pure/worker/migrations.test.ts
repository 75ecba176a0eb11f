import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { sql } from 'drizzle-orm';
import { getTableConfig, SQLiteAsyncDialect, type SQLiteTable } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import * as archivable from '../../../drizzle/archivable.ts';
import * as ofPeople from '../../../drizzle/people.ts';
import * as ofStatus from '../../../drizzle/status.ts';
import * as tables from '../../../drizzle/tables.ts';
import * as ofUploads from '../../../drizzle/uploads.ts';

const directory = resolve(import.meta.dirname, '../../../drizzle/migrations');
const DAY_MS = 24 * 3600_000;
const files = readdirSync(directory)
  .filter((name) => name.endsWith('.sql'))
  .sort();

function migrated(names: readonly string[]): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  for (const name of names) database.exec(readFileSync(join(directory, name), 'utf8'));
  return database;
}

interface Column {
  name: string;
  type: string;
  notnull: number;
  pk: number;
}

describe('the migrations', () => {
  it.each(files.map((_, index) => index + 1))(
    'apply on an empty database as a prefix of %i, with sound foreign keys',
    (count) => {
      const database = migrated(files.slice(0, count));
      expect(database.prepare('pragma foreign_key_check').all()).toEqual([]);
      expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
    },
  );

  it('keep the tasks that are there, and index them for the archive', () => {
    const database = migrated(files.slice(0, 5));
    database.exec(`insert into accounts values ('acct_1', 'a', 'basic', 'active', null, null, 1);
      insert into tasks (id, account_id, seq, request_id, operation, status, stage, progress_percent, attempt, input, metadata,
        created_at, completed_at, expires_at, files_removed_at) values
        ('live', 'acct_1', 1, 'r', 'cut', 'queued', 'waiting', 0, 0, '{}', '{}', 1, null, null, null),
        ('with_files', 'acct_1', 2, 'r', 'cut', 'completed', 'done', 100, 1, '{}', '{}', 1, 2, 9, null),
        ('without', 'acct_1', 3, 'r', 'cut', 'completed', 'done', 100, 1, '{}', '{}', 1, 2, 9, 10),
        ('failed', 'acct_1', 4, 'r', 'cut', 'failed', 'rendering', 0, 1, '{}', '{}', 1, 2, null, null)`);
    for (const name of files.slice(5)) database.exec(readFileSync(join(directory, name), 'utf8'));
    expect(database.prepare('pragma integrity_check').get()).toEqual({ integrity_check: 'ok' });
    const { withoutFiles, archivableAt } = archivable;
    const { sql: ready, params } = new SQLiteAsyncDialect().sqlToQuery(
      sql`select id from tasks indexed by tasks_archivable
        where ${withoutFiles(tables.tasks)} and ${archivableAt(tables.tasks)} <= ${2 + 7 * 24 * 3600_000} order by id`,
    );
    expect(database.prepare(ready).all(...(params as number[]))).toEqual([
      { id: 'failed' },
      { id: 'without' },
    ]);
  });

  it('note how long keys were made to live, unless a roll has shortened it', () => {
    const database = migrated(files.slice(0, 15));
    database.exec(`insert into accounts (id, name, plan, subscription, created_at) values ('acct_1', 'a', 'basic', 'active', 1);
      insert into keys (id, account_id, label, hash, created_at, expires_at) values
        ('month', 'acct_1', 'k', '1', 7, 7 + ${30 * DAY_MS}), ('quarter', 'acct_1', 'k', '2', 7, 7 + ${90 * DAY_MS}),
        ('year', 'acct_1', 'k', '3', 7, 7 + ${365 * DAY_MS}), ('rolled', 'acct_1', 'k', '4', 7, 9), ('always', 'acct_1', 'k', '5', 7, null)`);
    for (const name of files.slice(15)) database.exec(readFileSync(join(directory, name), 'utf8'));
    expect(database.prepare('select id, lifetime from keys order by hash').all()).toEqual([
      { id: 'month', lifetime: 30 * DAY_MS },
      { id: 'quarter', lifetime: 90 * DAY_MS },
      { id: 'year', lifetime: 365 * DAY_MS },
      { id: 'rolled', lifetime: null },
      { id: 'always', lifetime: null },
    ]);
  });

  it('stand in the journal, all and in order', () => {
    const journal = JSON.parse(readFileSync(join(directory, 'meta/_journal.json'), 'utf8'));
    expect(journal.entries.map((entry: { tag: string }) => `${entry.tag}.sql`)).toEqual(files);
  });

  it('make exactly the tables, columns and indexes that drizzle/ declares', () => {
    const database = migrated(files);
    const declared = Object.values({ ...tables, ...ofPeople, ...ofStatus, ...ofUploads } as Record<
      string,
      SQLiteTable
    >).map(getTableConfig);
    const made = database.prepare("select name from sqlite_master where type = 'table' order by name").all();
    expect(made.map(({ name }) => name)).toEqual(declared.map(({ name }) => name).sort());
    for (const table of declared) {
      const columns = database.prepare(`pragma table_info(${table.name})`).all() as unknown as Column[];
      const keys = table.primaryKeys.flatMap((key) => key.columns.map((column) => column.name));
      expect(
        columns.map(({ name, type, notnull, pk }) => ({
          name,
          type: type.toLowerCase(),
          notNull: notnull === 1,
          primary: pk > 0,
        })),
        table.name,
      ).toEqual(
        table.columns.map((column) => ({
          name: column.name,
          type: column.getSQLType(),
          notNull: column.notNull,
          primary: column.primary || keys.includes(column.name),
        })),
      );
      const indexes = database.prepare(`pragma index_list(${table.name})`).all() as {
        name: string;
        origin: string;
      }[];
      const named = indexes.filter(({ origin }) => origin === 'c').map(({ name }) => name);
      const unique = table.columns
        .filter((column) => column.isUnique)
        .map((column) => column.uniqueName ?? '');
      expect(named.sort(), table.name).toEqual(
        [...table.indexes.map(({ config }) => config.name), ...unique].sort(),
      );
    }
  });
});
