import type { Exchange, Manners } from './range-origin.ts';

const status =
  (code: number, headers: Record<string, string> = {}) =>
  ({ response }: Exchange) =>
    void response.writeHead(code, headers).end('not now');

/** The first half of what was asked for, honestly announced; a part of it where ranges are known. */
function half({ response, file, span }: Exchange, ranges: boolean): Promise<void> {
  const [from, to] = (ranges && span) || [0, file.length];
  const range = { 'content-range': `bytes ${from}-${to - 1}/${file.length}` };
  response.writeHead(ranges && span ? 206 : 200, {
    'content-length': to - from,
    ...(ranges && span ? range : {}),
  });
  return new Promise((resolve) =>
    response.write(file.subarray(from, from + Math.ceil((to - from) / 2)), () => resolve()),
  );
}

/** Ways in which an origin fails one request and may answer the next. */
export const stumbles: Record<string, (exchange: Exchange, ranges: boolean) => void> = {
  ...Object.fromEntries(
    [408, 425, 429, 500, 502, 503, 504].map((code) => [`status ${code}`, status(code)] as const),
  ),
  'status 503 with Retry-After': status(503, { 'retry-after': '1' }),
  'reset before the answer': ({ response }) => response.socket?.resetAndDestroy(),
  'hang-up before the answer': ({ response }) => response.socket?.destroy(),
  'reset in the body': (exchange, ranges) =>
    void half(exchange, ranges).then(() => exchange.response.socket?.resetAndDestroy()),
  'short body': (exchange, ranges) =>
    void half(exchange, ranges).then(() => exchange.response.socket?.destroySoon()),
  'stall in the body': (exchange, ranges) => void half(exchange, ranges),
  'no answer': () => {},
};

/** Stumbles at these requests and answers the others. */
export function stumblingAt(
  at: (exchange: Exchange) => boolean,
  stumble: (exchange: Exchange, ranges: boolean) => void,
  manners: Manners = {},
): Manners {
  return {
    ...manners,
    instead: (exchange) => {
      if (!at(exchange)) return manners.instead?.(exchange) ?? false;
      if (manners.etag) exchange.response.setHeader('etag', manners.etag(exchange.number));
      stumble(exchange, manners.ranges !== false);
      return true;
    },
  };
}

/** Twice at each read, told apart by where it ends, for several may be under way. */
export function twiceARead(ranges: boolean): (exchange: Exchange) => boolean {
  const seen = new Map<number, number>();
  return ({ span }) => {
    const end = ranges && span ? span[1] : 0;
    const times = seen.get(end) ?? 0;
    seen.set(end, times + 1);
    return times < 2;
  };
}
