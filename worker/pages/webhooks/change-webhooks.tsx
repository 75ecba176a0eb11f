import { detailAtField, Problem } from '../../lib/problem.ts';
import { changeNote } from '../../services/members/members.ts';
import { redeliver, sendTest } from '../../services/webhooks/webhook-deliveries.ts';
import { createEndpoint, deleteEndpoint, listEndpoints } from '../../services/webhooks/webhook-endpoints.ts';
import { rotate } from '../../services/webhooks/webhook-secret.ts';
import { actorOf } from '../actor.ts';
import { Code, Notice, Time } from '../elements.tsx';
import { PageError } from '../page-error.ts';
import type { MemberVisit } from '../visit.ts';
import { NO_SECRET, pathOf, type Refused, webhooksPage } from './webhooks-page.tsx';

/** The page again, with what is wrong with the URL; other problems get a page of their own. */
function refusedPage(visit: MemberVisit, form: Refused['form'], error: unknown): Promise<Response> {
  if (!(error instanceof Problem)) throw error;
  if (error.code === 'rate_limited') throw new PageError(429, 'Too many tests', error.message);
  if (error.code === 'webhook_endpoint_not_found') throw notFound('endpoint');
  const [first] = error.errors ?? [];
  const detail = first ? detailAtField(first) : error.message;
  return webhooksPage(visit, { form, url: visit.field('url'), error: detail });
}

const notFound = (what: string) => new PageError(404, 'Not found', `The account has no such ${what}.`);

export async function addEndpoint(visit: MemberVisit): Promise<Response> {
  const given = { url: visit.field('url'), events: visit.fields('events') };
  try {
    const noted = (url: string) => changeNote(actorOf(visit), 'endpoint.created', url);
    await createEndpoint(visit.core, visit.caller.accountId, given, noted);
  } catch (error) {
    return refusedPage(visit, 'endpoint', error);
  }
  return visit.redirect(pathOf(visit));
}

export async function removeEndpoint(visit: MemberVisit): Promise<Response> {
  const id = visit.param('endpoint');
  const { data } = await listEndpoints(visit.core, visit.caller.accountId);
  const endpoint = data.find((one) => one.id === id);
  if (!endpoint) throw notFound('endpoint');
  try {
    const noted = changeNote(actorOf(visit), 'endpoint.removed', endpoint.url);
    await deleteEndpoint(visit.core, visit.caller.accountId, id, noted);
  } catch (error) {
    if (error instanceof Problem) throw notFound('endpoint');
    throw error;
  }
  return visit.redirect(pathOf(visit));
}

/** The only page that contains the secret. */
export async function rotateSecret(visit: MemberVisit): Promise<Response> {
  const replaced = visit.field('replaced');
  const rotated = await rotate(
    visit.core,
    visit.caller.accountId,
    replaced === '' ? undefined : replaced === NO_SECRET ? null : Number(replaced) || 0,
    changeNote(actorOf(visit), 'webhook_secret.rotated'),
  );
  if (rotated === 'outdated')
    throw new PageError(
      409,
      'The secret was rotated already',
      'Your form is from before that, so nothing was changed. Open Webhooks again to rotate the secret once more.',
    );
  const { secret, created_at, previous_valid_until } = rotated.secret;
  const body = (
    <>
      <h1>Your webhook secret</h1>
      <p class="lead" data-instead={pathOf(visit)}>
        Copy it now: these pages do not show it again.
      </p>
      {rotated.isNew ? null : (
        <Notice>
          This secret was made at <Time ms={Date.parse(created_at)} /> in place of the same one. Nothing was
          rotated again: open Webhooks to rotate once more.
        </Notice>
      )}
      <Code title="Secret" text={secret} />
      {previous_valid_until ? (
        <p>
          Until <Time ms={Date.parse(previous_valid_until)} />, deliveries are also signed with the previous
          secret.
        </p>
      ) : null}
      <p>
        <a class="button" href={pathOf(visit)}>
          I have copied it
        </a>
      </p>
    </>
  );
  return visit.page('Your webhook secret', body, { scripts: ['shown-once'] });
}

export async function sendTestEvent(visit: MemberVisit): Promise<Response> {
  const endpoint = visit.field('endpoint');
  const target = endpoint === '' ? { url: visit.field('url') } : { endpoint_id: endpoint };
  try {
    const { id } = await sendTest(visit.core, visit.caller, target);
    return visit.redirect(`${pathOf(visit)}/deliveries/${id}`);
  } catch (error) {
    return refusedPage(visit, 'test', error);
  }
}

export async function sendAgain(visit: MemberVisit): Promise<Response> {
  try {
    const { id } = await redeliver(visit.core, visit.caller, visit.param('delivery'));
    return visit.redirect(`${pathOf(visit)}/deliveries/${id}`);
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    if (error.code === 'rate_limited') throw new PageError(429, 'Too many tests', error.message);
    throw notFound('delivery');
  }
}
