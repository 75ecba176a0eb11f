// What a JSON Schema says of a value, as far as forms need it.

export const COLOR = '^#[0-9a-fA-F]{6}$';

export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
export const isNumeric = ({ type }) => type === 'number' || type === 'integer';
const isTextual = (schema) =>
  isNumeric(schema) ? !('const' in schema) : schema.type === 'string' && !schema.enum;

function range(from, to) {
  if (from !== undefined && to !== undefined) return ` ${from} to ${to}`;
  if (from !== undefined) return ` from ${from}`;
  return to === undefined ? '' : ` up to ${to}`;
}

/** The name of a shape in a union. */
function shapeText(schema) {
  if (schema.title) return schema.title;
  if (schema.anyOf) return schema.anyOf.map(shapeText).join(' or ');
  if (schema.format === 'uri') return 'URL';
  if (schema.properties) return Object.keys(schema.properties).join(', ');
  return { array: 'list', string: 'text' }[schema.type] ?? schema.type;
}

/** What a value may be, where that can be said in a few words. */
export function boundsText(schema) {
  const { type, minLength = 0, maxLength, minItems = 0, maxItems } = schema;
  if (schema.title) return schema.title;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.anyOf && kindOf(schema) === 'text') return schema.anyOf.map(boundsText).join(' or ');
  if (isNumeric(schema)) {
    return (type === 'integer' ? 'whole number' : 'number') + range(schema.minimum, schema.maximum);
  }
  if (type === 'array' && maxItems) return `${minItems} to ${maxItems} items`;
  const isPlain = type === 'string' && !schema.enum && schema.format !== 'uri';
  return isPlain && maxLength ? `${minLength} to ${maxLength} characters` : '';
}

export function kindOf(schema) {
  if (schema.anyOf) return schema.anyOf.every(isTextual) ? 'text' : 'choice';
  if ('const' in schema || schema.enum || schema.type === 'boolean' || schema.type === 'null')
    return 'choice';
  if (isTextual(schema)) return 'text';
  if (schema.type === 'array' && isObject(schema.items)) return 'array';
  if (schema.properties) return 'object';
  return isObject(schema.additionalProperties) ? 'record' : 'json';
}

/** Each value of its own, and each other shape of a union. */
export function optionsOf(schema) {
  const one = (value) => [{ label: String(value), value }];
  if (schema.anyOf) return schema.anyOf.flatMap(optionsOf);
  if ('const' in schema) return one(schema.const);
  if (schema.enum) return schema.enum.flatMap(one);
  if (schema.type === 'boolean') return [...one(true), ...one(false)];
  return schema.type === 'null' ? one(null) : [{ label: shapeText(schema), schema }];
}

/** How well a value fits a shape; 0: not at all. */
export function fitness(value, schema) {
  if (Array.isArray(value)) return schema.type === 'array' ? 1 : 0;
  if (isObject(value)) {
    const names = Object.keys(schema.properties ?? {});
    return schema.type === 'object' ? 1 + names.filter((name) => Object.hasOwn(value, name)).length : 0;
  }
  const branches = schema.anyOf ?? [schema];
  return branches.some((branch) => (isNumeric(branch) ? 'number' : branch.type) === typeof value) ? 1 : 0;
}
