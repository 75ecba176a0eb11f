import { freshPerson, get, person, post } from '../access.ts';
import type { PageRoute } from '../visit.ts';

const settings = () => import('./settings-page.tsx');
const address = () => import('./address-page.tsx');
const ways = () => import('./ways-page.tsx');

export const settingsPages: readonly PageRoute[] = [
  { ...get, path: '/app/settings', ...person, load: async () => (await settings()).showSettings },
  {
    ...{ ...post, path: '/app/settings/sessions/:session/end', ...person },
    load: async () => (await settings()).endOne,
  },
  {
    ...{ ...post, path: '/app/settings/sessions/end-others', ...person },
    load: async () => (await settings()).endOthers,
  },
  {
    ...post,
    path: '/app/settings/address',
    ...freshPerson,
    load: async () => (await address()).askForAddress,
  },
  { ...get, path: '/app/settings/address', ...freshPerson, load: async () => (await address()).showAddress },
  {
    ...{ ...post, path: '/app/settings/address/confirm', ...freshPerson },
    load: async () => (await address()).confirmAddress,
  },
  {
    ...{ ...post, path: '/app/settings/passkeys/ask', ...freshPerson },
    load: async () => (await ways()).askForPasskey,
  },
  { ...post, path: '/app/settings/passkeys', ...freshPerson, load: async () => (await ways()).savePasskey },
  {
    ...{ ...post, path: '/app/settings/passkeys/:passkey/remove', ...freshPerson },
    load: async () => (await ways()).forgetPasskey,
  },
  {
    ...{ ...post, path: '/app/settings/github/disconnect', ...freshPerson },
    load: async () => (await ways()).forgetGitHub,
  },
];
