import type { OpenAPIHono } from '@hono/zod-openapi';
import type { AccountLimit } from '../schema/api/request-limits.ts';
import type { Env } from './bindings.ts';
import type { Context } from './context.ts';
import type { Principal } from './repos/keys.ts';

/**
 * Which limit a request counts against:
 *
 * - `polls`, `creations`: the account of its key
 * - `public`: the client address
 * - `own`: chosen by the handler, because a link, a batch of messages or a signature decides it
 */
export type Counted = AccountLimit | 'public' | 'own';

/** The variables in the Hono context of every middleware and handler. */
export interface AppEnv {
  Bindings: Env;
  Variables: {
    context: Context;
    requestId: string;
    principal?: Principal;
    counted?: Counted;
    /** The only parameters that the query string may have; without it, any. */
    parameters?: readonly string[];
  };
}

/** The app that routes are mounted on. Routes import this type instead of `app.ts`, which imports every route. */
export type App = OpenAPIHono<AppEnv>;
