import type { MiddlewareHandler } from 'hono';
import packageJson from '../../../package.json' with { type: 'json' };

/** Says which version of the service gave a response. */
export const versionHeader: MiddlewareHandler = async (c, next) => {
  await next();
  c.header('x-spool-version', packageJson.version);
};
