import { anyone, get, post } from '../access.ts';
import type { PageRoute } from '../visit.ts';

const signIn = () => import('./sign-in-page.tsx');
const code = () => import('./code-page.tsx');
const link = () => import('./link-page.tsx');
const gitHub = () => import('./github-page.tsx');
const passkey = () => import('./passkey-page.tsx');

export const signInPages: readonly PageRoute[] = [
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
];
