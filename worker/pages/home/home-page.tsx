import type { Status, Task } from '../../../schema/task/task.ts';
import { listTasks } from '../../services/tasks/list-tasks.ts';
import { Notice, Time, Words } from '../elements.tsx';
import { PlanUse } from '../plan-use.tsx';
import { tasksPath } from '../tasks/own-task.ts';
import type { MemberVisit } from '../visit.ts';
import { FirstTask } from './first-task.tsx';
import { Now } from './now.tsx';

/** Entries of each list of the page. */
const SHOWN = 5;

export async function showHome(visit: MemberVisit): Promise<Response> {
  const { account } = visit.membership;
  const listed = async (limit: number, status?: Status) =>
    (await listTasks(visit.core, visit.caller, { limit, ...(status ? { status } : {}) })).data;
  const [[newest = null], running, queued, failed] = await Promise.all([
    listed(1),
    listed(SHOWN, 'processing'),
    listed(SHOWN, 'queued'),
    listed(SHOWN, 'failed'),
  ]);
  const now = <Now visit={visit} live={[...running, ...queued]} newest={newest} />;
  const body = (
    <>
      <h1>{account.name}</h1>
      <State visit={visit} />
      {newest === null ? await FirstTask({ visit, key: null }) : null}
      {now}
      {newest === null ? null : <Failures tasks={failed} path={tasksPath(visit)} />}
      {await PlanUse({ visit })}
      <p>
        <a href="/docs/limits">All limits</a>
      </p>
    </>
  );
  return visit.page('Home', body, { scripts: ['refresh', 'send-once'] });
}

/** Whether tasks can be created, and what to do if not. A failed payment has a notice on every page. */
function State({ visit }: { visit: MemberVisit }) {
  const { id, subscription, payBy, trialEndsAt } = visit.membership.account;
  const plans = visit.context.billing ? <a href={`/app/${id}/billing`}>Choose a plan</a> : null;
  return (
    <>
      {subscription === 'inactive' && payBy === null ? (
        <Notice kind="error">
          The subscription is inactive: you can read, but not create tasks.{' '}
          {plans ?? 'Ask the operator of this service for a plan'}.
        </Notice>
      ) : null}
      {trialEndsAt === null ? null : (
        <Notice>
          The free trial ends <Time ms={trialEndsAt} />. {plans}
        </Notice>
      )}
    </>
  );
}

/** The last failures, each with what to do about it. */
function Failures({ tasks, path }: { tasks: readonly Task[]; path: string }) {
  if (tasks.length === 0) return null;
  return (
    <section aria-labelledby="failures">
      <h2 id="failures">Last failures</h2>
      <ul class="rows">
        {tasks.map(({ id, error, created_at }) => (
          <li>
            <span>
              <a href={`${path}/${id}`}>
                <strong>{error?.title ?? 'Failed'}</strong>
              </a>
              <span class="block">
                <Words text={error?.detail ?? ''} />
              </span>
              <span class="block">
                <strong>What to do:</strong> <Words text={error?.hint ?? ''} />
              </span>
            </span>
            <Time ms={Date.parse(created_at)} />
          </li>
        ))}
      </ul>
      <p>
        <a href={`${path}?status=failed`}>All failed tasks</a>
      </p>
    </section>
  );
}
