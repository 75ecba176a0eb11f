import type { Role } from '../repos/people/members.ts';

interface MenuItem {
  /** Under the path of the account. */
  path: string;
  text: string;
  /** Shown to owners only. */
  only?: Extract<Role, 'owner'>;
}

/** The pages of an account, in the order of the menu. */
export const menu: readonly MenuItem[] = [
  { path: 'home', text: 'Home' },
  { path: 'tasks', text: 'Tasks' },
  { path: 'playground', text: 'Playground' },
  { path: 'keys', text: 'Keys' },
  { path: 'usage', text: 'Usage' },
  { path: 'webhooks', text: 'Webhooks' },
  { path: 'connect', text: 'Connect' },
  { path: 'members', text: 'Members' },
  { path: 'billing', text: 'Billing' },
  { path: 'log', text: 'Log', only: 'owner' },
];
