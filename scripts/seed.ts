/** Run by `npm start`: creates one account per plan, each with a key, and a person who owns them; the keys are stored in the instance's keys.json. */
import { z } from 'zod';
import { planNames } from '../schema/api/plans.ts';
import { looksLikeKey, makeKey } from '../worker/lib/api-key.ts';
import { ensureAccount, ensureKey } from './account-records.ts';
import { d1, type Statement } from './d1.ts';
import { readJson, writeJson } from './lib/json-file.mjs';
import { instanceAt } from './lib/paths.mjs';
import { ensureMember } from './people-records.ts';
import { OWNER } from './seeded-owner.ts';

const input = z.object({ dir: z.string(), pepper: z.string().min(32) });
const { dir, pepper } = input.parse({ dir: process.argv[2], pepper: process.env.KEY_PEPPER });
const instance = instanceAt(dir);
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
await d1({ local: instance })(...statements);
