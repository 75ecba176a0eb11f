import { html } from 'hono/html';
import type { ErrorCode } from '../../../schema/api/errors.ts';
import { errorPath } from './paths.ts';
import type { Html } from './shell.ts';

export function errorLink(code: ErrorCode): Html {
  return html`<a href="${errorPath(code)}"><code>${code}</code></a>`;
}
