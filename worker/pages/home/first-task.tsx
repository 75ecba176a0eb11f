import { operations } from '../../../schema/operations/index.ts';
import { firstRequest } from '../../services/connect/first-request.ts';
import { createKey, MAX_KEYS } from '../../services/keys/manage-keys.ts';
import { actorOf } from '../actor.ts';
import { Code, Form } from '../elements.tsx';
import { PageError } from '../page-error.ts';
import type { MemberVisit } from '../visit.ts';
import { homePath, Now } from './now.tsx';

/** The first task in three steps: a key, a line to paste, the result. */
export async function FirstTask({ visit, key }: { visit: MemberVisit; key: string | null }) {
  const { hasSample, input } = await firstRequest(visit.core);
  return (
    <section aria-labelledby="first">
      <h2 id="first">Your first task in three steps</h2>
      <ol class="steps">
        <li>
          <h3>A key</h3>
          {key === null ? (
            <Form visit={visit} action={`${homePath(visit)}/key`}>
              <button type="submit">Create a key</button>
            </Form>
          ) : (
            <>
              <p data-instead={homePath(visit)}>Keep it: it is not stored and cannot be shown again.</p>
              <Code title="Your key" text={key} />
            </>
          )}
        </li>
        <li>
          <h3>A line to paste into a terminal</h3>
          <p>
            It cuts five seconds out of {hasSample ? 'a sample' : 'a video. Put the address of yours into it'}
            .
          </p>
          <Code title="curl" text={commandOf(visit.core.config.PUBLIC_URL, key, input)} />
        </li>
        <li>
          <h3>The result</h3>
          <p>It appears below as soon as the task has ended.</p>
        </li>
      </ol>
    </section>
  );
}

function commandOf(publicUrl: string, key: string | null, input: unknown): string {
  const body = JSON.stringify(input);
  const header = `X-API-Key: ${key ?? 'YOUR KEY'}`;
  return `curl -sS '${publicUrl}${operations.cut.path}' -H '${header}' -H 'Content-Type: application/json' -d '${body}'`;
}

/** Makes the first key. This response is the only one that contains it. */
export async function addFirstKey(visit: MemberVisit): Promise<Response> {
  const { membership, context } = visit;
  const made = await createKey(context, actorOf(visit), { label: 'First key', lifetime: 'never' });
  if (!made) {
    throw new PageError(
      422,
      'No key was created',
      `An account has at most ${MAX_KEYS} keys. Revoke one first.`,
    );
  }
  const body = (
    <>
      <h1>{membership.account.name}</h1>
      {await FirstTask({ visit, key: made.key })}
      <Now visit={visit} live={[]} newest={null} />
    </>
  );
  return visit.page('Your first task', body, { scripts: ['refresh', 'shown-once'] });
}
