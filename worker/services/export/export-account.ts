import { isoOrNull } from '../../../schema/time.ts';
import type { Context } from '../../context.ts';
import type { PeopleContext } from '../../people-context.ts';
import type { Caller } from '../../repos/keys.ts';
import type { Membership } from '../../repos/people/members.ts';
import { listKeys } from '../keys/manage-keys.ts';
import { listTasks } from '../tasks/list-tasks.ts';
import { listUploads } from '../uploads/read-upload.ts';
import { listEndpoints } from '../webhooks/webhook-endpoints.ts';
import type { Part } from './json-stream.ts';

/** Tasks of one file, which bounds the queries of one request. */
export const MOST_TASKS = 10_000;
const PAGE = 100;
const MOST_UPLOADS = 10_000;
const MOST_EVENTS = 10_000;

/**
 * All that is stored of an account, newest tasks first; secrets are left out.
 * @param cursor Continues the list of tasks where an earlier file ended. The file then has tasks only.
 */
export async function* exportedAccount(
  context: PeopleContext,
  core: Context,
  account: Membership['account'],
  cursor: string | undefined,
): AsyncGenerator<Part, void, undefined> {
  const { id, name, plan, subscription, createdAt, trialEndsAt } = account;
  yield { name: 'object', value: 'account_export' };
  yield { name: 'exported_at', value: isoOrNull(Date.now()) };
  yield {
    name: 'account',
    value: {
      id,
      name,
      plan,
      subscription,
      created_at: isoOrNull(createdAt),
      trial_ends_at: isoOrNull(trialEndsAt),
    },
  };
  if (cursor === undefined) yield* aboutAccount(context, core, id);
  const caller = { accountId: id, plan, subscription };
  if (cursor === undefined) yield { name: 'uploads', items: uploads(core, caller) };
  const pages = { next: cursor ?? null };
  yield { name: 'tasks', items: tasks(core, caller, pages) };
  yield { name: 'tasks_next_cursor', value: pages.next };
}

async function* aboutAccount(context: PeopleContext, core: Context, id: string): AsyncGenerator<Part> {
  const now = Date.now();
  yield {
    name: 'members',
    value: (await context.members.list(id)).map(({ email, role, createdAt }) => ({
      ...{ email, role },
      since: isoOrNull(createdAt),
    })),
  };
  yield {
    name: 'invitations',
    value: (await context.members.invitations(id, now)).map(({ email, role, invitedBy, expiresAt }) => ({
      ...{ email, role, invited_by: invitedBy },
      expires_at: isoOrNull(expiresAt),
    })),
  };
  yield {
    name: 'keys',
    value: (await listKeys(context, id)).map((key) => ({
      ...{ id: key.id, label: key.label, status: key.status, created_at: isoOrNull(key.createdAt) },
      ...{
        last_used_at: isoOrNull(key.lastUsedAt),
        expires_at: isoOrNull(key.expiresAt),
        revoked_at: isoOrNull(key.revokedAt),
      },
    })),
  };
  yield { name: 'webhook_endpoints', value: (await listEndpoints(core, id)).data };
  yield {
    name: 'log',
    value: (await context.audit.list(id, MOST_EVENTS)).map(({ actor, action, subject, createdAt }) => ({
      ...{ actor, action, subject },
      at: isoOrNull(createdAt),
    })),
  };
  yield {
    name: 'usage',
    value: (await core.usage.days(id, '0000-01-01', '9999-12-31')).map(({ accountId: _, ...row }) => row),
  };
}

async function* uploads(core: Context, caller: Caller) {
  let cursor: string | undefined;
  for (let count = 0; count < MOST_UPLOADS; count += PAGE) {
    const page = await listUploads(
      core,
      caller,
      cursor === undefined ? { limit: PAGE } : { limit: PAGE, cursor },
    );
    yield* page.data;
    if (page.next_cursor === null) return;
    cursor = page.next_cursor;
  }
}

/** Leaves in `pages.next` where the list goes on; null if it is complete. */
async function* tasks(core: Context, caller: Caller, pages: { next: string | null }) {
  for (let count = 0; count < MOST_TASKS; count += PAGE) {
    const cursor = pages.next === null ? {} : { cursor: pages.next };
    const page = await listTasks(core, caller, { limit: PAGE, ...cursor });
    yield* page.data;
    pages.next = page.next_cursor;
    if (pages.next === null) return;
  }
}
