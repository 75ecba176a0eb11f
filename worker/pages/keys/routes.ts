import { account, freshMember, get, member, post } from '../access.ts';
import type { PageRoute } from '../visit.ts';

const keys = () => import('./keys-page.tsx');
const changeKeys = () => import('./change-keys.tsx');

export const keysPages: readonly PageRoute[] = [
  { ...get, path: `${account}/keys`, ...member, load: async () => (await keys()).showKeys },
  { ...post, path: `${account}/keys`, ...freshMember, load: async () => (await changeKeys()).addKey },
  { ...post, path: `${account}/keys/:key/roll`, ...freshMember, load: async () => (await changeKeys()).roll },
  {
    ...post,
    path: `${account}/keys/:key/revoke`,
    ...freshMember,
    load: async () => (await changeKeys()).revoke,
  },
];
