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

export function typeText(schema) {
  if (schema.title) return schema.title;
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.anyOf) return schema.anyOf.map(typeText).join(' or ');
  if (isNumeric(schema)) {
    return (schema.type === 'integer' ? 'whole number' : 'number') + range(schema.minimum, schema.maximum);
  }
  if (schema.format === 'uri') return 'URL';
  if (schema.type === 'string')
    return `text${schema.maxLength ? ` up to ${schema.maxLength} characters` : ''}`;
  if (schema.type === 'array')
    return `list${schema.minItems || schema.maxItems ? ` of${range(schema.minItems, schema.maxItems)}` : ''}`;
  const names = Object.keys(schema.properties ?? {});
  return names.length > 0 ? names.join(', ') : schema.type;
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
  return schema.type === 'null' ? one(null) : [{ label: typeText(schema), schema }];
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
