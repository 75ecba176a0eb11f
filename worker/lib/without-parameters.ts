import { asOutage, isOutage, markOutages, Outage } from './outage.ts';

/**
 * Wraps a repository so that its errors omit the statement's parameters. Drizzle includes them in its message, for example URLs
 * with tokens, and the runtime may log an error before our code sees it. An error that is not about the statement is an outage.
 */
export const withoutParameters = <R extends object>(repo: R): R => markOutages(repo, withoutThem);

function withoutThem(error: unknown): unknown {
  if (!(error instanceof Error && 'params' in error && 'query' in error)) return error;
  const { cause } = error;
  const text = `Failed query: ${error.query}`;
  return isOutage(asOutage(cause)) ? new Outage(text, { cause }) : new Error(text, { cause });
}
