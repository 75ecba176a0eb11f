/** `npm run admin`: manages accounts, keys and incidents of the local or the deployed service. */
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { z } from 'zod';
import { type PlanName, planNames } from '../schema/api/plans.ts';
import {
  insertAccount,
  insertKey,
  noteChange,
  noteKey,
  noteRevocation,
  revokeKey,
  type Subscription,
  selectAccount,
  selectAccounts,
  selectKeys,
  updateAccount,
} from './account-records.ts';
import { idOf, read, text, UsageError } from './admin-input.ts';
import { d1, type Execute } from './d1.ts';
import { incidentCommands, incidentUsage } from './incident-commands.ts';
import { readJson } from './lib/json-file.mjs';
import { home, instanceAt, root } from './lib/paths.mjs';
import { localSecrets } from './lib/secrets.mjs';
import { ensureMember, insertSignInLink, operatorNote, selectRole } from './people-records.ts';

const USAGE = `npm run admin -- <command> [options]

  account create --plan ${planNames.join('|')} --name NAME
  account list
  account set --id acct_… [--plan ${planNames.join('|')}] [--subscription active|inactive]
  key create --account acct_… [--label LABEL]     prints the key, once
  key list [--account acct_…]
  key revoke --id key_…
  invite --email ADDRESS [--account acct_…] [--role owner|member]
                                                  prints a link that signs this address in, once, within a day;
                                                  with --account as a member of that account
${incidentUsage}

  --remote   uses the deployed database, with the pepper in KEY_PEPPER and wrangler's login;
             the default is the local database of npm start`;

const inputs = {
  name: text('--name'),
  label: text('--label').default('made by npm run admin'),
  plan: z.enum(planNames, { error: `--plan: expected ${planNames.join(', ')}` }),
  subscription: z.enum(['active', 'inactive'], { error: '--subscription: expected active or inactive' }),
  account: idOf('account', '--account'),
  accountId: idOf('account', '--id'),
  email: z
    .string({ error: '--email is missing' })
    .trim()
    .toLowerCase()
    .max(254, { error: '--email is longer than 254 characters' })
    .pipe(z.email({ error: '--email: expected an address such as ada@example.com' })),
  role: z.enum(['owner', 'member'], { error: '--role: expected owner or member' }).default('owner'),
  keyId: idOf('key', '--id'),
};

interface Options {
  plan?: string | undefined;
  name?: string | undefined;
  id?: string | undefined;
  subscription?: string | undefined;
  account?: string | undefined;
  label?: string | undefined;
  email?: string | undefined;
  role?: string | undefined;
  title?: string | undefined;
  text?: string | undefined;
  part?: string | undefined;
}

interface Secrets {
  pepper(): string;
  /** The address of the service that the database belongs to. */
  publicUrl(): Promise<string> | string;
}

interface Command {
  /** The options it accepts, in addition to --remote. */
  takes: readonly (keyof Options)[];
  run(options: Options, execute: Execute, secrets: Secrets): Promise<unknown>;
}

const commands: Record<string, Command> = {
  ...incidentCommands,
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
      const [, rows] = await execute(noteChange(id, change), updateAccount(id, change));
      if (rows?.length !== 1) throw new UsageError(`There is no account ${id}`);
      return { id, ...change };
    },
  },
  'key create': {
    takes: ['account', 'label'],
    async run(options, execute, { pepper }) {
      const accountId = read(inputs.account, options.account);
      const label = read(inputs.label, options.label);
      const [rows] = await execute(selectAccount(accountId));
      if (rows?.length !== 1) throw new UsageError(`There is no account ${accountId}`);
      const { id, key, statement } = await insertKey(accountId, label, pepper());
      await execute(statement, noteKey(accountId, label));
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
      const [, rows] = await execute(noteRevocation(id), revokeKey(id));
      if (rows?.length !== 1) throw new UsageError(`There is no key ${id}`);
      return { id, revoked: true };
    },
  },
  invite: {
    takes: ['email', 'account', 'role'],
    async run(options, execute, { pepper, publicUrl }) {
      const email = read(inputs.email, options.email);
      const role = read(inputs.role, options.role);
      const account = options.account === undefined ? null : read(inputs.account, options.account);
      if (account === null && options.role !== undefined) throw new UsageError('--role needs --account');
      if (account !== null) {
        const [rows] = await execute(selectAccount(account));
        if (rows?.length !== 1) throw new UsageError(`There is no account ${account}`);
      }
      const { link, expiresAt, statement } = await insertSignInLink(email, await publicUrl(), pepper());
      const membership =
        account === null
          ? []
          : [...ensureMember(account, email, role), operatorNote(account, email), selectRole(account, email)];
      const rows = await execute(...membership, statement);
      return {
        email,
        ...(account === null ? {} : { account_id: account, role: rows[membership.length - 1]?.[0]?.role }),
        link,
        expires_at: expiresAt,
      };
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
        email: string,
        role: string,
        title: string,
        text: string,
        part: string,
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

/** PUBLIC_URL of wrangler.toml. */
async function deployedUrl(): Promise<string> {
  // Takes a second to load, and only this needs it.
  const { experimental_readRawConfig } = await import('wrangler');
  const { vars } = experimental_readRawConfig({ config: join(root, 'wrangler.toml') }).rawConfig;
  return z.url().parse(vars?.PUBLIC_URL);
}

/** The running local service, or the address it has by default. */
function localUrl(devFile: string): string {
  const running: { base_url?: string } | null = readJson(devFile);
  return running?.base_url ?? `http://127.0.0.1:${process.env.PORT || '8787'}`;
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
  const secrets: Secrets = {
    pepper: () => (remote ? remotePepper() : localSecrets().KEY_PEPPER),
    publicUrl: () => (remote ? deployedUrl() : localUrl(instance.devFile)),
  };
  console.log(JSON.stringify(await command.run(options, execute, secrets), null, 2));
}

try {
  await main();
} catch (error) {
  process.exitCode = 1;
  if (error instanceof UsageError) {
    console.error(`${error.message}\n\n${USAGE}`);
  } else {
    const { stdout = '', stderr = '' } = error as { stdout?: string; stderr?: string };
    const output = `${stdout}${stderr}`.trim() || (error instanceof Error ? error.message : '');
    if (/no such (table|column)|has no column/i.test(output)) {
      const remedy = process.argv.includes('--remote')
        ? 'npx wrangler d1 migrations apply spool --remote'
        : 'npm start once';
      console.error(`The database lacks tables of this release: run ${remedy} first.`);
    } else console.error(output || error);
  }
}
