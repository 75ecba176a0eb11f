import {
  type Delivery,
  type DeliveryError,
  type DeliveryStatus,
  deliveryQuery,
  deliveryStatuses,
  LOG_DAYS,
} from '../../../schema/api/webhook.ts';
import { listDeliveries, readDelivery } from '../../services/webhooks/webhook-deliveries.ts';
import { Code, Form, Time } from '../elements.tsx';
import { PageError } from '../page-error.ts';
import type { MemberVisit } from '../visit.ts';
import { pathOf } from './webhooks-page.tsx';

const PAGE = 50;

const errorTexts: Record<DeliveryError, string> = {
  unreachable: 'The receiver could not be reached: check its name, its certificate and that it listens.',
  timed_out: 'The receiver did not answer in time: answer first, work afterwards.',
  redirected: 'The receiver redirected; redirects are not followed. Use the final URL.',
  http_error: 'The receiver answered with an error.',
  gone: 'The receiver answered 410, which disables the endpoint.',
  address_forbidden: 'The URL leads to an address that is not public.',
  endpoint_disabled: 'The endpoint is disabled.',
  endpoint_deleted: 'The endpoint was removed.',
  task_deleted: 'The task was deleted.',
};

const isStatus = (text: string): text is DeliveryStatus =>
  (deliveryStatuses as readonly string[]).includes(text);

/** The answer of the last attempt in words. */
function answerText({ attempts, last_status_code: code, last_error: error }: Delivery): string {
  if (error !== null) return `${code === null ? '' : `${code}. `}${errorTexts[error]}`;
  return attempts === 0 ? 'Not sent yet.' : `${code}. The receiver accepted it.`;
}

export async function showDeliveries(visit: MemberVisit): Promise<Response> {
  const path = `${pathOf(visit)}/deliveries`;
  const given = (name: string) => visit.url.searchParams.get(name) || undefined;
  const [status, taskId] = [given('status') ?? '', given('task_id')];
  const query = deliveryQuery.safeParse({
    ...(isStatus(status) ? { status } : {}),
    ...{ task_id: taskId, cursor: given('cursor'), limit: PAGE },
  });
  if (!query.success)
    throw new PageError(400, 'This address is not valid', 'Go back to the log of deliveries.');
  const { data, next_cursor } = await listDeliveries(visit.core, visit.caller, query.data);
  const older = new URLSearchParams({
    ...(query.data.status ? { status } : {}),
    ...(taskId ? { task_id: taskId } : {}),
    cursor: next_cursor ?? '',
  });
  const body = (
    <>
      <h1>Deliveries</h1>
      <p class="lead">
        The last {LOG_DAYS} days, newest first. Back to <a href={pathOf(visit)}>webhooks</a>.
      </p>
      <form class="filter" method="get" action={path}>
        <label>
          Status
          <select name="status">
            <option value="">All</option>
            {deliveryStatuses.map((name) => (
              <option value={name} selected={name === status}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button class="second" type="submit">
          Show
        </button>
      </form>
      {data.length === 0 ? <p>There is no delivery.</p> : null}
      <ul class="rows">
        {data.map((delivery) => (
          <li>
            <span>
              <a href={`${path}/${delivery.id}`}>{delivery.event_type}</a>{' '}
              <strong class="address">{delivery.url}</strong> {delivery.status}. {answerText(delivery)}
            </span>
            <Time ms={Date.parse(delivery.created_at)} />
          </li>
        ))}
      </ul>
      {next_cursor ? (
        <p>
          <a href={`${path}?${older}`}>Older</a>
        </p>
      ) : null}
    </>
  );
  return visit.page('Deliveries', body);
}

export async function showDelivery(visit: MemberVisit): Promise<Response> {
  const found = await readDelivery(visit.core, visit.caller, visit.param('delivery'));
  if (!found) throw new PageError(404, 'Not found', 'The account has no such delivery.');
  const { delivery, event } = found;
  const path = `${pathOf(visit)}/deliveries`;
  const body = (
    <>
      <h1>Delivery</h1>
      <dl class="facts">
        <Fact name="Event">
          {delivery.event_type}, <code>{delivery.event_id}</code>
        </Fact>
        <Fact name="To">
          <span class="address">{delivery.url}</span>
        </Fact>
        <Fact name="Status">{delivery.status}</Fact>
        <Fact name="Attempts">{delivery.attempts}</Fact>
        <Fact name="Answer">{answerText(delivery)}</Fact>
        {delivery.last_attempt_at ? (
          <Fact name="Last attempt">
            <Time ms={Date.parse(delivery.last_attempt_at)} />
          </Fact>
        ) : null}
        {delivery.next_attempt_at ? (
          <Fact name="Next attempt">
            <Time ms={Date.parse(delivery.next_attempt_at)} />
          </Fact>
        ) : null}
      </dl>
      <Form visit={visit} action={`${path}/${delivery.id}/redeliver`} inline>
        <button type="submit">Deliver again</button>
        <a href={`${path}/${delivery.id}`}>Reload</a>
        <a href={path}>All deliveries</a>
      </Form>
      <h2>Body</h2>
      {event ? (
        <Code title="As an attempt sends it now" text={JSON.stringify(event, null, 2)} />
      ) : (
        <p>The task was deleted, so nothing is sent any more.</p>
      )}
    </>
  );
  return visit.page('Delivery', body);
}

function Fact({ name, children }: { name: string; children: unknown }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}
