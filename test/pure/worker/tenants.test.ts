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
  'limit-notices.open': 'sweeps for the operator',
  'limit-notices.claim': 'sweeps for the operator',
  'limit-notices.removeBefore': 'sweeps for the operator',
  'people/audit.removeBefore': 'sweeps for the operator',
  'people/billing.ofCustomer': 'finds the account by the id that Stripe knows it by',
  'people/billing.due': 'sweeps for the operator',
  'people/billing.graceOver': 'sweeps for the operator',
  'people/challenges.create': 'is about a browser, with or without a session',
  'people/challenges.tryCode': 'is about the browser that was asked',
  'people/challenges.read': 'finds a challenge by the hash of its secret',
  'people/challenges.take': 'finds a challenge by the hash of its secret',
  'people/challenges.removeExpired': 'sweeps for the operator',
  'people/due-mails.of': 'is about mails that the request has written',
  'people/due-mails.writtenBefore': 'sweeps for the operator',
  'people/due-mails.remove': 'is about a mail that is in the queue',
  'people/deletions.deletePerson': 'its person is the one who is signed in',
  'people/deletions.open': 'sweeps for the operator',
  'people/members.invitationsFor': 'is about the proven address of a person',
  'people/members.decline': 'is about the proven address of a person',
  'people/members.removeExpiredInvitations': 'sweeps for the operator',
  'people/passkeys.add': 'its row names the person',
  'people/passkeys.find': 'finds the person by the id of a passkey',
  'people/passkeys.noteUse': 'is about the passkey that was used',
  'people/people.ensure': 'finds or creates the person of a proven address',
  'people/people.addFirstAccount': 'its person is the one who is signed in',
  'people/people.endTrials': 'sweeps for the operator',
  'people/people.changeEmail': 'its id is that of the person who is signed in',
  'people/people.byIdentity': 'finds the person whom GitHub names',
  'people/people.connect': 'its row names the person',
  'people/trials.had': 'is about the hash of a proven address',
  'people/trials.removeBefore': 'sweeps for the operator',
  'people/sessions.begin': 'its row names the person',
  'people/sessions.find': 'finds the person by the hash of the cookie',
  'people/sessions.touch': 'is about the session of the request',
  'people/sessions.prove': 'is about the session of the request',
  'people/sessions.removeExpired': 'sweeps for the operator',
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
  'status.writeAndRead': 'is about the service itself',
  'status.addProbes': 'is about the service itself',
  'status.probesSince': 'is about the service itself',
  'status.setDays': 'is about the service itself',
  'status.history': 'is about the service itself',
  'status.removeBefore': 'sweeps for the operator',
  'tasks.readSigned': 'reads the task that a signature of ours names',
  'uploads.expired': 'sweeps for the operator',
  'uploads.filesRemoved': 'sweeps for the operator',
  'uploads.removeBefore': 'sweeps for the operator',
  'uploads.kept': 'sweeps for the operator',
  'webhook-deliveries.claim': 'takes what a message of our own queue names',
  'webhook-deliveries.settle': 'writes what came of a claimed delivery',
  'webhook-deliveries.hasten': 'sweeps for the operator',
  'webhook-deliveries.overdue': 'sweeps for the operator',
  'webhook-deliveries.removeBefore': 'sweeps for the operator',
  'webhook-secrets.removeExpired': 'sweeps for the operator',
};

/** Without a database: objects by key, what containers say; and the poll, whose one query finds the account itself. */
const otherwise = [
  'files.ts',
  'people/outbox.ts',
  'poll.ts',
  'status-objects.ts',
  'transcoder-state.ts',
  'upload-files.ts',
];

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

const methods = readdirSync(repos, { encoding: 'utf8', recursive: true })
  .filter((file) => file.endsWith('.ts'))
  .filter((file) => !otherwise.includes(file))
  .flatMap(methodsOf);

describe('every question to the database', () => {
  test.each(methods.filter(({ name }) => !(name in exempt)))(
    '$name is about one account or person',
    ({ text }) => {
      const [parameters = ''] = text.split(/\{\n/, 1);
      expect(parameters).toMatch(
        /\b(account|person)Id\b|\bNew(?:Task|Upload)\b|'accountId'|EndpointRow|\bchange: Change\b/,
      );
      expect(text.slice(parameters.length)).toMatch(
        /(account|person)Id|\.\.\.(?:task|row)|own\(|ofAccount\(/,
      );
    },
  );

  test('that is not has its reason, and every reason its question', () => {
    const names = methods.map(({ name }) => name);
    expect(Object.keys(exempt).filter((name) => !names.includes(name))).toEqual([]);
    expect(names.length).toBeGreaterThan(30);
  });
});
