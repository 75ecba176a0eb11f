import type { Fault } from '../fault.ts';

const guard = 'every database query is limited to one account';
const tenants = 'test/security/tenants.test.ts';
const nothing = { file: tenants, name: 'finds nothing of others at $path ($method)' };
const nowhere = { file: tenants, name: 'gets nowhere with ids of others in bodies and queries' };

/** One account's questions answered with another's rows. */
export const tenantsApart: readonly Fault[] = [
  {
    guard,
    file: 'worker/repos/poll.ts',
    find: "and(eq(tasks.id, sql.placeholder('id')), eq(tasks.accountId, accounts.id))",
    plant: "eq(tasks.id, sql.placeholder('id'))",
    test: nothing,
  },
  {
    guard,
    file: 'worker/repos/tasks.ts',
    find: '.from(tasks).where(own(accountId, id))',
    plant: '.from(tasks).where(eq(tasks.id, id))',
    test: nothing,
  },
  {
    guard,
    file: 'worker/repos/webhook-endpoints.ts',
    find: '.delete(webhookEndpoints).where(own(accountId, id))',
    plant: '.delete(webhookEndpoints).where(eq(webhookEndpoints.id, id))',
    test: nothing,
  },
  {
    guard,
    file: 'worker/repos/webhook-deliveries.ts',
    find: 'and(eq(webhookDeliveries.id, id), eq(webhookDeliveries.accountId, accountId));',
    plant: 'eq(webhookDeliveries.id, id);',
    test: nothing,
  },
  {
    guard,
    file: 'worker/repos/task-list.ts',
    find: 'and(eq(tasks.accountId, accountId), ...wanted(filter))',
    plant: 'and(...wanted(filter))',
    test: nowhere,
  },
  {
    guard,
    file: 'worker/repos/webhook-deliveries.ts',
    find: '${webhookDeliveries.accountId} = ${accountId}`',
    plant: '1 = 1`',
    test: nowhere,
  },
  {
    guard,
    file: 'worker/repos/usage.ts',
    find: 'and(eq(usageDays.accountId, accountId), between(usageDays.day, from, to))',
    plant: 'between(usageDays.day, from, to)',
    test: nowhere,
  },
  {
    guard,
    file: 'worker/repos/webhook-endpoints.ts',
    find: '        .where(eq(webhookEndpoints.accountId, accountId))\n',
    plant: '',
    test: nowhere,
  },
  {
    guard,
    file: 'worker/repos/task-sources.ts',
    find: 'and(eq(tasks.accountId, accountId), isIn(tasks.id, ids))',
    plant: 'isIn(tasks.id, ids)',
    test: { file: tenants, name: 'reads no output of others through the sources of %s' },
  },
  {
    guard,
    file: 'worker/repos/tasks.ts',
    find: '.delete(tasks).where(own(accountId, id))',
    plant: '.delete(tasks).where(eq(tasks.id, id))',
    test: { file: 'test/pure/worker/tenants.test.ts', name: '$name is about one account or person' },
  },
];
