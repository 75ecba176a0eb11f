import {
  createKey,
  type Lifetime,
  lifetimes,
  MAX_KEYS,
  MAX_KEYS_ROLLED,
  type MadeKey,
  type Overlap,
  overlaps,
  revokeKey,
  rollKey,
} from '../../services/keys/manage-keys.ts';
import { actorOf } from '../actor.ts';
import { Code } from '../elements.tsx';
import { PageError } from '../page-error.ts';
import type { MemberVisit } from '../visit.ts';

const pathOf = ({ membership }: MemberVisit) => `/app/${membership.account.id}/keys`;

/** The only response that contains the key. */
function madePage(visit: MemberVisit, { label, key }: MadeKey): Response {
  const { PUBLIC_URL } = visit.context.config;
  const body = (
    <>
      <h1>Your new key</h1>
      <p class="lead" data-instead={pathOf(visit)}>
        Copy it now: it is not stored and cannot be shown again.
      </p>
      <Code title={label} text={key} />
      <p>Try it:</p>
      <Code title="Your account" text={`curl -sS '${PUBLIC_URL}/account' -H 'X-API-Key: ${key}'`} />
      <p>
        <a class="button" href={pathOf(visit)}>
          I have copied it
        </a>
      </p>
    </>
  );
  return visit.page('Your new key', body, { scripts: ['shown-once'] });
}

const isLifetime = (text: string): text is Lifetime => Object.hasOwn(lifetimes, text);
const isOverlap = (text: string): text is Overlap => Object.hasOwn(overlaps, text);

export async function addKey(visit: MemberVisit): Promise<Response> {
  const lifetime = visit.field('lifetime');
  const about = { label: visit.field('label'), lifetime: isLifetime(lifetime) ? lifetime : 'never' } as const;
  const made = await createKey(visit.context, actorOf(visit), about);
  if (made) return madePage(visit, made);
  throw new PageError(
    422,
    'No key was created',
    `A label has 1 to 100 characters, and an account at most ${MAX_KEYS} keys.`,
  );
}

export async function roll(visit: MemberVisit): Promise<Response> {
  const overlap = visit.field('overlap');
  if (!isOverlap(overlap))
    throw new PageError(422, 'Nothing was rolled', 'Choose how long the old key works.');
  const since = Number(visit.field('since')) || undefined;
  const made = await rollKey(visit.context, actorOf(visit), visit.param('key'), { overlap, since });
  if (made === 'no_key') throw notFound();
  if (made === 'rolled_before')
    throw new PageError(
      409,
      'A key with this label was made since you opened the page',
      'Your form is from before that, so nothing was changed. If you have not copied the new key, open Keys and roll that one.',
    );
  if (made === 'too_many')
    throw new PageError(
      422,
      'Nothing was rolled',
      `Together with keys that were rolled and still work, an account has at most ${MAX_KEYS_ROLLED} keys. Revoke some first.`,
    );
  return madePage(visit, made);
}

export async function revoke(visit: MemberVisit): Promise<Response> {
  if (!(await revokeKey(visit.context, actorOf(visit), visit.param('key')))) throw notFound();
  return visit.redirect(pathOf(visit));
}

const notFound = () =>
  new PageError(
    404,
    'Not found',
    'The account has no such key, or it no longer works. Open Keys to see which do.',
  );
