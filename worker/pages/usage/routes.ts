import { account, get, member } from '../access.ts';
import type { PageRoute } from '../visit.ts';

const usage = () => import('./usage-page.tsx');

export const usagePages: readonly PageRoute[] = [
  { ...get, path: `${account}/usage`, ...member, load: async () => (await usage()).showUsage },
  { ...get, path: `${account}/usage/csv`, ...member, load: async () => (await usage()).downloadUsage },
];
