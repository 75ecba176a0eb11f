import { job } from '../../schema/task/wire.ts';
import type { Exchange } from './link.ts';

/** Which transcoder the work of which account goes to, so that tests that share a service each have their own. */
export class Routes {
  readonly #origins = new Map<string, (exchange: Exchange) => string | null>();
  /** The account of each task that came by. */
  readonly #tasks = new Map<string, string>();

  set(accountId: string, origin: (exchange: Exchange) => string | null): void {
    this.#origins.set(accountId, origin);
  }

  /** Null where nobody is up. */
  readonly target = (exchange: Exchange): string | null => {
    const account = this.#accountOf(exchange);
    return this.#origins.get(account)?.(exchange) ?? null;
  };

  #accountOf({ method, path, body }: Exchange): string {
    if (method === 'POST' && path === '/tasks') {
      const { task_id, callback_url } = job.parse(JSON.parse(body.toString()));
      const account = accountIn(callback_url);
      this.#tasks.set(task_id, account);
      return account;
    }
    return this.#tasks.get(path.split('/')[2] ?? '') ?? '';
  }
}

/** The account that a report is about, by its address. */
export function accountIn(url: string): string {
  return /\/internal\/accounts\/([^/]+)\//.exec(url)?.[1] ?? '';
}
