import type { App } from '../app-env.ts';
import { mount } from '../mount.ts';
import { accountsPages } from './accounts/routes.ts';
import { billingPages } from './billing/routes.ts';
import { connectPages } from './connect/routes.ts';
import { deletionPages } from './deletion/routes.ts';
import { exportPages } from './export/routes.ts';
import { homePages } from './home/routes.ts';
import { keysPages } from './keys/routes.ts';
import { membersPages } from './members/routes.ts';
import { outboxPages } from './outbox/routes.ts';
import { playgroundPages } from './playground/routes.ts';
import { provePages } from './prove/routes.ts';
import { settingsPages } from './settings/routes.ts';
import { signInPages } from './sign-in/routes.ts';
import { tasksPages } from './tasks/routes.ts';
import { uploadPages } from './uploads/routes.ts';
import { usagePages } from './usage/routes.ts';
import type { PageRoute } from './visit.ts';
import { webhookPages } from './webhooks/routes.ts';

/** Every page and form of the dashboard. Code is loaded when a page is opened, so requests with a key do not pay for it. */
export const pages: readonly PageRoute[] = [
  ...signInPages,
  ...outboxPages,
  ...accountsPages,
  ...provePages,
  ...settingsPages,
  ...homePages,
  ...tasksPages,
  ...playgroundPages,
  ...uploadPages,
  ...keysPages,
  ...membersPages,
  ...billingPages,
  ...usagePages,
  ...webhookPages,
  ...connectPages,
  ...exportPages,
  ...deletionPages,
];

export function pageRoutes(app: App): void {
  for (const route of pages) {
    mount(app, { method: route.method, path: route.path, counted: 'public' }, async (c) => {
      const { answerPage } = await import('./answer.tsx');
      return answerPage(c, route);
    });
  }
}
