import type { JsonSchema } from './component-schemas.ts';

/** One row of a field table. Nested fields have names such as `segments[].start`. */
export interface FieldRow {
  name: string;
  type: string;
  required: boolean;
  /** JSON of the default; null where there is none. */
  fallback: string | null;
  description: string;
}

const isSchema = (value: unknown): value is JsonSchema => typeof value === 'object' && value !== null;

/** The fields of an object schema; nested fields follow the field that contains them. */
export function fieldRows(schema: JsonSchema, prefix = ''): FieldRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([key, property]) => {
    if (!isSchema(property)) return [];
    const name = `${prefix}${key}`;
    const row: FieldRow = {
      name,
      type: typeText(property),
      required: schema.required?.includes(key) ?? false,
      fallback: property.default === undefined ? null : JSON.stringify(property.default),
      description: descriptionOf(property),
    };
    return [row, ...nestedRows(property, name)];
  });
}

function nestedRows(schema: JsonSchema, name: string): FieldRow[] {
  if (schema.properties) return fieldRows(schema, `${name}.`);
  if (schema.anyOf) {
    const rows = schema.anyOf.flatMap((branch) => (isSchema(branch) ? nestedRows(branch, name) : []));
    return rows.map((row) => ({ ...row, required: false }));
  }
  return isSchema(schema.items) && !Array.isArray(schema.items) ? nestedRows(schema.items, `${name}[]`) : [];
}

function descriptionOf(schema: JsonSchema): string {
  const own = schema.description ?? '';
  if (own !== '' || !schema.anyOf) return own;
  return schema.anyOf.map((branch) => (isSchema(branch) ? (branch.description ?? '') : '')).join('');
}

/** The fields of a result, without the mark `required`, which says nothing in a response. */
export function resultRows(schema: JsonSchema): FieldRow[] {
  return fieldRows(schema).map((row) => ({ ...row, required: false }));
}

/** The type of a value with its range: `integer 1–100`, `"mp4" | "mov"`, `array of number, 1–100 items`. */
export function typeText(schema: JsonSchema): string {
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? '';
  if (schema.title) return schema.title;
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum) return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.anyOf)
    return schema.anyOf.map((branch) => (isSchema(branch) ? typeText(branch) : '')).join(' | ');
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeText({ ...schema, type } as JsonSchema)).join(' | ');
  }
  switch (schema.type) {
    case 'integer':
    case 'number':
      return `${schema.type}${range(schema.minimum, schema.maximum)}`;
    case 'string':
      return stringText(schema);
    case 'array':
      return arrayText(schema);
    case 'object':
      return objectText(schema);
    default:
      return schema.type ?? 'any';
  }
}

function stringText({ format, maxLength }: JsonSchema): string {
  if (format === 'uri') return 'URL';
  if (format === 'date-time') return 'date and time';
  if (format === 'binary') return 'bytes';
  return maxLength === undefined ? 'string' : `string up to ${maxLength} characters`;
}

function arrayText({ items, minItems, maxItems }: JsonSchema): string {
  const item = isSchema(items) && !Array.isArray(items) ? typeText(items) : 'any';
  if (minItems !== undefined && minItems === maxItems) return `[${Array(minItems).fill(item).join(', ')}]`;
  const of = item.includes(' | ') ? `(${item})` : item;
  const count = range(minItems, maxItems);
  return `array of ${of}${count === '' ? '' : `,${count} items`}`;
}

function objectText({ properties, additionalProperties }: JsonSchema): string {
  if (properties) return `{${Object.keys(properties).join(', ')}}`;
  if (!isSchema(additionalProperties)) return 'object';
  const value = typeText(additionalProperties);
  return value === 'any' ? 'object' : `object of ${value}`;
}

function range(min: number | undefined, max: number | undefined): string {
  if (min !== undefined && max !== undefined) return ` ${min}–${max}`;
  if (min !== undefined) return ` ≥ ${min}`;
  return max === undefined ? '' : ` ≤ ${max}`;
}
