import { operationNames, operations } from '../../../schema/operations/index.ts';
import { statuses } from '../../../schema/task/task.ts';
import { type TaskListQuery, taskListQuery } from '../../../schema/task/task-list.ts';
import { DAY_MS, iso } from '../../../schema/time.ts';

const PER_PAGE = 25;

/** What the form of the list was sent with; an empty text for a field that is not used. */
export interface ListFilter {
  status: string;
  operation: string;
  /** First and last UTC day of creation, `YYYY-MM-DD`. */
  from: string;
  to: string;
  /** An entry of the metadata; without a value, any. */
  key: string;
  value: string;
}

const names = ['status', 'operation', 'from', 'to', 'key', 'value'] as const;

export function filterOf(params: URLSearchParams): ListFilter {
  return Object.fromEntries(names.map((name) => [name, params.get(name) ?? ''])) as Record<
    (typeof names)[number],
    string
  >;
}

export const isFiltered = (filter: ListFilter) => names.some((name) => filter[name] !== '');

/** The query string of a page with the same filter. */
export function queryText(filter: ListFilter, cursor: string | null): string {
  const used = names.filter((name) => filter[name] !== '').map((name) => [name, filter[name]]);
  return new URLSearchParams([...used, ...(cursor === null ? [] : [['cursor', cursor]])] as [
    string,
    string,
  ][]).toString();
}

/** The query of the service; null if a field has a value that it cannot have. */
export function queryOf(filter: ListFilter, cursor: string | null): TaskListQuery | null {
  const { status, operation, from, to } = filter;
  const [first, last] = [dayOf(from), dayOf(to)];
  if (Number.isNaN(first) || Number.isNaN(last) || (filter.key === '' && filter.value !== '')) return null;
  const parsed = taskListQuery.safeParse({
    ...(status === '' ? {} : { status }),
    ...(operation === '' ? {} : { operation }),
    ...(first === null ? {} : { created_after: iso(first - 1) }),
    ...(last === null ? {} : { created_before: iso(last + DAY_MS) }),
    ...(cursor === null ? {} : { cursor }),
    limit: PER_PAGE,
  });
  return parsed.success ? parsed.data : null;
}

/** The start of a UTC day; null for an empty text, NaN if it is no day. */
function dayOf(text: string): number | null {
  if (text === '') return null;
  return /^[12]\d{3}-\d\d-\d\d$/.test(text) ? Date.parse(text) : Number.NaN;
}

/** Sends its fields in the address, for links that can be shared. */
export function FilterForm({ action, filter }: { action: string; filter: ListFilter }) {
  return (
    <form class="filter" method="get" action={action} aria-label="Filter">
      <label>
        Status
        <select name="status">
          <option value="">Any</option>
          {statuses.map((status) => (
            <option value={status} selected={status === filter.status}>
              {status}
            </option>
          ))}
        </select>
      </label>
      <label>
        Operation
        <select name="operation">
          <option value="">Any</option>
          {operationNames.map((name) => (
            <option value={name} selected={name === filter.operation}>
              {operations[name].title}
            </option>
          ))}
        </select>
      </label>
      <label>
        From day (UTC)
        <input name="from" type="date" value={filter.from} />
      </label>
      <label>
        To day (UTC)
        <input name="to" type="date" value={filter.to} />
      </label>
      <label>
        Metadata key
        <input name="key" maxlength={40} value={filter.key} />
      </label>
      <label>
        Metadata value
        <input name="value" maxlength={512} value={filter.value} />
      </label>
      <span class="actions">
        <button type="submit">Filter</button>
        {isFiltered(filter) ? <a href={action}>Clear</a> : null}
      </span>
    </form>
  );
}
