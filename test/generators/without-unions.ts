type Json = null | boolean | number | string | Json[] | { [key: string]: Json };

const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * The document for the generator of Python clients, which is from 2020: it knows no type null, no const, and makes types that do not
 * exist of unions. Unions become any value; the rest is converted to OpenAPI 3.0 by openapi-down-convert.
 */
export function withoutUnions(value: Json): Json {
  if (Array.isArray(value)) return value.map(withoutUnions);
  if (!isObject(value)) return value;
  const { anyOf, const: only, examples: _, example: __, ...own } = value;
  if (Array.isArray(anyOf)) {
    const rest = anyOf.filter((branch) => !(isObject(branch) && branch.type === 'null'));
    const [first] = rest;
    if (rest.length > 1 || !isObject(first))
      return own.description === undefined ? {} : { description: own.description };
    const inner = first.$ref === undefined ? first : { allOf: rest };
    return withoutUnions({ ...own, ...inner, nullable: true });
  }
  const enumerated = only === undefined ? {} : { enum: [only] };
  return Object.fromEntries(
    Object.entries({ ...own, ...enumerated }).map(([key, inner]) => [key, withoutUnions(inner)]),
  );
}
