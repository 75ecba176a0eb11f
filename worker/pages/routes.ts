import type { App } from '../app-env.ts';
import { mount } from '../mount.ts';
import type { PageRoute } from './visit.ts';

const account = '/app/:account{acct_[\\w-]+}';
const signIn = () => import('./sign-in/sign-in-page.tsx');
const code = () => import('./sign-in/code-page.tsx');
const link = () => import('./sign-in/link-page.tsx');
const gitHub = () => import('./sign-in/github-page.tsx');
const passkey = () => import('./sign-in/passkey-page.tsx');
const prove = () => import('./prove/prove-page.tsx');
const accounts = () => import('./accounts/accounts-page.tsx');
const settings = () => import('./settings/settings-page.tsx');
const address = () => import('./settings/address-page.tsx');
const ways = () => import('./settings/ways-page.tsx');
const members = () => import('./members/members-page.tsx');
const log = () => import('./members/log-page.tsx');
const keys = () => import('./keys/keys-page.tsx');
const changeKeys = () => import('./keys/change-keys.tsx');
const outbox = () => import('./outbox/outbox-page.tsx');

const anyone = { access: 'anyone' } as const;
const person = { access: 'person' } as const;
const freshPerson = { access: 'person', fresh: true } as const;
const member = { access: 'member' } as const;
const freshMember = { access: 'member', fresh: true } as const;
const owner = { access: 'owner' } as const;
const freshOwner = { access: 'owner', fresh: true } as const;
const get = { method: 'get' } as const;
const post = { method: 'post' } as const;

/** Every page and form of the dashboard. Code is loaded when a page is opened, so requests with a key do not pay for it. */
export const pages: readonly PageRoute[] = [
  { ...get, path: '/app/sign-in', ...anyone, load: async () => (await signIn()).showSignIn },
  { ...post, path: '/app/sign-in', ...anyone, load: async () => (await signIn()).askToSignIn },
  { ...get, path: '/app/sign-in/code', ...anyone, load: async () => (await code()).showCode },
  { ...post, path: '/app/sign-in/code', ...anyone, load: async () => (await code()).enterCode },
  { ...get, path: '/app/sign-in/link', ...anyone, load: async () => (await link()).showLink },
  { ...post, path: '/app/sign-in/link', ...anyone, load: async () => (await link()).useLink },
  { ...post, path: '/app/sign-in/passkey/ask', ...anyone, load: async () => (await passkey()).askPasskey },
  { ...post, path: '/app/sign-in/passkey', ...anyone, load: async () => (await passkey()).signInByPasskey },
  { ...post, path: '/app/sign-in/github', ...anyone, load: async () => (await signIn()).goToGitHub },
  { ...get, path: '/app/sign-in/github', ...anyone, load: async () => (await gitHub()).showGitHub },
  { ...post, path: '/app/sign-in/github/finish', ...anyone, load: async () => (await gitHub()).finishGitHub },
  { ...post, path: '/app/sign-out', ...anyone, load: async () => (await signIn()).signOut },
  { ...get, path: '/app/outbox', ...anyone, load: async () => (await outbox()).showOutbox },

  { ...get, path: '/app', ...person, load: async () => (await accounts()).showHome },
  { ...get, path: '/app/accounts', ...person, load: async () => (await accounts()).showAccounts },
  { ...post, path: '/app/accounts', ...person, load: async () => (await accounts()).addAccount },
  {
    ...{ ...post, path: '/app/invitations/:invitation/accept', ...person },
    load: async () => (await accounts()).accept,
  },
  {
    ...{ ...post, path: '/app/invitations/:invitation/decline', ...person },
    load: async () => (await accounts()).decline,
  },
  { ...get, path: '/app/prove', ...person, load: async () => (await prove()).showProve },
  { ...post, path: '/app/prove/send', ...person, load: async () => (await prove()).sendProof },
  { ...post, path: '/app/prove', ...person, load: async () => (await prove()).enterProof },
  { ...post, path: '/app/prove/passkey/ask', ...person, load: async () => (await passkey()).askPasskeyAgain },
  { ...post, path: '/app/prove/passkey', ...person, load: async () => (await passkey()).proveByPasskey },

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

  { ...get, path: `${account}/keys`, ...member, load: async () => (await keys()).showKeys },
  { ...post, path: `${account}/keys`, ...freshMember, load: async () => (await changeKeys()).addKey },
  { ...post, path: `${account}/keys/:key/roll`, ...freshMember, load: async () => (await changeKeys()).roll },
  {
    ...post,
    path: `${account}/keys/:key/revoke`,
    ...freshMember,
    load: async () => (await changeKeys()).revoke,
  },
  { ...get, path: `${account}/members`, ...member, load: async () => (await members()).showMembers },
  { ...post, path: `${account}/members`, ...freshOwner, load: async () => (await members()).inviteMember },
  { ...post, path: `${account}/members/leave`, ...freshMember, load: async () => (await members()).leave },
  {
    ...{ ...post, path: `${account}/members/:person/role`, ...freshOwner },
    load: async () => (await members()).setRole,
  },
  {
    ...{ ...post, path: `${account}/members/:person/remove`, ...freshOwner },
    load: async () => (await members()).remove,
  },
  {
    ...{ ...post, path: `${account}/members/invitations/:invitation/withdraw`, ...freshOwner },
    load: async () => (await members()).withdraw,
  },
  { ...get, path: `${account}/log`, ...owner, load: async () => (await log()).showLog },
];

export function pageRoutes(app: App): void {
  for (const route of pages) {
    mount(app, { method: route.method, path: route.path, counted: 'public' }, async (c) => {
      const { answerPage } = await import('./answer.tsx');
      return answerPage(c, route);
    });
  }
}
