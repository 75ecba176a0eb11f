import type { Context } from '../context.ts';
import type { Principal } from '../repos/keys.ts';

/** One HTTP request to `/mcp`, and the account that sends it. */
export interface McpRequest {
  context: Context;
  principal: Principal;
  requestId: string;
  headers: Headers;
}
