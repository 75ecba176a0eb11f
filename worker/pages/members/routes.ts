import { account, freshMember, freshOwner, get, member, owner, post } from '../access.ts';
import type { PageRoute } from '../visit.ts';

const members = () => import('./members-page.tsx');
const log = () => import('./log-page.tsx');

export const membersPages: readonly PageRoute[] = [
  { ...get, path: `${account}/members`, ...member, load: async () => (await members()).showMembers },
  { ...post, path: `${account}/members`, ...freshOwner, load: async () => (await members()).inviteMember },
  { ...post, path: `${account}/members/leave`, ...freshMember, load: async () => (await members()).leave },
  {
    ...{ ...post, path: `${account}/members/:person/role`, ...freshOwner },
    load: async () => (await members()).setRole,
  },
  {
    ...{ ...post, path: `${account}/members/:person/remove`, ...freshOwner },
    load: async () => (await members()).remove,
  },
  {
    ...{ ...post, path: `${account}/members/invitations/:invitation/withdraw`, ...freshOwner },
    load: async () => (await members()).withdraw,
  },
  { ...get, path: `${account}/log`, ...owner, load: async () => (await log()).showLog },
];
