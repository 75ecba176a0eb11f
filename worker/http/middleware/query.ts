import { z } from 'zod';
import { parseInput } from '../../lib/problem.ts';

/** A plain decimal number in a query string. */
export const fromText = <S extends z.ZodType>(number: S) =>
  z.preprocess((value, context) => {
    if (value === undefined) return undefined;
    if (typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,6})?$/.test(value)) return Number(value);
    context.addIssue({ code: 'custom', message: 'must be one number, such as 5 or 2.5' });
    return z.NEVER;
  }, number);

/**
 * Parses the query string. A repeated parameter is refused, as an unknown one is.
 * @throws Problem validation_failed
 */
export function parseQuery<S extends z.ZodType>(schema: S, address: string): z.output<S> {
  const given = [...Map.groupBy(new URL(address).searchParams, ([name]) => name)];
  const values = given.map(([name, pairs]) => {
    const [only, ...others] = pairs.map(([, value]) => value);
    return [name, others.length === 0 ? only : [only, ...others]];
  });
  return parseInput(schema, Object.fromEntries(values));
}
