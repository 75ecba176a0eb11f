import { account, freshMember, get, member, post } from '../access.ts';
import type { PageRoute } from '../visit.ts';

export const homePages: readonly PageRoute[] = [
  {
    ...get,
    path: `${account}/home`,
    ...member,
    load: async () => (await import('./home-page.tsx')).showHome,
  },
  {
    ...{ ...post, path: `${account}/home/key`, ...freshMember },
    load: async () => (await import('./first-task.tsx')).addFirstKey,
  },
];
