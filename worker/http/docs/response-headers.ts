import { EXAMPLE_REQUEST_ID } from './example-tasks.ts';

/** `components.headers` of the OpenAPI document. */
export const headers = {
  'X-Request-Id': {
    description: 'Id of this request. Quote it when you contact support.',
    schema: { type: 'string' },
    example: EXAMPLE_REQUEST_ID,
  },
  'X-Spool-Version': {
    description: 'Version of the service. The changelog is at `/docs/changelog`.',
    schema: { type: 'string' },
    example: '1.4.0',
  },
  'Retry-After': {
    description: 'Seconds to wait before the next request.',
    schema: { type: 'integer', minimum: 0 },
    example: 2,
  },
  'WWW-Authenticate': {
    description: 'Authentication scheme of the key.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
  'RateLimit-Policy': {
    description: 'Allowed task creations (`q`) per window of `w` seconds, as in the IETF draft.',
    schema: { type: 'string' },
    example: '"basic";q=30;w=60',
  },
  RateLimit: {
    description:
      'Remaining task creations (`r`) and seconds until the next one becomes available (`t`). Responses that create no task state both as of your latest creation, with the seconds until all are available; `GET /account` has the current numbers.',
    schema: { type: 'string' },
    example: '"basic";r=29;t=12',
  },
} as const;

export function headerRefs(names: readonly (keyof typeof headers)[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Every response has the request id and the version; responses to requests with a key also have the creation limit. */
export function commonHeaders({ keyed, status }: { keyed: boolean; status: number }) {
  return headerRefs(
    keyed && status !== 401
      ? ['X-Request-Id', 'X-Spool-Version', 'RateLimit-Policy', 'RateLimit']
      : ['X-Request-Id', 'X-Spool-Version'],
  );
}
