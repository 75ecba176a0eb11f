import type { Fault } from '../fault.ts';

const signIn = 'test/worker/pages/sign-in.test.ts';
const sessions = 'test/worker/pages/sessions.test.ts';
const access = 'test/worker/pages/access.test.ts';
const account = 'test/worker/pages/account.test.ts';
const stream = 'test/worker/pages/task-stream.test.ts';
const tasks = 'test/worker/pages/tasks.test.ts';
const otherSites = {
  file: access,
  name: '%s takes no form of another site, and none without the token of the session',
};

/** Sessions, codes and links, forms, members. */
export const people: readonly Fault[] = [
  {
    guard: 'an open stream of a task looks them up before every event',
    file: 'worker/pages/tasks/task-stream.ts',
    find: 'context.sessions.reaches(signedIn.session.id, accountId, Date.now())',
    plant: 'Promise.resolve(true)',
    test: { file: stream, name: 'ends with the session' },
  },
  {
    guard: 'an open stream of a task looks them up before every event',
    file: 'worker/repos/people/sessions.ts',
    find: 'and(eq(members.personId, sessions.personId), eq(members.accountId, accountId))',
    plant: 'eq(members.personId, sessions.personId)',
    test: { file: stream, name: 'ends for a member who is removed, and goes on for the others' },
  },
  {
    guard: 'Metadata, file names, transcripts and details of errors are escaped in every page',
    file: 'worker/pages/tasks/task-row.tsx',
    find: '          {key}: {value}',
    plant: '          <b dangerouslySetInnerHTML={{ __html: value }} />',
    test: {
      file: tasks,
      name: 'are shown as they are, and change nothing of the page around them: %s',
    },
  },
  {
    guard: 'A page of an account of others looks the same as one that does not exist',
    file: 'worker/pages/tasks/own-task.ts',
    find: '(await findTask(visit.core, visit.caller.accountId, id))',
    plant: '((await visit.core.tasks.readSigned(id)) as never)',
    test: { file: tasks, name: 'is found by the members of its account only' },
  },
  {
    guard: 'works for 10 minutes, 5 tries and once',
    file: 'worker/repos/people/challenges.ts',
    find: 'lt(challenges.tries, mostTries), ',
    plant: '',
    test: { file: signIn, name: 'is not taken at the sixth try' },
  },
  {
    guard: 'works for 10 minutes, 5 tries and once',
    file: 'worker/repos/people/challenges.ts',
    find: 'and(isNull(challenges.usedAt), gt(challenges.expiresAt, now))',
    plant: 'gt(challenges.expiresAt, now)',
    test: { file: signIn, name: 'works once' },
  },
  {
    guard: 'One address gets at most 6 codes and invitations in an hour',
    file: 'worker/services/members/members.ts',
    find: '!email || !(await mayMail(context, email, browser))',
    plant: '!email',
    test: {
      file: account,
      name: 'are sent six mails an hour at most to one address, whichever accounts invite it',
    },
  },
  {
    guard: 'Codes for a fresh proof, and for the present address of a change, count separately',
    file: 'worker/repos/people/challenges.ts',
    find: 'and ${countsHere}',
    plant: '',
    test: {
      file: sessions,
      name: 'and a change of address have codes that no stranger can use up',
    },
  },
  {
    guard: 'in the browser that asked for it',
    file: 'worker/repos/people/challenges.ts',
    find: 'where browser = ${browser} and purpose = ${purpose}',
    plant: 'where purpose = ${purpose}',
    test: { file: signIn, name: 'and the browser that asked for another one changes nothing about it' },
  },
  {
    guard: 'Opening a link uses nothing up',
    file: 'worker/services/sign-in/sign-in-link.ts',
    find: "context.challenges.read(await context.hash('link', token)",
    plant: "context.challenges.take(await context.hash('link', token)",
    test: { file: signIn, name: 'does not sign in when it is opened, however often, but by its button' },
  },
  {
    guard: 'is new at every sign-in',
    file: 'worker/services/sign-in/begin-session.ts',
    find: 'const token = makeToken();',
    plant: 'const token = browser.token;',
    test: {
      file: sessions,
      name: 'has a token of its own: one that was planted before is worth nothing after',
    },
  },
  {
    guard: 'A change of address needs a code of each of both',
    file: 'worker/services/sign-in/change-address.ts',
    find: 'if (!old || !fresh?.email || old.email !== person.email)',
    plant: 'if (!fresh?.email)',
    test: { file: sessions, name: 'needs the codes of both addresses, and ends all other sessions' },
  },
  {
    guard: 'GitHub is believed for its verified primary address only',
    file: 'worker/services/sign-in/github.ts',
    find: 'one.primary && one.verified',
    plant: 'one.primary',
    test: {
      file: 'test/worker/pages/github.test.ts',
      name: 'connects no address that it has not verified, and none that is not the primary one',
    },
  },
  {
    guard: 'within 15 minutes of a proof of identity',
    file: 'worker/services/sign-in/find-session.ts',
    find: 'return provenAt <= now && now - provenAt < FRESH_MINUTES * 60_000;',
    plant: 'return provenAt <= now;',
    test: {
      file: access,
      name: 'has to prove the identity again before it changes keys, members or ways to sign in',
    },
  },
  {
    guard: 'Every POST of the pages needs the Origin of this service',
    file: 'worker/pages/answer.tsx',
    find: "c.req.header('origin') !== PUBLIC_URL",
    plant: 'false',
    test: otherSites,
  },
  {
    guard: 'and a token derived from the cookie',
    file: 'worker/pages/answer.tsx',
    find: "!sameText(visit.field('form_token'), visit.formToken)",
    plant: 'false',
    test: otherSites,
  },
  {
    guard: 'Redirects go only to paths of `/app`',
    file: 'worker/pages/own-path.ts',
    find: "return isOwn ? pathname + search : '/app';",
    plant: 'return pathname + search;',
    test: { file: sessions, name: 'is never %j' },
  },
  {
    guard: 'A page of an account of others looks the same as one that does not exist',
    file: 'worker/repos/people/members.ts',
    find: 'and(eq(members.accountId, accountId), eq(members.personId, personId));',
    plant: 'eq(members.accountId, accountId);',
    test: {
      file: access,
      name: '%s is for a stranger the same as a page of an account that does not exist',
    },
  },
  {
    guard: 'The last owner cannot leave',
    file: 'worker/repos/people/members.ts',
    find: '.where(and(ofPerson(accountId, personId), anotherOwner(accountId, personId)))',
    plant: '.where(ofPerson(accountId, personId))',
    test: { file: account, name: 'never leave an account without an owner, also when two go at once' },
  },
  {
    guard: 'Expired keys are refused like revoked ones',
    file: 'worker/repos/keys.ts',
    find: 'and(isNull(keys.revokedAt), or(isNull(keys.expiresAt), gt(keys.expiresAt, now)));',
    plant: 'isNull(keys.revokedAt);',
    test: {
      file: 'test/worker/pages/keys.test.ts',
      name: 'stops when it expires, in polls and everywhere else',
    },
  },
  {
    guard: 'Contents lie sealed in the queue',
    file: 'worker/services/mail/queue-mail.ts',
    find: 'await context.sealer.seal(JSON.stringify(content), id)',
    plant: 'JSON.stringify(content)',
    test: { file: 'test/pure/worker/mail.test.ts', name: 'lies sealed in its queue' },
  },
];
