import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';

const repos = resolve(import.meta.dirname, '../../../worker/repos');

/** What looks beyond one account, and why it may. */
const exempt: Record<string, string> = {
  'accounts.ping': 'reads no row of anybody',
  'accounts.plansOf': 'sweeps for the operator',
  'archive.move': 'sweeps for the operator',
  'archive.due': 'sweeps for the operator',
  'archive.postpone': 'sweeps for the operator',
  'archive.drop': 'sweeps for the operator',
  'archive.unfinished': 'sweeps for the operator',
  'dead-letters.record': 'keeps messages for the operator',
  'keys.findPrincipal': 'finds the account by the hash of its key',
  'keys.isActive': 'asks about the key that the caller has used',
  'keys.touch': 'is about the key that the caller has used',
  'retention.overdue': 'sweeps for the operator',
  'retention.waiting': 'sweeps for the operator',
  'retention.expired': 'sweeps for the operator',
  'retention.filesRemoved': 'sweeps for the operator',
  'retention.archivableDays': 'sweeps for the operator',
  'retention.archivable': 'sweeps for the operator',
  'retention.records': 'sweeps for the operator',
  'retention.holdings': 'sweeps for the operator',
  'retention.position': 'sweeps for the operator',
  'retention.setPosition': 'sweeps for the operator',
  'tasks.readSigned': 'reads the task that a signature of ours names',
  'webhook-deliveries.claim': 'takes what a message of our own queue names',
  'webhook-deliveries.settle': 'writes what came of a claimed delivery',
  'webhook-deliveries.hasten': 'sweeps for the operator',
  'webhook-deliveries.overdue': 'sweeps for the operator',
  'webhook-deliveries.removeBefore': 'sweeps for the operator',
  'webhook-secrets.removeExpired': 'sweeps for the operator',
};

/** Without a database: objects by key, what containers say, errors; and the poll, whose one query finds the account itself. */
const otherwise = ['files.ts', 'poll.ts', 'transcoder-state.ts', 'without-parameters.ts'];

interface Method {
  name: string;
  text: string;
}

function methodsOf(file: string): Method[] {
  const text = readFileSync(join(repos, file), 'utf8');
  const [, ...parts] = text.split(/\n {4}async (?=\w+\()/);
  return parts.map((part) => ({
    name: `${file.replace('.ts', '')}.${/^\w+/.exec(part)?.[0]}`,
    text: part,
  }));
}

const methods = readdirSync(repos)
  .filter((file) => !otherwise.includes(file))
  .flatMap(methodsOf);

describe('every question to the database', () => {
  test.each(methods.filter(({ name }) => !(name in exempt)))('$name is about one account', ({ text }) => {
    const [parameters = ''] = text.split(/\{\n/, 1);
    expect(parameters).toMatch(/\baccountId\b|\bNewTask\b|'accountId'|EndpointRow/);
    expect(text.slice(parameters.length)).toMatch(/accountId|\.\.\.(?:task|row)|own\(|ofAccount\(/);
  });

  test('that is not has its reason, and every reason its question', () => {
    const names = methods.map(({ name }) => name);
    expect(Object.keys(exempt).filter((name) => !names.includes(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(30);
  });
});
