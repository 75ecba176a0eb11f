import { accountUsageOf } from '../../services/account/account-usage.ts';
import type { MemberVisit } from '../visit.ts';

/** What the plan bounds, and how much of it is in use. */
export async function planUse(visit: MemberVisit) {
  const { used, limits: most } = (await accountUsageOf(visit.core, visit.caller)).body;
  const rows = [
    ['Running tasks', used.running, most.running],
    ['Queued tasks', used.waiting, most.waiting],
    [
      'Tasks created in the last minute',
      most.creations_per_minute - used.creations_left,
      most.creations_per_minute,
    ],
    ['Open long polls and event streams', used.connections, most.connections],
  ] as const;
  return (
    <>
      <h2>Right now, on {most.title}</h2>
      <ul class="meters">
        {rows.map(([name, value, max]) => (
          <li>
            <span>{name}</span>
            <meter aria-label={name} min={0} max={max} high={max * 0.8} value={Math.min(value, max)} />
            <span>
              {value} of {max}
            </span>
          </li>
        ))}
      </ul>
      <p class="hint">
        Owners get a mail when created or queued tasks reach 80 % and 100 % of the plan, once in a month for
        each.
      </p>
    </>
  );
}
