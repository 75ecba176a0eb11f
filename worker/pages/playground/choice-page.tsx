import { planOf } from '../../../schema/api/plans.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import { groupTitles } from '../../../schema/operations/operation.ts';
import type { MemberVisit } from '../visit.ts';
import { playgroundPath } from './paths.ts';

/** Every operation, by groups. */
export function showOperations(visit: MemberVisit): Response {
  const { title: plan, features } = planOf(visit.caller.plan);
  const groups = Map.groupBy(operationNames, (name) => operations[name].group);
  const body = (
    <>
      <h1>Playground</h1>
      <p class="lead">
        Choose an operation, fill in its form, and run it. The form shows the request for your own code.
      </p>
      {[...groups].map(([group, names]) => (
        <section>
          <h2>{groupTitles[group]}</h2>
          <ul class="cards pairs">
            {names.map((name) => (
              <li>
                <h3>
                  <a href={playgroundPath(visit, name)}>{operations[name].title}</a>
                </h3>
                <p>{operations[name].summary}</p>
                {(features as readonly string[]).includes(operations[name].feature) ? null : (
                  <p class="hint">Not included in the plan {plan}.</p>
                )}
              </li>
            ))}
          </ul>
        </section>
      ))}
    </>
  );
  return visit.page('Playground', body);
}
