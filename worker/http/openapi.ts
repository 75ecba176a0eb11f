import packageJson from '../../package.json' with { type: 'json' };
import type { Group } from '../../schema/operations/operation.ts';
import type { App } from '../app.ts';
import { componentSchemas } from './docs/component-schemas.ts';
import { EXAMPLE_ORIGIN, EXAMPLE_REQUEST_ID } from './docs/example-tasks.ts';

/** What each tag of the document holds, in the order of the reference page. */
export const tags = {
  edit: 'Operations that edit a video or audio file.',
  speech: 'Operations for speech: voices, captions, audio replacement and separation.',
  create: 'Operations that create a video from audio or pictures.',
  frames: 'Operations that extract pictures from a video.',
  inspect: 'Operations that inspect a file.',
  tasks: 'List, read, download and delete tasks.',
  webhooks:
    'Webhooks for ended tasks, sent to the `callback_url` of the task and to the endpoints of the account. They are signed using Standard Webhooks and retried for more than a day.',
  service: 'Your account and the service itself.',
} as const satisfies Record<Group | 'tasks' | 'webhooks' | 'service', string>;

const headers = {
  'X-Request-Id': {
    description: 'Id of this request. Quote it when you contact support.',
    schema: { type: 'string' },
    example: EXAMPLE_REQUEST_ID,
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
    description: 'Remaining task creations (`r`) and seconds until the next one becomes available (`t`).',
    schema: { type: 'string' },
    example: '"basic";r=29;t=12',
  },
} as const;

const description = `${packageJson.description}

Every operation is a POST that answers 202 with a task; poll its \`status_url\` until \`status\` is \`completed\` or \`failed\`. Errors are RFC 9457 problems; any path may answer 404 \`not_found\` or 405 \`method_not_allowed\` (with \`Allow\`) beside what stands with it.`;

/** The OpenAPI 3.1 document of every route that was declared. `publicUrl` has no slash at its end. */
export function openApiDocument(app: App, publicUrl: string) {
  const { paths, ...document } = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Spool',
      version: packageJson.version,
      description,
      license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
    },
    servers: [{ url: EXAMPLE_ORIGIN }],
    tags: Object.entries(tags).map(([name, text]) => ({ name, description: text })),
    externalDocs: { description: 'API reference', url: `${EXAMPLE_ORIGIN}/docs` },
  });
  const whole = {
    ...document,
    paths: withCommonHeaders(paths),
    components: {
      schemas: componentSchemas(),
      headers,
      securitySchemes: {
        ApiKey: {
          type: 'apiKey',
          in: 'header',
          name: 'X-API-Key',
          description: 'API key of your account.',
        },
        Bearer: { type: 'http', scheme: 'bearer', description: 'The same API key as a bearer token.' },
      },
    },
  };
  return JSON.parse(JSON.stringify(whole).replaceAll(EXAMPLE_ORIGIN, publicUrl)) as typeof whole;
}

type Paths = ReturnType<App['getOpenAPI31Document']>['paths'];

/** Every answer names its request, and every answer to a known caller what it may still create. */
function withCommonHeaders(paths: Paths): Paths {
  const answered = Object.entries(paths ?? {}).map(([path, methods]) => [
    path,
    Object.fromEntries(
      Object.entries(methods).map(([method, operation]) => {
        const responses = Object.entries<object>(operation.responses).map(([status, response]) => {
          const known = operation.security !== undefined && status !== '401';
          const common = headerRefs(
            known ? ['X-Request-Id', 'RateLimit-Policy', 'RateLimit'] : ['X-Request-Id'],
          );
          return [status, { ...response, headers: { ...common, ...Reflect.get(response, 'headers') } }];
        });
        return [method, { ...operation, responses: Object.fromEntries(responses) }];
      }),
    ),
  ]);
  return Object.fromEntries(answered);
}

function headerRefs(names: readonly (keyof typeof headers)[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
