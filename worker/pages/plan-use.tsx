import { planLimits } from '../../schema/api/plans.ts';
import { accountUsageOf } from '../services/account/account-usage.ts';
import type { MemberVisit } from './visit.ts';

/** How much of what the plan bounds is in use. */
export async function PlanUse({ visit }: { visit: MemberVisit }) {
  const { used, limits } = (await accountUsageOf(visit.core, visit.caller)).body;
  const rows = [
    { title: planLimits.running.doc, used: used.running, most: limits.running },
    { title: planLimits.waiting.doc, used: used.waiting, most: limits.waiting },
    {
      title: 'Tasks created in the last minute',
      used: limits.creations_per_minute - used.creations_left,
      most: limits.creations_per_minute,
    },
    { title: planLimits.connections.doc, used: used.connections, most: limits.connections },
  ];
  return (
    <section aria-labelledby="plan-use">
      <h2 id="plan-use">Limits of the {limits.title} plan</h2>
      <ul class="meters">
        {rows.map(({ title, used: value, most }) => (
          <li>
            <span>{title}</span>
            <meter aria-label={title} min={0} max={most} high={most * 0.8} value={Math.min(value, most)} />
            <span>
              {value} of {most}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
