import { prepared, type Service } from '../../harness.ts';

export async function rows<T>(service: Service, sql: string, ...values: unknown[]): Promise<T[]> {
  const { DB } = await service.bindings();
  const statement = prepared(DB, sql);
  return (await (values.length === 0 ? statement : statement.bind(...values)).all<T>()).results;
}

const tables = [
  ...['accounts', 'keys', 'people', 'members', 'invitations', 'passkeys', 'identities', 'audit_events'],
  ...[
    'webhook_endpoints',
    'webhook_secrets',
    'webhook_deliveries',
    'tasks',
    'billing',
    'account_deletions',
    'trials',
  ],
];

/** All that is stored of people and accounts. Sessions and challenges come and go. */
export async function everything(service: Service): Promise<Record<string, unknown[]>> {
  const { DB } = await service.bindings();
  const answers = await DB.batch(tables.map((name) => prepared(DB, `select * from ${name}`)));
  return Object.fromEntries(tables.map((name, index) => [name, answers[index]?.results ?? []]));
}

/** Makes the last proof of identity of a person an hour old. */
export const makeStale = (service: Service, email: string) =>
  rows(
    service,
    'update sessions set proven_at = proven_at - 3600000 where person_id = (select id from people where email = ?)',
    email,
  );

export const peopleAt = (service: Service, email: string) =>
  rows<{ id: string }>(service, 'select id from people where email = ?', email);

export const sessionsAt = (service: Service, email: string) =>
  rows<{ id: string }>(
    service,
    'select id from sessions where person_id = (select id from people where email = ?)',
    email,
  );

/** Lets every known client have asked for as many codes, passkeys and returns from GitHub as an hour allows. @returns what undoes it */
export async function askOften(service: Service): Promise<() => Promise<unknown>> {
  await rows(
    service,
    `with recursive number(n) as (select 1 union all select n + 1 from number where n < 100)
     insert into challenges (id, purpose, browser, caller, secret_hash, next, tries, created_at, expires_at)
     select 'often_' || n || caller, 'passkey', '', caller, 'often_' || n || caller, '', 0, ?1, ?1
     from number join (select distinct caller from challenges)`,
    Date.now(),
  );
  return () => rows(service, "delete from challenges where id like 'often_%'");
}
