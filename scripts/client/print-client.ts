/** Prints what the client knows of the registry: types, the paths of operations, and the flags of the command line. */
import type { Flag } from '../../client/cli/flags.ts';
import '../../schema/api/account.ts';
import '../../schema/api/upload.ts';
import '../../schema/api/usage.ts';
import '../../schema/api/webhook.ts';
import { otherOperationNames } from '../../schema/api/other-operation-names.ts';
import { type OperationName, operationNames, operations } from '../../schema/operations/index.ts';
import { commonFields } from '../../schema/operations/operation.ts';
import { commandName, flagOf, methodName } from '../../worker/http/docs/client-names.ts';
import {
  dataName,
  inputName,
  type JsonSchema,
  wholeSchemas,
} from '../../worker/http/docs/component-schemas.ts';
import { typeText } from '../../worker/http/docs/field-rows.ts';
import { declarationOf } from './print-types.ts';

const notice = '// Printed from the registry by `npm run generate`.\n';

/** Media to read; the other URLs of a request are not. */
const isSource = (field: string) => !(field in commonFields);

/** What the client sends and gets; the other schemas of the service are not for it. */
const answers = [
  ...[
    'ErrorCode',
    'Problem',
    'Task',
    'TaskError',
    'TaskOutput',
    'TaskPlan',
    'Upload',
    'Usage',
    'Account',
    'PlanLimits',
  ],
  ...['WebhookEvent', 'WebhookEndpoint', 'WebhookEndpointList', 'WebhookSecret', 'WebhookDelivery'],
];

function schemasText(): string {
  const schemas = wholeSchemas();
  const declarationIn = (name: string, sources: (field: string) => boolean) => {
    const schema = schemas[name];
    if (!schema) throw new Error(`print-client.ts: there is no schema ${name}`);
    return declarationOf(name, schema, sources);
  };
  const declarations = [
    ...[...answers, ...operationNames.map(dataName)].map((name) => declarationIn(name, () => false)),
    ...operationNames.map((name) => declarationIn(inputName(name), isSource)),
  ];
  const inputsOf = operationNames.map((name) => `  ${name}: ${inputName(name)};`);
  const dataOf = operationNames.map((name) => `  ${name}: ${dataName(name)};`);
  return [
    notice,
    "import type { Source } from '../source.ts';\n",
    ...declarations.map((text) => `${text}\n`),
    '/** The request of each operation. */',
    `export interface OperationInputs {\n${inputsOf.join('\n')}\n}\n`,
    '/** `data` in the result of each operation. */',
    `export interface OperationResults {\n${dataOf.join('\n')}\n}\n`,
    'export type OperationName = keyof OperationInputs;\n',
  ].join('\n');
}

function operationsText(): string {
  const methods = operationNames.map((name) => {
    const { summary, path } = operations[name];
    return `  /** ${summary} \`POST ${path}\` */\n  ${methodName(name)}: StartTask<'${name}'>;`;
  });
  const paths = operationNames.map((name) => `  ${methodName(name)}: '${operations[name].path}',`);
  return `${notice}
import type { StartTask } from '../operations.ts';

/** A method for every operation. */
export interface OperationMethods {
${methods.join('\n')}
}

/** The path of each operation, by the method that posts to it. */
export const operationPaths = {
${paths.join('\n')}
} as const;
`;
}

function describedFlag(field: string, schema: JsonSchema): Flag {
  const branches = (schema.anyOf ?? [schema]) as JsonSchema[];
  const items = branches.flatMap((branch) => {
    const inner = branch.items as JsonSchema | undefined;
    return branch.type === 'array' && inner ? ((inner.anyOf ?? [inner]) as JsonSchema[]) : [];
  });
  const plain = items.length > 0 ? items : branches;
  const named = plain.flatMap(({ additionalProperties }) =>
    typeof additionalProperties === 'object' ? [additionalProperties as JsonSchema] : [],
  );
  const has = (type: string) => plain.some((branch) => branch.type === type);
  const values = plain.flatMap((branch) => branch.enum ?? []).map(String);
  return {
    field,
    type: typeText(schema).slice(0, 200),
    description: schema.description ?? branches.map(({ description = '' }) => description).join(''),
    ...([...plain, ...named].some(({ format }) => format === 'uri') && isSource(field)
      ? { source: true }
      : {}),
    ...(named.some(({ format }) => format === 'uri') ? { named: true } : {}),
    // Text that may also be a list stays one text.
    ...(items.length > 0 && !branches.some(({ type }) => type === 'string') ? { list: true } : {}),
    ...(has('boolean') ? { boolean: true } : {}),
    ...([...branches, ...plain].some(({ type }) => type === 'number' || type === 'integer')
      ? { numeric: true }
      : {}),
    ...(values.length > 0 ? { values } : {}),
  };
}

/** A request as a command line; sources are files of that name. */
function commandLine(name: OperationName, input: Record<string, unknown>): string {
  const words = Object.entries(input).flatMap(([field, value], index) => {
    const flag = flagOf(field);
    if (typeof value === 'boolean') return [value ? flag : flag.replace('--', '--no-')];
    const items = Array.isArray(value) ? value : [value];
    if (index === 0 && items.every(isAddress)) return items.map(fileOf);
    const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
    return [flag, fileOf(text)];
  });
  return ['spool', commandName(name), ...words].join(' ');
}

const isAddress = (value: unknown) => typeof value === 'string' && /^(?:https|task|upload):/.test(value);
const fileOf = (source: string) => shellWord(source.replaceAll('https://media.example.com/', ''));
const shellWord = (text: string) =>
  /^[\w./:%@-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;

function commandsText(): string {
  const schemas = wholeSchemas();
  const commands = operationNames.map((name) => {
    const { properties = {}, required = [] } = schemas[inputName(name)] ?? {};
    const flags = Object.entries(properties).flatMap(([field, schema]) =>
      typeof schema === 'object' ? [describedFlag(field, schema)] : [],
    );
    const { summary, path, examples } = operations[name];
    return {
      ...{ name: commandName(name), method: methodName(name), path, summary, required, flags },
      otherNames: [...otherOperationNames].flatMap(([other, meant]) => (meant === name ? [other] : [])),
      examples: examples.map(({ title, input }) => ({ title, line: commandLine(name, input) })),
    };
  });
  return `${notice}
import type { Command } from '../flags.ts';

export const commands: readonly Command[] = ${JSON.stringify(commands, null, 2)};
`;
}

/** Each file under client/ that is printed, with its text. */
export const printedFiles: Record<string, () => string> = {
  'src/printed/schemas.ts': schemasText,
  'src/printed/operations.ts': operationsText,
  'cli/printed/commands.ts': commandsText,
};
