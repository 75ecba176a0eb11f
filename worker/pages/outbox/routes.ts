import { anyone, get } from '../access.ts';
import type { PageRoute } from '../visit.ts';

const outbox = () => import('./outbox-page.tsx');

export const outboxPages: readonly PageRoute[] = [
  { ...get, path: '/app/outbox', ...anyone, load: async () => (await outbox()).showOutbox },
];
