import { execFile } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
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

/** The SQL of a statement with its values quoted inline, because `wrangler d1 execute` accepts no parameters. */
export function sqlText(statement: Statement): string {
  return dialect.sqlToQuery(statement.getSQL().inlineParams()).sql;
}

/** The D1 database of a local instance or the deployed one, through `wrangler d1 execute`. */
export function d1(where: { local: Instance } | { remote: Instance }): Execute {
  const instance = 'local' in where ? where.local : where.remote;
  const target = 'local' in where ? ['--local', '--persist-to', instance.state] : ['--remote', '--yes'];
  return async (...statements) => {
    const sql = statements.map(sqlText).join(';\n');
    const command = wranglerCommand(['d1', 'execute', database, '--json', ...target, '--command', sql]);
    const stdout = await unlocked(() => outputOf(command, instance));
    return results.parse(JSON.parse(stdout)).map((result) => result.results);
  };
}

async function outputOf(command: string[], instance: Instance): Promise<string> {
  const options = { cwd: root, env: wranglerEnv(instance), maxBuffer: 64 * 1024 * 1024 };
  return (await promisify(execFile)(process.execPath, command, options)).stdout;
}

/** Retries while the database is locked: a running service uses the same file, and workerd's SQLite does not wait for locks. */
async function unlocked<T>(attempt: () => Promise<T>): Promise<T> {
  for (let left = 9; ; left -= 1) {
    try {
      return await attempt();
    } catch (error) {
      if (left === 0 || !String((error as { stderr?: string }).stderr).includes('SQLITE_BUSY')) throw error;
      await setTimeout(200);
    }
  }
}
