/** `npm run admin`: manages accounts and keys of the local or the deployed service. */
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type PlanName, planNames } from '../schema/api/plans.ts';
import { idPattern } from '../schema/task/ids.ts';
import {
  insertAccount,
  insertKey,
  revokeKey,
  type Subscription,
  selectAccount,
  selectAccounts,
  selectKeys,
  updateAccount,
} from './account-records.ts';
import { d1, type Execute } from './d1.ts';
import { home, instanceAt } from './lib/paths.mjs';
import { localSecrets } from './lib/secrets.mjs';

const USAGE = `npm run admin -- <command> [options]

  account create --plan ${planNames.join('|')} --name NAME
  account list
  account set --id acct_… [--plan ${planNames.join('|')}] [--subscription active|inactive]
  key create --account acct_… [--label LABEL]     prints the key, once
  key list [--account acct_…]
  key revoke --id key_…

  --remote   uses the deployed database, with the pepper in KEY_PEPPER and wrangler's login;
             the default is the local database of npm start`;

class UsageError extends Error {}

const text = (what: string) =>
  z
    .string({ error: `${what} is missing` })
    .trim()
    .min(1, { error: `${what} is empty` })
    .max(100, { error: `${what} is longer than 100 characters` })
    .regex(/^\P{Cc}*$/u, { error: `${what} contains control characters` });

const inputs = {
  name: text('--name'),
  label: text('--label').default('made by npm run admin'),
  plan: z.enum(planNames, { error: `--plan: expected ${planNames.join(', ')}` }),
  subscription: z.enum(['active', 'inactive'], { error: '--subscription: expected active or inactive' }),
  account: z.string().regex(idPattern('account'), { error: '--account: expected an id such as acct_…' }),
  accountId: z.string().regex(idPattern('account'), { error: '--id: expected an id such as acct_…' }),
  keyId: z.string().regex(idPattern('key'), { error: '--id: expected an id such as key_…' }),
};

function read<S extends z.ZodType>(schema: S, value: string | undefined): z.output<S> {
  const result = schema.safeParse(value);
  if (!result.success) throw new UsageError(result.error.issues[0]?.message ?? 'not valid');
  return result.data;
}

interface Options {
  plan?: string | undefined;
  name?: string | undefined;
  id?: string | undefined;
  subscription?: string | undefined;
  account?: string | undefined;
  label?: string | undefined;
}

interface Command {
  /** The options it accepts, in addition to --remote. */
  takes: readonly (keyof Options)[];
  run(options: Options, execute: Execute, pepper: () => string): Promise<unknown>;
}

const commands: Record<string, Command> = {
  'account create': {
    takes: ['plan', 'name'],
    async run(options, execute) {
      const plan = read(inputs.plan, options.plan);
      const name = read(inputs.name, options.name);
      const { id, statement } = insertAccount({ name, plan });
      await execute(statement);
      return { id, name, plan, subscription: 'active' };
    },
  },
  'account list': {
    takes: [],
    run: async (_, execute) => (await execute(selectAccounts()))[0],
  },
  'account set': {
    takes: ['id', 'plan', 'subscription'],
    async run(options, execute) {
      const id = read(inputs.accountId, options.id);
      const change: { plan?: PlanName; subscription?: Subscription } = {};
      if (options.plan !== undefined) change.plan = read(inputs.plan, options.plan);
      if (options.subscription !== undefined) {
        change.subscription = read(inputs.subscription, options.subscription);
      }
      if (Object.keys(change).length === 0)
        throw new UsageError('Nothing to set: give --plan or --subscription');
      const [rows] = await execute(updateAccount(id, change));
      if (rows?.length !== 1) throw new UsageError(`There is no account ${id}`);
      return { id, ...change };
    },
  },
  'key create': {
    takes: ['account', 'label'],
    async run(options, execute, pepper) {
      const accountId = read(inputs.account, options.account);
      const label = read(inputs.label, options.label);
      const [rows] = await execute(selectAccount(accountId));
      if (rows?.length !== 1) throw new UsageError(`There is no account ${accountId}`);
      const { id, key, statement } = await insertKey(accountId, label, pepper());
      await execute(statement);
      return { id, account_id: accountId, label, key };
    },
  },
  'key list': {
    takes: ['account'],
    async run(options, execute) {
      const account = options.account === undefined ? undefined : read(inputs.account, options.account);
      return (await execute(selectKeys(account)))[0];
    },
  },
  'key revoke': {
    takes: ['id'],
    async run(options, execute) {
      const id = read(inputs.keyId, options.id);
      const [rows] = await execute(revokeKey(id));
      if (rows?.length !== 1) throw new UsageError(`There is no key ${id}`);
      return { id, revoked: true };
    },
  },
};

function parseCommandLine() {
  const string = { type: 'string' } as const;
  try {
    return parseArgs({
      allowPositionals: true,
      options: {
        plan: string,
        name: string,
        id: string,
        subscription: string,
        account: string,
        label: string,
        remote: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function remotePepper(): string {
  const pepper = process.env.KEY_PEPPER;
  if (!pepper) throw new UsageError('KEY_PEPPER is not set: with --remote it must hold the deployed pepper');
  return pepper;
}

async function main(): Promise<void> {
  const { positionals, values } = parseCommandLine();
  const { remote, help, ...options } = values;
  if (help) return console.log(USAGE);
  const command = commands[positionals.join(' ')];
  if (!command) throw new UsageError(`Unknown command: ${positionals.join(' ') || '(none)'}`);
  for (const name of Object.keys(options) as (keyof Options)[]) {
    if (!command.takes.includes(name)) throw new UsageError(`${positionals.join(' ')} takes no --${name}`);
  }
  const instance = instanceAt(home);
  const execute = d1(remote ? { remote: instance } : { local: instance });
  const pepper = () => (remote ? remotePepper() : localSecrets().KEY_PEPPER);
  console.log(JSON.stringify(await command.run(options, execute, pepper), null, 2));
}

try {
  await main();
} catch (error) {
  process.exitCode = 1;
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${USAGE}`);
  } else {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const output = `${stdout}${stderr}`.trim();
    if (/no such table/i.test(output))
      console.error('The database has no tables yet: run npm start once first.');
    else console.error(output || error);
  }
}
