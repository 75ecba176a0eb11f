/**
 * Run by `npm start` before the service, in one process with one workerd: applies migrations, creates one account per plan with a key
 * and a person who owns them, stores the sample, and prints a link that signs in as that person. The keys are stored in the
 * instance's keys.json.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { D1Database, R2Bucket } from '@cloudflare/workers-types';
import { getPlatformProxy } from 'wrangler';
import { z } from 'zod';
import { planNames } from '../schema/api/plans.ts';
import { looksLikeKey, makeKey } from '../worker/lib/api-key.ts';
import { ensureAccount, ensureKey } from './account-records.ts';
import { type Statement, sqlText } from './d1.ts';
import { readJson, writeJson } from './lib/json-file.mjs';
import { instanceAt, root } from './lib/paths.mjs';
import { migrate } from './migrations.ts';
import { ensureMember, insertSignInLink } from './people-records.ts';
import { OWNER } from './seeded-owner.ts';

const input = z.object({
  dir: z.string(),
  pepper: z.string().min(32),
  /** A file to store as the sample. */
  sample: z.string().optional(),
  /** The address of the service that is about to start. */
  url: z.url().optional(),
});
const { DIR, SAMPLE, BASE_URL, KEY_PEPPER } = process.env;
const { dir, pepper, sample, url } = input.parse({
  dir: DIR,
  pepper: KEY_PEPPER,
  sample: SAMPLE,
  url: BASE_URL,
});
const instance = instanceAt(dir);

/** The same state that `wrangler dev --persist-to` uses. */
const local = await getPlatformProxy<{ DB: D1Database; FILES: R2Bucket }>({
  configPath: join(root, 'wrangler.toml'),
  persist: { path: join(instance.state, 'v3') },
});
const { DB: db, FILES: files } = local.env;
try {
  await migrate(db);
  const link = url === undefined ? null : await insertSignInLink(OWNER, url, pepper);
  const statements = [...(await seeds()), ...(link ? [link.statement] : [])];
  await db.batch(statements.map((statement) => db.prepare(sqlText(statement))));
  if (sample !== undefined) {
    const httpMetadata = { contentType: 'video/mp4' };
    await files.put('samples/sample.mp4', await readFile(sample), { httpMetadata });
  }
  if (link) console.log(link.link);
} finally {
  await local.dispose();
}

/** What does not exist yet of the accounts, their keys and their owner. */
async function seeds(): Promise<Statement[]> {
  const known: Record<string, unknown> = readJson(instance.keysFile) ?? {};
  const keys: Record<string, string> = {};
  const statements: Statement[] = [];
  for (const [index, plan] of planNames.entries()) {
    const found = known[plan];
    const key = typeof found === 'string' && looksLikeKey(found) ? found : makeKey();
    const number = String(index + 1).padStart(26, '0');
    const accountId = `acct_${number}`;
    keys[plan] = key;
    statements.push(ensureAccount({ id: accountId, name: `Local ${plan}`, plan }));
    const { statement } = await ensureKey(`key_${number}`, accountId, 'made by npm start', key, pepper);
    statements.push(statement, ...ensureMember(accountId, OWNER, 'owner'));
  }
  writeJson(instance.keysFile, keys);
  return statements;
}
