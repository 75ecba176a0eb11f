import { get, person, post } from '../access.ts';
import type { PageRoute } from '../visit.ts';

const accounts = () => import('./accounts-page.tsx');

export const accountsPages: readonly PageRoute[] = [
  { ...get, path: '/app', ...person, load: async () => (await accounts()).showHome },
  { ...get, path: '/app/accounts', ...person, load: async () => (await accounts()).showAccounts },
  { ...post, path: '/app/accounts', ...person, load: async () => (await accounts()).addAccount },
  {
    ...{ ...post, path: '/app/invitations/:invitation/accept', ...person },
    load: async () => (await accounts()).accept,
  },
  {
    ...{ ...post, path: '/app/invitations/:invitation/decline', ...person },
    load: async () => (await accounts()).decline,
  },
];
