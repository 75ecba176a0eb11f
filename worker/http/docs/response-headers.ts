import { EXAMPLE_REQUEST_ID } from './example-tasks.ts';

/** `components.headers` of the OpenAPI document. */
export const headers = {
  'X-Request-Id': {
    description: 'The id of this request; quote it when something goes wrong.',
    schema: { type: 'string' },
    example: EXAMPLE_REQUEST_ID,
  },
  'Retry-After': {
    description: 'Seconds to wait before trying again.',
    schema: { type: 'integer', minimum: 0 },
    example: 2,
  },
  'WWW-Authenticate': {
    description: 'The scheme of the key.',
    schema: { type: 'string' },
    example: 'Bearer',
  },
  'RateLimit-Policy': {
    description: 'Creations (`q`) in a window of `w` seconds, by the IETF draft.',
    schema: { type: 'string' },
    example: '"basic";q=30;w=60',
  },
  RateLimit: {
    description: 'Creations left (`r`) and seconds until one comes back (`t`).',
    schema: { type: 'string' },
    example: '"basic";r=29;t=12',
  },
} as const;

export function headerRefs(names: readonly (keyof typeof headers)[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Every response names its request; a known caller also reads how much is left to create. */
export function commonHeaders({ keyed, status }: { keyed: boolean; status: number }) {
  return headerRefs(
    keyed && status !== 401 ? ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'] : ['X-Request-Id'],
  );
}
