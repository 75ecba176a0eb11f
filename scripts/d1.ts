import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import type { SQL } from 'drizzle-orm';
import { SQLiteSyncDialect } from 'drizzle-orm/sqlite-core';
import { z } from 'zod';
import type { Instance } from './lib/paths.mjs';
import { root } from './lib/paths.mjs';
import { database, wranglerCommand, wranglerEnv } from './lib/wrangler.mjs';

/** A statement from drizzle's query builders. */
export interface Statement {
  getSQL(): SQL;
}

/** Runs statements together and returns the rows of each, by column name. */
export type Execute = (...statements: Statement[]) => Promise<Record<string, unknown>[][]>;

const results = z.array(z.object({ results: z.array(z.record(z.string(), z.unknown())) }));
const dialect = new SQLiteSyncDialect();

/** How long a locked database is waited for. */
const LOCK_MS = 10_000;

/** The SQL of a statement with its values quoted inline, because `wrangler d1 execute` accepts no parameters. */
export function sqlText(statement: Statement): string {
  return dialect.sqlToQuery(statement.getSQL().inlineParams()).sql;
}

/** The D1 database of a local instance, or the deployed one through `wrangler d1 execute`. */
export function d1(where: { local: Instance } | { remote: Instance }): Execute {
  return 'local' in where ? inFile(where.local) : deployed(where.remote);
}

/** Opens the file in which workerd keeps the database. `wrangler d1 execute --local` starts another workerd for that, which takes seconds. */
function inFile({ state }: Instance): Execute {
  return async (...statements) => {
    const path = databaseFile(state);
    // workerd writes to the same file while the service runs.
    const db = new DatabaseSync(path, { timeout: LOCK_MS });
    try {
      db.exec('BEGIN IMMEDIATE');
      const rows = statements.map((statement) => db.prepare(sqlText(statement)).all());
      db.exec('COMMIT');
      return rows;
    } finally {
      // Rolls back what was not committed.
      db.close();
    }
  };
}

function databaseFile(state: string): string {
  const directory = join(state, 'v3', 'd1', 'miniflare-D1DatabaseObject');
  const files = existsSync(directory) ? readdirSync(directory) : [];
  const [file, ...others] = files.filter((name) => name.endsWith('.sqlite') && name !== 'metadata.sqlite');
  if (file === undefined) throw new Error(`no such table: there is no database in ${directory}`);
  if (others.length > 0) throw new Error(`${directory} has more than one database`);
  return join(directory, file);
}

function deployed(instance: Instance): Execute {
  return async (...statements) => {
    const sql = statements.map(sqlText).join(';\n');
    const command = wranglerCommand([
      'd1',
      'execute',
      database,
      '--json',
      '--remote',
      '--yes',
      '--command',
      sql,
    ]);
    const options = { cwd: root, env: wranglerEnv(instance), maxBuffer: 64 * 1024 * 1024 };
    const { stdout } = await promisify(execFile)(process.execPath, command, options);
    return results.parse(JSON.parse(stdout)).map((result) => result.results);
  };
}
