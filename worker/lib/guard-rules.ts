import type { GuardRules } from '../../guard/url.ts';
import type { Config } from '../env.ts';

/** The addresses of this service, for the address guard. */
export function guardRules(config: Config): GuardRules {
  const { PUBLIC_URL, CALLBACK_URL, TRANSCODER_URL, S3_ENDPOINT } = config;
  const own = [PUBLIC_URL, CALLBACK_URL, TRANSCODER_URL, S3_ENDPOINT].filter((url) => URL.canParse(url));
  return {
    devOrigins: new Set(config.SPOOL_DEV_ORIGINS),
    ownHosts: new Set(own.map((url) => new URL(url).hostname)),
  };
}
