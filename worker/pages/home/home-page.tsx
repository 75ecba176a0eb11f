import { planLimits } from '../../../schema/api/plans.ts';
import type { Status, Task } from '../../../schema/task/task.ts';
import type { Membership } from '../../repos/people/members.ts';
import { accountUsageOf } from '../../services/account/account-usage.ts';
import { listTasks } from '../../services/tasks/list-tasks.ts';
import { Notice, Time } from '../elements.tsx';
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
      <State account={account} />
      {newest === null ? await FirstTask({ visit, key: null }) : null}
      {now}
      {newest === null ? null : <Failures tasks={failed} path={tasksPath(visit)} />}
      {await Limits(visit)}
    </>
  );
  return visit.page('Home', body, { scripts: ['refresh'] });
}

function State({ account }: Pick<Membership, 'account'>) {
  return (
    <>
      {account.subscription === 'inactive' ? (
        <Notice kind="error">The subscription is inactive: you can read, but not create tasks.</Notice>
      ) : null}
      {account.trialEndsAt === null ? null : (
        <Notice>
          The free trial ends <Time ms={account.trialEndsAt} />.
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
              <span class="block">{error?.detail}</span>
              <span class="block">
                <strong>What to do:</strong> {error?.hint}
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

async function Limits(visit: MemberVisit) {
  const { plan, limits, used } = (await accountUsageOf(visit.core, visit.caller)).body;
  const rows = [
    { title: planLimits.running.doc, used: used.running, most: limits.running },
    { title: planLimits.waiting.doc, used: used.waiting, most: limits.waiting },
    { title: planLimits.connections.doc, used: used.connections, most: limits.connections },
    {
      title: 'Tasks created in the last minute',
      used: limits.creations_per_minute - used.creations_left,
      most: limits.creations_per_minute,
    },
  ];
  return (
    <section aria-labelledby="limits">
      <h2 id="limits">Limits of the plan {plan}</h2>
      <ul class="limits">
        {rows.map(({ title, used: count, most }) => (
          <li>
            <span>{title}</span>{' '}
            <meter min={0} max={most} high={most * 0.8} value={count} aria-label={title} />{' '}
            <span>
              {count} of {most}
            </span>
          </li>
        ))}
      </ul>
      <p>
        <a href="/docs#plans">All limits</a>
      </p>
    </section>
  );
}
