import type { PeopleContext } from '../../people-context.ts';

/** The name that passkeys belong to; null if the service has only a number for an address, where there are none. */
export function passkeyDomain({ config }: Pick<PeopleContext, 'config'>): string | null {
  const { hostname } = new URL(config.PUBLIC_URL);
  return /^[\d.]+$|^\[/.test(hostname) ? null : hostname;
}
