import { isAddress } from '../../../guard/address.ts';
import { addressIsAllowed, judgeUrl } from '../../../guard/url.ts';
import type { Context } from '../../context.ts';
import type { Config } from '../../env.ts';
import { guardRules } from '../../lib/guard-rules.ts';
import { errorText, log } from '../../lib/log.ts';
import { fieldProblem } from '../../lib/problem.ts';
import { resolveHost } from '../../lib/resolve-host.ts';

/**
 * Refuses early, naming the field, a receiver of webhooks that no attempt could reach.
 * @throws Problem validation_failed
 */
export function checkReceiverUrl({ config }: Context, pointer: string, url: string): void {
  const verdict = judgeUrl(url, guardRules(config));
  if (verdict.allowed) return;
  const code = verdict.code === 'source_not_https' ? 'url_not_https' : 'url_forbidden';
  throw fieldProblem('validation_failed', [{ pointer, code, detail: verdict.detail }]);
}

/**
 * Checks a receiver at every attempt, by its URL and by all addresses of its host. `fetch` of the Workers runtime cannot be
 * pinned to an address, so the name could change right after the check. That cannot reach a private network either, because the
 * runtime only reaches the public internet.
 * @returns `unknown` if the host has no address or DNS does not answer.
 */
export async function judgeReceiver(config: Config, text: string): Promise<URL | 'forbidden' | 'unknown'> {
  const verdict = judgeUrl(text, guardRules(config));
  if (!verdict.allowed) return 'forbidden';
  const { url, development } = verdict;
  if (development || isAddress(url.hostname.replace(/^\[|\]$/g, ''))) return url;
  try {
    const addresses = await resolveHost(config.WEBHOOK_DNS_URL, url.hostname);
    if (addresses.length === 0) return 'unknown';
    return addresses.every((address) => addressIsAllowed(address, verdict)) ? url : 'forbidden';
  } catch (error) {
    log('warn', 'receiver_unresolved', { error: errorText(error) });
    return 'unknown';
  }
}
