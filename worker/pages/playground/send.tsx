import { Problem } from '../../lib/problem.ts';
import { sendRequest } from '../../services/playground/send-request.ts';
import type { MemberVisit } from '../visit.ts';
import { formPage } from './form-page.tsx';
import { operationOf, playgroundPath } from './paths.ts';

/** Sends the request of the form, and goes on to the form with the task; errors are shown in the form. */
export async function send(visit: MemberVisit): Promise<Response> {
  const name = operationOf(visit);
  const text = visit.field('request');
  const dry = visit.field('dry') !== '';
  const idempotencyKey = await visit.context.hash('playground', `${visit.field('once')} ${dry} ${text}`);
  try {
    const id = await sendRequest(visit.core, visit.caller, name, {
      ...{ text, dry, idempotencyKey, requestId: visit.requestId },
      providerKey: visit.field('provider_key'),
    });
    return visit.redirect(`${playgroundPath(visit, name)}?task=${id}`);
  } catch (problem) {
    if (!(problem instanceof Problem)) throw problem;
    return formPage(visit, name, { text, problem });
  }
}
