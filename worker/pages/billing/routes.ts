import { account, freshOwner, get, member, post } from '../access.ts';
import type { PageRoute } from '../visit.ts';

const goToStripe = () => import('./go-to-stripe.tsx');

export const billingPages: readonly PageRoute[] = [
  {
    ...get,
    path: `${account}/billing`,
    ...member,
    load: async () => (await import('./billing-page.tsx')).showBilling,
  },
  {
    ...post,
    path: `${account}/billing/plan`,
    ...freshOwner,
    load: async () => (await goToStripe()).choosePlan,
  },
  {
    ...post,
    path: `${account}/billing/manage`,
    ...freshOwner,
    load: async () => (await goToStripe()).manage,
  },
];
