import { type Figures, figures, type Usage } from '../../../schema/api/usage.ts';
import { DAY_MS, utcDay } from '../../../schema/time.ts';

export type FigureName = keyof Figures;

export const figureNames = Object.keys(figures) as FigureName[];

/** One figure for every day of the range, days without usage included. */
export function byDay({ from, to, days }: Usage, figure: FigureName): { date: string; value: number }[] {
  const values = new Map(
    days.map(({ date, operations }) => [date, operations.reduce((sum, one) => sum + one[figure], 0)]),
  );
  const count = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  return Array.from({ length: count }, (_, index) => {
    const date = utcDay(Date.parse(from) + index * DAY_MS);
    return { date, value: values.get(date) ?? 0 };
  });
}

type OperationRow = Usage['days'][number]['operations'][number];

/** The sums of each operation over the whole range, the one with most tasks first. */
export function byOperation({ days }: Usage): OperationRow[] {
  const sums = new Map<string, OperationRow>();
  for (const row of days.flatMap(({ operations }) => operations)) {
    const sum = sums.get(row.operation);
    if (!sum) sums.set(row.operation, { ...row });
    else for (const name of figureNames) sum[name] += row[name];
  }
  return [...sums.values()].sort((a, b) => b.completed + b.failed - a.completed - a.failed);
}

/** RFC 4180, a row for each day and operation. No value needs quotes: dates, names of operations and numbers. */
export function usageCsv({ days }: Usage): string {
  const rows = days.flatMap(({ date, operations }) =>
    operations.map((row) => [date, row.operation, ...figureNames.map((name) => row[name])]),
  );
  return [['date', 'operation', ...figureNames], ...rows].map((row) => `${row.join(',')}\r\n`).join('');
}
