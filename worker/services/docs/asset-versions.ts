import type { Context } from '../../context.ts';
import { KeptValues } from '../../lib/kept-values.ts';
import { oncePer } from '../../lib/once-per.ts';

/** How long an isolate keeps what it read: files can change while it runs. */
const KEPT_MS = 60_000;
/** Enough characters of the hash of a file to tell its versions apart. */
const LENGTH = 16;

const versions = oncePer((_: Context) => new KeptValues<string, string | null>());

/** The version of a static file, which changes with its content, or null where there is no such file. @param path Begins with `/`. */
export const assetVersion = (context: Context, path: string): Promise<string | null> =>
  versions(context).get(path, () => read(context, path), KEPT_MS);

async function read({ assets, config }: Context, path: string): Promise<string | null> {
  const response = await assets.fetch(`${config.PUBLIC_URL}${path}`, { method: 'HEAD' });
  return response.status === 200 ? versionIn(response) : null;
}

/** The version of a file that was just read; its ETag is a hash of its content. */
export function versionIn({ headers }: Response): string | null {
  return /[\w-]{8,}/.exec(headers.get('etag') ?? '')?.[0].slice(0, LENGTH) ?? null;
}
