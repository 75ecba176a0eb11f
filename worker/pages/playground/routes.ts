import { MOST_REQUEST_BYTES } from '../../services/tasks/request-bytes.ts';
import { account, get, member, person, post } from '../access.ts';
import type { PageRoute } from '../visit.ts';

const choice = () => import('./choice-page.tsx');
const form = () => import('./form-page.tsx');
const run = () => import('./run-page.tsx');
const open = () => import('./open-form.tsx');
const send = () => import('./send.tsx');

const playground = `${account}/playground`;
/** In a form, each byte of a request can take three. */
const formBytes = 3 * MOST_REQUEST_BYTES + 64 * 1024;

export const playgroundPages: readonly PageRoute[] = [
  { ...get, path: '/app/playground/:operation', ...person, load: async () => (await open()).openForm },
  { ...get, path: playground, ...member, load: async () => (await choice()).showOperations },
  { ...get, path: `${playground}/:operation`, ...member, load: async () => (await form()).showForm },
  { ...post, path: `${playground}/:operation`, ...member, formBytes, load: async () => (await send()).send },
  { ...get, path: `${playground}/:operation/runs/:task`, ...member, load: async () => (await run()).showRun },
];
