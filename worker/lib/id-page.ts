/**
 * A page of a list whose order is that of its ids: its cursor is the id of the last row.
 * @param rows One more than the page has, if there are as many.
 */
export function idPage<Row extends { id: string }, Shown>(
  rows: readonly Row[],
  limit: number,
  shown: (row: Row) => Shown,
) {
  const page = rows.slice(0, limit);
  const more = rows.length > limit;
  return {
    object: 'list' as const,
    data: page.map(shown),
    has_more: more,
    next_cursor: more ? (page.at(-1)?.id ?? null) : null,
  };
}
