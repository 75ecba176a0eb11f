import { nearestName } from '../../schema/api/nearest-name.ts';
import { idPattern } from '../../schema/task/ids.ts';

/** Long paths are no misspelt ones. */
const MAX_CHARACTERS = 200;

/** A version or `api` that clients of other services put before a path. */
const prefix = /^\/(?:api\/)?(?:v\d{1,2}|api)(?=\/)/;

/** A path without doubled and trailing slashes, in lower case, and without a version before it. */
const plainPath = (path: string) =>
  path
    .toLowerCase()
    .split('/')
    .filter((part) => part !== '')
    .map((part) => `/${part}`)
    .join('')
    .replace(prefix, '');

/** Where the object of an id is, for paths such as `/tasks/<id>` and `/jobs/<id>/status`. */
const homes = [
  { id: idPattern('task'), home: '/task', ends: ['download', 'events'] },
  { id: idPattern('upload'), home: '/uploads', ends: ['complete'] },
];

/** The path of the object whose id stands in a path that is no other; null if there is none. */
function pathOfId(path: string): string | null {
  const parts = path.split('/');
  for (const { id, home, ends } of homes) {
    const found = parts.find((part) => id.test(part));
    if (found === undefined) continue;
    const end = ends.find((one) => one === parts.at(-1));
    return [home, found, ...(end ? [end] : [])].join('/');
  }
  return null;
}

/**
 * The path that an unknown one most likely stands for; null if there is none.
 * @param exists whether something is at a path
 * @param known names that stand for a path, the most usual ones first; a path stands for itself
 */
export function nearestPath(
  path: string,
  exists: (path: string) => boolean,
  known: ReadonlyMap<string, string>,
): string | null {
  if (path.length > MAX_CHARACTERS) return null;
  const asked = plainPath(path);
  if (asked === '') return null;
  if (asked !== path && !asked.startsWith('/internal/') && exists(asked)) return asked;
  const ofId = pathOfId(asked);
  if (ofId !== null && ofId !== asked) return ofId;
  const same = known.get(asked);
  if (same !== undefined) return same;
  const paths = [...known.values()];
  // A part of a path: `/webhooks`.
  const begun = paths.find((one) => one.startsWith(asked) && /[/_]/.test(one[asked.length] ?? ''));
  const name = begun ?? nearestName(asked, paths) ?? nearestName(asked, known.keys());
  return name === null ? null : (known.get(name) ?? name);
}
