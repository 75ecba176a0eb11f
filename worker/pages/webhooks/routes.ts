import { account, freshMember, get, member, post } from '../access.ts';
import type { PageRoute } from '../visit.ts';

const webhooks = () => import('./webhooks-page.tsx');
const change = () => import('./change-webhooks.tsx');
const deliveries = () => import('./deliveries-page.tsx');

const path = `${account}/webhooks`;

export const webhookPages: readonly PageRoute[] = [
  { ...get, path, ...member, load: async () => (await webhooks()).showWebhooks },
  { ...post, path: `${path}/endpoints`, ...freshMember, load: async () => (await change()).addEndpoint },
  {
    ...{ ...post, path: `${path}/endpoints/:endpoint/remove`, ...freshMember },
    load: async () => (await change()).removeEndpoint,
  },
  { ...post, path: `${path}/secret/rotate`, ...freshMember, load: async () => (await change()).rotateSecret },
  { ...post, path: `${path}/test`, ...member, load: async () => (await change()).sendTestEvent },
  { ...get, path: `${path}/deliveries`, ...member, load: async () => (await deliveries()).showDeliveries },
  {
    ...{ ...get, path: `${path}/deliveries/:delivery`, ...member },
    load: async () => (await deliveries()).showDelivery,
  },
  {
    ...{ ...post, path: `${path}/deliveries/:delivery/redeliver`, ...member },
    load: async () => (await change()).sendAgain,
  },
];
