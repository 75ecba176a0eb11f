import { secureHeaders } from 'hono/secure-headers';

/**
 * By default, no response may be framed, sniffed or run anything; a route that needs other rules sets them itself. Responses to
 * keyed requests have no CORS headers, because pages of other sites have no reason to use a key.
 */
export const securityHeaders = secureHeaders({
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  xFrameOptions: 'DENY',
  overwrite: false,
});
