import { z } from 'zod';
import { errorEntry } from '../../../schema/api/errors.ts';
import { type OperationName, operationNames, operations } from '../../../schema/operations/index.ts';
import { commonTaskErrors } from '../../../schema/operations/operation.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { pascal, sharedSchemas } from './shared-schemas.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Names in `components.schemas` of what an operation takes and what its `output.data` holds. */
export const inputName = (name: OperationName) => `${pascal(name)}Input`;
export const dataName = (name: OperationName) => `${pascal(name)}Data`;

export const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Every code that a task of this operation can fail with. */
export function taskErrorsOf(name: OperationName) {
  return [...operations[name].errors, ...commonTaskErrors].map((code) => ({ code, ...errorEntry(code) }));
}

/** `components.schemas` of the OpenAPI document: what `wholeSchemas` has, and references where a shared schema repeats. */
export function componentSchemas(): Record<string, JsonSchema> {
  return { ...shareSchemas(wholeSchemas()), ...printShared() };
}

/**
 * Everything that carries an id, and the input and data of every operation, each with all its fields, as pages show it. Printed by
 * zod itself, as `/capabilities` and the MCP tools are, so that the three cannot differ.
 */
export function wholeSchemas(): Record<string, JsonSchema> {
  const inputs = z.registry<{ id: string }>();
  const data = z.registry<{ id: string }>();
  for (const name of operationNames) {
    inputs.add(operations[name].input, { id: inputName(name) });
    data.add(operations[name].data, { id: dataName(name) });
  }
  const schemas = {
    ...print(z.globalRegistry, 'output'),
    ...print(inputs, 'input'),
    ...print(data, 'output'),
  };
  for (const name of ['TaskOutput', 'TaskPlan']) {
    const described = schemas[name]?.properties?.data;
    if (typeof described !== 'object')
      throw new Error(`schema/task/task.ts: ${name} has no data to describe`);
    schemas[name] = {
      ...schemas[name],
      properties: {
        ...schemas[name]?.properties,
        data: {
          description: `${described.description} Its shape follows the \`operation\` of the task.`,
          anyOf: operationNames.map((operation) => schemaRef(dataName(operation))),
        },
      },
    };
  }
  return schemas;
}

/** JSON Schema allows these beside a `$ref`; they do not change what is valid. */
const annotations = ['description', 'default'];

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const shapeOf = (schema: object) =>
  canonicalJson(Object.fromEntries(Object.entries(schema).filter(([key]) => !annotations.includes(key))));

/** Replaces every schema within a value that is one of the shared schemas by a reference to it. */
export function shareSchemas<T>(whole: T): T {
  const shared = printShared();
  const byShape = Map.groupBy(Object.keys(shared), (name) => shapeOf(shared[name] ?? {}));
  const reference = (schema: Record<string, unknown>) => {
    for (const name of byShape.get(shapeOf(schema)) ?? []) {
      const entry: Record<string, unknown> = { ...shared[name] };
      const said = annotations.filter((key) => key in entry);
      if (said.some((key) => canonicalJson(schema[key]) !== canonicalJson(entry[key]))) continue;
      const own = annotations.filter((key) => key in schema && !(key in entry));
      return { ...Object.fromEntries(own.map((key) => [key, schema[key]])), ...schemaRef(name) };
    }
    return undefined;
  };
  const share = <V>(value: V): V => {
    if (Array.isArray(value)) return value.map(share) as V;
    if (!isObject(value)) return value;
    const parts = Object.entries(value).map(([key, part]) => [key, share(part)]);
    return (reference(value) ?? Object.fromEntries(parts)) as V;
  };
  return share(whole);
}

function printShared(): Record<string, JsonSchema> {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(sharedSchemas)) registry.add(schema, { id });
  return print(registry, 'input');
}

function print(registry: z.core.$ZodRegistry<{ id?: string | undefined }>, io: 'input' | 'output') {
  const { schemas } = z.toJSONSchema(registry, { io, uri: (id) => schemaRef(id).$ref, override: tidy });
  return Object.fromEntries(
    Object.entries(schemas).map(([name, { $schema: _, $id, id: __, ...schema }]) => [name, schema]),
  ) as Record<string, JsonSchema>;
}

/** Drops what says nothing to a reader: the bounds of safe integers, and the pattern of a format that is named. */
function tidy({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  if (jsonSchema.format === 'date-time') delete jsonSchema.pattern;
}
