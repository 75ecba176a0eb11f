import type { Context } from '../../context.ts';
import { oncePer } from '../../lib/once-per.ts';

/** How long an isolate keeps what it read: files can change while it runs. */
const KEPT_MS = 60_000;
/** Enough characters of the hash of a file to tell its versions apart. */
const LENGTH = 16;

interface Known {
  until: number;
  version: Promise<string | null>;
}

const known = oncePer((_: Context) => new Map<string, Known>());

/** The version of a static file, which changes with its content, or null where there is no such file. @param path Begins with `/`. */
export function assetVersion(context: Context, path: string): Promise<string | null> {
  const versions = known(context);
  const before = versions.get(path);
  if (before && before.until > Date.now()) return before.version;
  const version = read(context, path);
  versions.set(path, { until: Date.now() + KEPT_MS, version });
  version.catch(() => versions.delete(path));
  return version;
}

async function read({ assets, config }: Context, path: string): Promise<string | null> {
  const response = await assets.fetch(`${config.PUBLIC_URL}${path}`, { method: 'HEAD' });
  return response.status === 200 ? versionIn(response) : null;
}

/** The version of a file that was just read; its ETag is a hash of its content. */
export function versionIn({ headers }: Response): string | null {
  return /[\w-]{8,}/.exec(headers.get('etag') ?? '')?.[0].slice(0, LENGTH) ?? null;
}
