import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { DatabaseSync, type SQLInputValue } from 'node:sqlite';

const migrations = resolve(import.meta.dirname, '../../../../drizzle/migrations');

/** As much of D1 as drizzle calls, over an SQLite in memory with all migrations: for models that run thousands of statements. */
export function sqliteD1() {
  const database = new DatabaseSync(':memory:');
  for (const name of readdirSync(migrations).sort()) {
    if (name.endsWith('.sql')) database.exec(readFileSync(join(migrations, name), 'utf8'));
  }
  const prepare = (sql: string, values: SQLInputValue[] = []) => {
    const all = () => ({ results: database.prepare(sql).all(...values), success: true, meta: {} });
    return {
      bind: (...bound: SQLInputValue[]) => prepare(sql, bound),
      run: async () => all(),
      all: async () => all(),
      raw: async () => all().results.map((row) => Object.values(row)),
      inBatch: all,
    };
  };
  const d1 = {
    prepare,
    async batch(statements: { inBatch: () => unknown }[]) {
      database.exec('begin');
      try {
        const results = statements.map((statement) => statement.inBatch());
        database.exec('commit');
        return results;
      } catch (error) {
        database.exec('rollback');
        throw error;
      }
    },
  };
  return { d1, database };
}
