import type { OpenAPIHono } from '@hono/zod-openapi';
import type { AccountLimit } from '../schema/api/request-limits.ts';
import type { Env } from './bindings.ts';
import type { Context } from './context.ts';
import type { Principal } from './repos/keys.ts';

/**
 * Which limit a request counts against: of the account that its key names (`polls`, `creations`), of the address that it comes
 * from (`public`), or the one that its handler chooses (`own`), because a link, a batch of messages or a signature decides it.
 */
export type Counted = AccountLimit | 'public' | 'own';

/** What every middleware and handler finds on its Hono context. */
export interface AppEnv {
  Bindings: Env;
  Variables: { context: Context; requestId: string; principal?: Principal; counted?: Counted };
}

/** The app that routes are mounted on. Routes import this type, never `app.ts`, which imports every route. */
export type App = OpenAPIHono<AppEnv>;
