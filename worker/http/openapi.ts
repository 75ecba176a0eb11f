import packageJson from '../../package.json' with { type: 'json' };
import type { Group } from '../../schema/operations/operation.ts';
import type { App } from '../app-env.ts';
import { canonicalJson } from '../lib/text/canonical-json.ts';
import { componentSchemas, shareSchemas } from './docs/component-schemas.ts';
import { EXAMPLE_ORIGIN } from './docs/example-tasks.ts';
import { commonHeaders, headers } from './docs/response-headers.ts';
import { pascal } from './docs/shared-schemas.ts';

/** The description of each tag, in the order of the reference page. */
export const tags = {
  video: 'Cut, crop, merge and convert video and audio files.',
  photo: 'Make videos of photos.',
  audio: 'Replace, speak, convert and separate audio.',
  captions: 'Add captions to videos.',
  visual: 'Make videos of audio.',
  frames: 'Extract pictures and inspect files.',
  tasks: 'List, read, download and delete tasks.',
  uploads: 'Send files from your disk to the storage of the service, to use them as sources.',
  webhooks:
    'Webhooks for ended tasks, sent to the `callback_url` of the task and to the endpoints of the account. They are signed using Standard Webhooks and retried for more than a day.',
  service: 'Your account and the service itself.',
} as const satisfies Record<Group | 'tasks' | 'uploads' | 'webhooks' | 'service', string>;

const description = `${packageJson.description}

Every operation is a POST that returns 202 with a task. Poll its \`status_url\` until \`status\` is \`completed\` or \`failed\`. Errors are RFC 9457 problems. In addition to the documented responses, any path may return 404 \`not_found\` or 405 \`method_not_allowed\` (with \`Allow\`).`;

/** The OpenAPI 3.1 document of every declared route. `publicUrl` has no trailing slash. */
export function openApiDocument(app: App, publicUrl: string) {
  const { paths = {}, ...document } = app.getOpenAPI31Document({
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
  const { paths: written, parameters } = withSharedParameters(withCommonHeaders(shareSchemas(paths)));
  const whole = {
    ...document,
    paths: written,
    components: {
      schemas: componentSchemas(),
      responses: document.components?.responses ?? {},
      parameters,
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

type Paths = NonNullable<ReturnType<App['getOpenAPI31Document']>['paths']>;
type Operation = Paths[string]['get'] & object;

/** Responses that are components already have these headers; see problem-responses.ts. */
function withCommonHeaders(paths: Paths): Paths {
  return eachOperation(paths, (operation) => {
    const keyed = operation.security?.length !== 0;
    const responses = Object.entries<object>(operation.responses ?? {}).map(([status, response]) => {
      if ('$ref' in response) return [status, response];
      const common = commonHeaders({ keyed, status: Number(status) });
      return [status, { ...response, headers: { ...common, ...Reflect.get(response, 'headers') } }];
    });
    return { ...operation, responses: Object.fromEntries(responses) };
  });
}

/** Moves each parameter that several operations share to `components.parameters`. */
function withSharedParameters(paths: Paths): { paths: Paths; parameters: Record<string, Parameter> } {
  const places = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods as Record<string, Operation>).flatMap((operation) =>
      parametersOf(operation).map((parameter) => ({ name: parameterName(parameter, path), parameter })),
    ),
  );
  const byText = Map.groupBy(places, ({ parameter }) => canonicalJson(parameter));
  const repeated = [...byText.values()].flatMap(([first, ...others]) =>
    first && others.length > 0 ? [[first.name, first.parameter] as const] : [],
  );
  const parameters = Object.fromEntries(repeated);
  const names = new Map(
    Object.entries(parameters).map(([name, parameter]) => [canonicalJson(parameter), name]),
  );
  const refer = (parameter: Parameter) => {
    const name = names.get(canonicalJson(parameter));
    return name === undefined ? parameter : { $ref: `#/components/parameters/${name}` };
  };
  const written = eachOperation(paths, (operation) =>
    operation.parameters ? { ...operation, parameters: parametersOf(operation).map(refer) } : operation,
  );
  return { paths: written, parameters };
}

type Parameter = Exclude<NonNullable<Operation['parameters']>[number], { $ref: string }>;

/** No parameter is a reference yet, because routes declare them with zod. */
const parametersOf = (operation: Operation) => (operation.parameters ?? []) as Parameter[];

/** `IdempotencyKey`; a path parameter includes the preceding path segment: `TaskId`. */
function parameterName({ name, in: place }: Parameter, path: string): string {
  if (place !== 'path') return pascal(name);
  const owner = path.split(`/{${name}}`)[0]?.split('/').at(-1) ?? '';
  return `${pascal(owner)}${pascal(name)}`;
}

function eachOperation(paths: Paths, change: (operation: Operation) => Operation): Paths {
  return Object.fromEntries(
    Object.entries(paths).map(([path, methods]) => [
      path,
      Object.fromEntries(Object.entries(methods).map(([method, operation]) => [method, change(operation)])),
    ]),
  );
}
