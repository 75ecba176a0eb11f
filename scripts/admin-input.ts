import { z } from 'zod';
import { type IdKind, idPattern, idPrefixes } from '../schema/task/ids.ts';

/** A mistake in the command line; its message says what to do. */
export class UsageError extends Error {}

export const text = (what: string, max = 100) =>
  z
    .string({ error: `${what} is missing` })
    .trim()
    .min(1, { error: `${what} is empty` })
    .max(max, { error: `${what} is longer than ${max} characters` })
    .regex(/^\P{Cc}*$/u, { error: `${what} contains control characters` });

export const idOf = (kind: IdKind, what: string) =>
  z
    .string({ error: `${what} is missing` })
    .regex(idPattern(kind), { error: `${what}: expected an id such as ${idPrefixes[kind]}_…` });

export function read<S extends z.ZodType>(schema: S, value: string | undefined): z.output<S> {
  const result = schema.safeParse(value);
  if (!result.success) throw new UsageError(result.error.issues[0]?.message ?? 'not valid');
  return result.data;
}
