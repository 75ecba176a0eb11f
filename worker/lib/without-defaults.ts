import { z } from 'zod';

/**
 * A parsed value without the fields that have their default, which parsing it again fills in. Entries of unions and records stay as they
 * are.
 */
export function withoutDefaults(schema: z.core.$ZodType, value: unknown): unknown {
  return leaner(schema)(value);
}

type Leaner = (value: unknown) => unknown;

/** Made once for all items of an array. */
function leaner(schema: z.core.$ZodType): Leaner {
  if (schema instanceof z.ZodDefault || schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return leaner(schema.unwrap());
  if (schema instanceof z.ZodArray) {
    const item = leaner(schema.element);
    return (value) => (Array.isArray(value) ? value.map(item) : value);
  }
  if (!(schema instanceof z.ZodObject)) return (value) => value;
  const shape: Readonly<Record<string, z.core.$ZodType>> = schema.shape;
  const fields = new Map(
    Object.entries(shape).map(([name, field]) => [
      name,
      { lean: leaner(field), unset: JSON.stringify(z.safeParse(field, undefined).data) },
    ]),
  );
  return (value) => {
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value).flatMap(([name, given]) => {
      const field = fields.get(name);
      if (!field) return [[name, given]];
      return JSON.stringify(given) === field.unset ? [] : [[name, field.lean(given)]];
    });
    return Object.fromEntries(kept);
  };
}
