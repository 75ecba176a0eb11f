import { account, member, post } from '../access.ts';
import type { PageRoute } from '../visit.ts';

const load = () => import('./send-file.ts');
const uploads = `${account}/uploads`;

/** What the script of the playground sends; the file itself goes to the storage. */
export const uploadPages: readonly PageRoute[] = [
  { ...post, path: uploads, ...member, load: async () => (await load()).begin },
  {
    ...post,
    path: `${uploads}/:upload{upl_\\w+}/complete`,
    ...member,
    load: async () => (await load()).complete,
  },
];
