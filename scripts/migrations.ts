import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { D1Database } from '@cloudflare/workers-types';
import { root } from './lib/paths.mjs';

/** The table in which `wrangler d1 migrations apply` notes what has run. */
const noted = `CREATE TABLE IF NOT EXISTS d1_migrations(
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  name TEXT UNIQUE,
  applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL
)`;
const BETWEEN_STATEMENTS = '--> statement-breakpoint';

/** Applies the migrations that a database lacks, each in one transaction. @returns their names. */
export async function migrate(db: D1Database): Promise<string[]> {
  const directory = join(root, 'drizzle/migrations');
  await db.prepare(noted).run();
  const { results } = await db.prepare('SELECT name FROM d1_migrations').all<{ name: string }>();
  const applied = new Set(results.map(({ name }) => name));
  const files = (await readdir(directory)).filter((name) => name.endsWith('.sql') && !applied.has(name));
  for (const name of files.sort()) {
    const sql = await readFile(join(directory, name), 'utf8');
    await db.batch([
      ...sql.split(BETWEEN_STATEMENTS).map((statement) => db.prepare(statement)),
      db.prepare('INSERT INTO d1_migrations (name) VALUES (?)').bind(name),
    ]);
  }
  return files;
}
