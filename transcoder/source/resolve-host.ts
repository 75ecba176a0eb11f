import { NODATA, NOTFOUND } from 'node:dns';
import { Resolver } from 'node:dns/promises';

/** All addresses of a host name. Rejects if there are none. */
export type Resolve = (host: string) => Promise<string[]>;

/** Milliseconds for one query to one server, and for all queries together; then the addresses found so far are used. */
const WAIT = { question: 1000, all: 2500 };

/**
 * Queries the system's name servers, or the one given as `address:port`. It does not use getaddrinfo, which blocks a
 * thread of the pool for file I/O while a name server is silent, and which reads hosts files and search domains that
 * may contain private names.
 */
export function resolver(server?: string): Resolve {
  return async (host) => {
    // RFC 6761 section 6.3: no server is queried. The guard only lets development origins use this name.
    if (host === 'localhost') return ['127.0.0.1', '::1'];
    const asking = new Resolver({ timeout: WAIT.question, tries: 2 });
    if (server !== undefined) asking.setServers([server]);
    const timer = setTimeout(() => asking.cancel(), WAIT.all);
    try {
      const answers = await Promise.allSettled([asking.resolve4(host), asking.resolve6(host)]);
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
      const reasons = answers.flatMap((answer) => (answer.status === 'rejected' ? [answer.reason] : []));
      // The name is known to have no address only if no server failed.
      const failed = reasons.find(({ code }) => code !== NOTFOUND && code !== NODATA) ?? reasons[0];
      if (addresses.length === 0 && failed) throw failed;
      return addresses;
    } finally {
      clearTimeout(timer);
    }
  };
}
