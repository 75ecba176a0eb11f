import { account, freshOwner, freshPerson, get } from '../access.ts';
import type { PageRoute } from '../visit.ts';

const downloads = () => import('./downloads.ts');

export const exportPages: readonly PageRoute[] = [
  { ...get, path: `${account}/export`, ...freshOwner, load: async () => (await downloads()).downloadAccount },
  {
    ...get,
    path: '/app/settings/export',
    ...freshPerson,
    load: async () => (await downloads()).downloadPerson,
  },
];
