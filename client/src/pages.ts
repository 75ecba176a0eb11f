import type { Transport } from './transport.ts';

/** A page of a list, newest first. */
export interface Page<Item> {
  data: Item[];
  has_more: boolean;
  next_cursor: string | null;
}

/** A list that is read page by page: `for await` reads all, `page()` one. */
export interface Listing<Item> extends AsyncIterable<Item> {
  page(cursor?: string): Promise<Page<Item>>;
}

export function listing<Item>(
  transport: Transport,
  path: string,
  query: object,
  signal: AbortSignal | undefined,
): Listing<Item> {
  const page = (cursor?: string) =>
    transport.json<Page<Item>>('GET', path, { query: { ...query, cursor }, signal });
  return {
    page,
    async *[Symbol.asyncIterator]() {
      for (let cursor: string | undefined; ; ) {
        const { data, next_cursor } = await page(cursor);
        yield* data;
        if (next_cursor === null) return;
        cursor = next_cursor;
      }
    },
  };
}
