import { z } from 'zod';
import { errorEntry } from '../../../schema/api/errors.ts';
import { type OperationName, operationNames, operations } from '../../../schema/operations/index.ts';
import { commonTaskErrors } from '../../../schema/operations/operation.ts';

export type JsonSchema = z.core.JSONSchema.BaseSchema;

const pascal = (name: OperationName) =>
  name.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** Names in `components.schemas` of what an operation takes and what its `output.data` holds. */
export const inputName = (name: OperationName) => `${pascal(name)}Input`;
export const dataName = (name: OperationName) => `${pascal(name)}Data`;

export const schemaRef = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** Every code that a task of this operation can fail with. */
export function taskErrorsOf(name: OperationName) {
  return [...operations[name].errors, ...commonTaskErrors].map((code) => ({ code, ...errorEntry(code) }));
}

/**
 * `components.schemas` of the OpenAPI document: everything that carries an id, and the input and data of every operation.
 * Printed by zod itself, as `/capabilities` and the MCP tools are, so that the three cannot differ.
 */
export function componentSchemas(): Record<string, JsonSchema> {
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
