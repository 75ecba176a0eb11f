import { account, get, member } from '../access.ts';
import type { PageRoute } from '../visit.ts';

const connect = () => import('./connect-page.tsx');

export const connectPages: readonly PageRoute[] = [
  { ...get, path: `${account}/connect`, ...member, load: async () => (await connect()).showConnect },
];
