import type { Service } from '../../harness.ts';
import { keepOutOfLogs } from '../../log-canaries.ts';
import { Browser, signIn } from './browser.ts';
import { rows } from './rows.ts';

/** A person who is signed in, and has an account of their own. */
export interface Somebody {
  browser: Browser;
  email: string;
  /** Path of the account. */
  account: string;
  /** Id of the account. */
  id: string;
}

let people = 0;

export async function somebody(service: Service): Promise<Somebody> {
  const email = `person-${++people}@example.com`;
  const browser = new Browser(service);
  const { path } = await signIn(service, browser, email);
  const [, id = ''] = /^\/app\/(acct_\w+)\//.exec(path) ?? [];
  if (id === '') throw new Error(`${email} has no account: ${path}`);
  return { browser, email, account: `/app/${id}`, id };
}

/** The key that a page shows. */
export function keyIn({ text }: Browser): string {
  const key = /spool_live_\w+/.exec(text)?.[0] ?? '';
  if (key === '') throw new Error('the page shows no key');
  keepOutOfLogs(key);
  return key;
}

/** The first key of an account with this label. */
export async function keyIdOf(service: Service, account: string, label: string): Promise<string | undefined> {
  const query = 'select id from keys where account_id = ? and label = ? order by created_at';
  const [first] = await rows<{ id: string }>(service, query, account, label);
  return first?.id;
}

export async function makeKey(
  { browser, account }: Pick<Somebody, 'browser' | 'account'>,
  label = 'CI',
  lifetime = 'never',
): Promise<string> {
  await browser.open(`${account}/keys`);
  await browser.submit(`${account}/keys`, { label, lifetime });
  return keyIn(browser);
}

/** Runs the cron job as of a time. */
export async function sweep({ worker }: Service, at = Date.now()): Promise<void> {
  const { outcome } = await worker.scheduled({ scheduledTime: new Date(at), cron: '*/5 * * * *' });
  if (outcome !== 'ok') throw new Error(`the cron job: ${outcome}`);
}
