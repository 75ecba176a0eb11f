import { get, person, post } from '../access.ts';
import type { PageRoute } from '../visit.ts';

const passkey = () => import('../sign-in/passkey-page.tsx');
const prove = () => import('./prove-page.tsx');

export const provePages: readonly PageRoute[] = [
  { ...get, path: '/app/prove', ...person, load: async () => (await prove()).showProve },
  { ...post, path: '/app/prove/send', ...person, load: async () => (await prove()).sendProof },
  { ...post, path: '/app/prove', ...person, load: async () => (await prove()).enterProof },
  { ...post, path: '/app/prove/passkey/ask', ...person, load: async () => (await passkey()).askPasskeyAgain },
  { ...post, path: '/app/prove/passkey', ...person, load: async () => (await passkey()).proveByPasskey },
];
