/** Run by `npm start`: prints a link that signs in as the owner of the seeded accounts. */
import { z } from 'zod';
import { d1 } from './d1.ts';
import { instanceAt } from './lib/paths.mjs';
import { insertSignInLink } from './people-records.ts';
import { OWNER } from './seeded-owner.ts';

const input = z.object({ dir: z.string(), url: z.url(), pepper: z.string().min(32) });
const { dir, url, pepper } = input.parse({
  dir: process.argv[2],
  url: process.argv[3],
  pepper: process.env.KEY_PEPPER,
});
const { link, statement } = await insertSignInLink(OWNER, url, pepper);
await d1({ local: instanceAt(dir) })(statement);
console.log(link);
