import type { Fault } from '../fault.ts';

const deletion = 'test/worker/pages/deletion.test.ts';
const person = 'test/worker/pages/person-deletion.test.ts';
const leavesNothing = { file: deletion, name: 'leaves nothing in any table and no object' };

/** Deleting accounts and people, and exports. */
export const deletionAndExport: readonly Fault[] = [
  {
    guard: 'Deleting an account needs its name typed in',
    file: 'worker/pages/deletion/account-page.tsx',
    find: 'if (!isConfirmed(visit, visit.membership.account.name)) return accountPage(visit, true);',
    plant: '',
    test: { file: deletion, name: 'asks for the name, and does nothing without it' },
  },
  {
    guard: 'ends its keys and memberships at once',
    file: 'worker/repos/people/deletions.ts',
    find: '.set({ revokedAt: now })',
    plant: '.set({ revokedAt: null })',
    test: { file: deletion, name: 'ends keys, members and invitations at once, and tells the owners' },
  },
  {
    guard: 'continues by itself until no row and no',
    file: 'worker/services/maintenance/sweep-people.ts',
    find: 'sweepDeletions({ ...context, core }),',
    plant: '(sweepDeletions && context && core ? null : null) as never,',
    test: { file: deletion, name: 'goes on by itself where the %s did not answer' },
  },
  {
    guard: 'continues by itself until no row and no',
    file: 'worker/repos/people/deletions.ts',
    find: '  usageDays,\n  limitNotices,\n  invitations,',
    plant: '  usageDays,\n  invitations,',
    test: leavesNothing,
  },
  {
    guard: 'continues by itself until no row and no',
    file: 'worker/services/deletion/steps.ts',
    find: "  ['archive', removeArchive],\n",
    plant: '',
    test: leavesNothing,
  },
  {
    guard: 'A person who is the only owner of an account with other members cannot be deleted',
    file: 'worker/repos/people/deletions.ts',
    find: 'const allowed = sql`not exists ${inNeedOf(personId)}`;',
    plant: 'const allowed = sql`true`;',
    test: {
      file: person,
      name: 'is refused to the only owner of an account with other members, until another one is owner',
    },
  },
  {
    guard: 'or one that it was changed to, gets no second trial',
    file: 'worker/services/sign-in/begin-session.ts',
    find: ' && !(await trials.had(trialOf))',
    plant: '',
    test: {
      file: person,
      name: 'ends the free trial of the address for good, also under an address it was changed to',
    },
  },
  {
    guard: 'An export has no secret',
    file: 'worker/services/export/export-person.ts',
    find: '.map(({ agent, place, createdAt: begun, lastSeenAt }) => ({\n      ...{ agent, place },',
    plant:
      '.map(({ hash, agent, place, createdAt: begun, lastSeenAt }) => ({\n      ...{ hash, agent, place },',
    test: {
      file: 'test/worker/pages/export.test.ts',
      name: 'has sessions, ways to sign in and accounts, and no secret',
    },
  },
];
