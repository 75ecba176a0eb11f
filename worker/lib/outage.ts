import { Problem } from './problem.ts';

/** Seconds after which a request that met an outage is worth repeating. */
const RETRY_SECONDS = 5;

/** SQLite rejects the statement itself, so it would fail again: it is wrong, or a constraint forbids it. */
const OWN_MISTAKE = /SQLITE_(?:ERROR|CONSTRAINT|MISMATCH|RANGE|TOOBIG|AUTH)|D1_TYPE_ERROR/;

/**
 * D1, R2, a queue or a Durable Object failed, or its answer was lost. The same request may succeed later. An error that crosses from one
 * Durable Object to another keeps its name, but not its class.
 */
export class Outage extends Error {
  override readonly name = 'Outage';
}

export const isOutage = (error: unknown): boolean => error instanceof Error && error.name === 'Outage';

/** The failure of a call to another part as an outage, unless our own code caused it, here or in a Durable Object. */
export function asOutage(error: unknown): unknown {
  if (!(error instanceof Error) || error.name !== 'Error') return error;
  if ('remote' in error && error.remote === true) return error;
  return OWN_MISTAKE.test(error.message) ? error : new Outage(error.message, { cause: error });
}

/** The same object; failures of its asynchronous methods are outages, as far as `mark` says so. */
export function markOutages<T extends object>(part: T, mark = asOutage): T {
  return new Proxy(part, {
    get(of, name) {
      const own: unknown = Reflect.get(of, name);
      return typeof own === 'function'
        ? (...given: unknown[]) => marked(Reflect.apply(own, of, given), mark)
        : own;
    },
  });
}

function marked(result: unknown, mark: typeof asOutage): unknown {
  if (typeof result !== 'object' || result === null || !('then' in result)) return result;
  return Promise.resolve(result).catch((error: unknown) => {
    throw mark(error);
  });
}

/**
 * The outcome of a write, also where only its answer was lost: `written` then reads whether it was done, because a caller who is refused
 * does it again. @throws Outage if it was not, or that cannot be read either
 */
export async function confirmed<T>(write: () => Promise<T>, written: () => Promise<T | null>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const done = isOutage(error) ? await written().catch(() => null) : null;
    if (done === null) throw error;
    return done;
  }
}

/** The outcome of a removal, also where only its answer was lost: `left` reads what is still there. @throws Outage */
export const confirmedGone = (
  remove: () => Promise<boolean>,
  left: () => Promise<unknown>,
): Promise<boolean> => confirmed(remove, async () => ((await left()) === null ? true : null));

/** The answer to a request that met an outage. */
export function unavailable(): Problem {
  return new Problem('unavailable', undefined, { headers: { 'retry-after': String(RETRY_SECONDS) } });
}
