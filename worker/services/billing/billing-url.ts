import type { Config } from '../../env.ts';

/** The page of the dashboard where an account pays. */
export function billingUrl({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, accountId: string): string {
  return `${PUBLIC_URL}/app/${accountId}/billing`;
}
