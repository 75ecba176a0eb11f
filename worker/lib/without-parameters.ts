import { asOutage, isOutage, Outage } from './outage.ts';

/**
 * Wraps a repository so that its errors omit the statement's parameters. Drizzle includes them in its message, for example URLs
 * with tokens, and the runtime may log an error before our code sees it. An error that is not about the statement is an outage.
 */
export function withoutParameters<R extends object>(repo: R): R {
  const methods = Object.entries(repo).map(([name, method]: [string, unknown]) => [
    name,
    typeof method === 'function' ? (...args: unknown[]) => cleaned(method(...args)) : method,
  ]);
  return Object.fromEntries(methods) as R;
}

function cleaned(result: unknown): unknown {
  if (typeof result !== 'object' || result === null || !('then' in result)) return result;
  return Promise.resolve(result).catch((error: unknown) => {
    if (!(error instanceof Error && 'params' in error && 'query' in error)) throw error;
    const { cause } = error;
    const text = `Failed query: ${error.query}`;
    throw isOutage(asOutage(cause)) ? new Outage(text, { cause }) : new Error(text, { cause });
  });
}
