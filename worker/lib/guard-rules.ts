import type { GuardRules } from '../../guard/url.ts';
import type { Config } from '../env.ts';

/** What the address guard has to know of this service. */
export function guardRules({ PUBLIC_URL, SPOOL_DEV_ORIGINS }: Config): GuardRules {
  return { devOrigins: new Set(SPOOL_DEV_ORIGINS), ownHosts: new Set([new URL(PUBLIC_URL).hostname]) };
}
