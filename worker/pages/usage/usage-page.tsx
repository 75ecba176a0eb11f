import type { Usage } from '../../../schema/api/usage.ts';
import { detailAtField, Problem } from '../../lib/problem.ts';
import { usageOf } from '../../services/account/usage.ts';
import {
  byDay,
  byOperation,
  type FigureName,
  figureNames,
  usageCsv,
} from '../../services/usage/usage-tables.ts';
import { download } from '../download.ts';
import { Notice } from '../elements.tsx';
import { PlanUse } from '../plan-use.tsx';
import type { MemberVisit } from '../visit.ts';
import { BarChart } from './bar-chart.tsx';
import { isFigure, shownFigures } from './shown-figures.ts';

const pathOf = ({ membership }: MemberVisit) => `/app/${membership.account.id}/usage`;

/** The range in the address; fields that are empty or missing get their defaults. */
function rangeOf({ url }: MemberVisit): { from?: string; to?: string } {
  const given = ['from', 'to'].map((name) => [name, url.searchParams.get(name) ?? ''] as const);
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

/** The usage of the range, or what is wrong with it. */
async function usageIn(visit: MemberVisit): Promise<Usage | string> {
  try {
    return await usageOf(visit.core, visit.caller, rangeOf(visit), Date.now());
  } catch (error) {
    if (error instanceof Problem) return error.errors?.[0] ? detailAtField(error.errors[0]) : error.message;
    throw error;
  }
}

export async function downloadUsage(visit: MemberVisit): Promise<Response> {
  const usage = await usageIn(visit);
  if (typeof usage === 'string') return usagePage(visit, usage);
  return download(`usage-${usage.from}-${usage.to}.csv`, 'text/csv; charset=utf-8', usageCsv(usage));
}

export async function showUsage(visit: MemberVisit): Promise<Response> {
  return usagePage(visit, await usageIn(visit));
}

async function usagePage(visit: MemberVisit, usage: Usage | string): Promise<Response> {
  const named = visit.url.searchParams.get('figure') ?? '';
  const figure = isFigure(named) ? named : 'completed';
  const wrong = typeof usage === 'string' ? usage : null;
  const body = (
    <>
      <h1>Usage</h1>
      <p class="lead">A task counts on the UTC day on which it ended.</p>
      {await PlanUse({ visit })}
      <p class="hint">
        Owners get a mail when created or queued tasks reach 80 % and 100 % of the plan, at most once a month
        for each.
      </p>
      <h2>By day</h2>
      {wrong === null ? null : <Notice kind="error">{wrong}</Notice>}
      <Choice visit={visit} range={typeof usage === 'string' ? rangeOf(visit) : usage} figure={figure} />
      {typeof usage === 'string' ? null : <Tables usage={usage} figure={figure} />}
    </>
  );
  return visit.page('Usage', body, wrong === null ? {} : { status: 422 });
}

function Choice({
  visit,
  range: { from, to },
  figure,
}: {
  visit: MemberVisit;
  range: { from?: string; to?: string };
  figure: FigureName;
}) {
  return (
    <form class="filter" method="get" action={pathOf(visit)}>
      <label>
        From
        <input type="date" name="from" value={from} />
      </label>
      <label>
        To
        <input type="date" name="to" value={to} />
      </label>
      <label>
        Figure
        <select name="figure">
          {figureNames.map((name) => (
            <option value={name} selected={name === figure}>
              {shownFigures[name].title}
            </option>
          ))}
        </select>
      </label>
      <span class="actions">
        <button type="submit">Show</button>
        <button class="second" type="submit" formaction={`${pathOf(visit)}/csv`}>
          Download CSV
        </button>
      </span>
    </form>
  );
}

function Tables({ usage, figure }: { usage: Usage; figure: FigureName }) {
  const { title, text } = shownFigures[figure];
  if (usage.days.length === 0)
    return (
      <p>
        No task ended between {usage.from} and {usage.to}.
      </p>
    );
  return (
    <>
      <BarChart
        title={`${title} by day, ${usage.from} to ${usage.to}. The tables below have the numbers.`}
        bars={byDay(usage, figure)}
        text={text}
      />
      <FigureTable
        caption={`By operation, ${usage.from} to ${usage.to}`}
        first="Operation"
        rows={[...byOperation(usage).map((row) => [row.operation, row] as const), ['All', usage.totals]]}
      />
      <details>
        <summary>By day and operation</summary>
        <FigureTable
          caption="By day and operation"
          first="Day"
          rows={usage.days
            .toReversed()
            .flatMap(({ date, operations }) =>
              operations.map((row) => [`${date} ${row.operation}`, row] as const),
            )}
        />
      </details>
    </>
  );
}

function FigureTable({
  caption,
  first,
  rows,
}: {
  caption: string;
  first: string;
  rows: readonly (readonly [string, Usage['totals']])[];
}) {
  return (
    <section class="scroll" tabindex={0} aria-label={caption}>
      <table class="figures">
        <caption>{caption}</caption>
        <thead>
          <tr>
            <th scope="col">{first}</th>
            {figureNames.map((name) => (
              <th scope="col">{shownFigures[name].title}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, row]) => (
            <tr>
              <th scope="row">{name}</th>
              {figureNames.map((figure) => (
                <td>{shownFigures[figure].text(row[figure])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
