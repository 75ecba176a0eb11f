import { secureHeaders } from 'hono/secure-headers';

/**
 * Nothing that is answered may be framed, sniffed, or run anything; a route that needs more, or less, says so itself.
 * Answers to keyed requests carry no CORS headers: pages of other sites have no business with a key.
 */
export const securityHeaders = secureHeaders({
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] },
  xFrameOptions: 'DENY',
  overwrite: false,
});
