import { NODATA, NOTFOUND } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** Every address of a host name. Rejects where it has none. */
export type Resolve = (host: string) => Promise<string[]>;

/** Milliseconds for one question to one server, and until what is known by then has to do. */
const WAIT = { question: 1000, all: 2500 };

/**
 * Asks the servers of the system, or the one given as `address:port`. Not by getaddrinfo: that one takes a thread of the pool
 * that files are written with for as long as a name server stays silent, and reads hosts files and search domains, in which
 * private names stand.
 */
export function resolver(server?: string): Resolve {
  return async (host) => {
    // RFC 6761, 6.3: no server is asked. Only a development origin has this name, the guard refuses it otherwise.
    if (host === 'localhost') return ['127.0.0.1', '::1'];
    const asking = new Resolver({ timeout: WAIT.question, tries: 2 });
    if (server !== undefined) asking.setServers([server]);
    const timer = setTimeout(() => asking.cancel(), WAIT.all);
    try {
      const answers = await Promise.allSettled([asking.resolve4(host), asking.resolve6(host)]);
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
      // Only if no server failed, the name is known to have no address.
      const failed = reasons.find(({ code }) => code !== NOTFOUND && code !== NODATA) ?? reasons[0];
      if (addresses.length === 0 && failed) throw failed;
      return addresses;
    } finally {
      clearTimeout(timer);
    }
  };
}
