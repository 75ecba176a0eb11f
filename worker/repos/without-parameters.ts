/**
 * A repository whose errors do not hold the parameters of their statement. Drizzle lists them in its message, URLs with tokens
 * among them, and an error may be logged by the runtime before any code of ours sees it.
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
    throw error instanceof Error && 'params' in error && 'query' in error
      ? new Error(`Failed query: ${error.query}`, { cause: error.cause })
      : error;
  });
}
