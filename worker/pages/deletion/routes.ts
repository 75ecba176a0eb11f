import { account, freshOwner, freshPerson, get, post } from '../access.ts';
import type { PageRoute } from '../visit.ts';

const accountPage = () => import('./account-page.tsx');
const personPage = () => import('./person-page.tsx');

export const deletionPages: readonly PageRoute[] = [
  {
    ...get,
    path: `${account}/delete`,
    ...freshOwner,
    load: async () => (await accountPage()).askAboutAccount,
  },
  {
    ...post,
    path: `${account}/delete`,
    ...freshOwner,
    load: async () => (await accountPage()).removeAccount,
  },
  {
    ...get,
    path: '/app/settings/delete',
    ...freshPerson,
    load: async () => (await personPage()).askAboutPerson,
  },
  {
    ...post,
    path: '/app/settings/delete',
    ...freshPerson,
    load: async () => (await personPage()).removePerson,
  },
];
