import { z } from 'zod';
import type { FieldError } from '../../../schema/api/problem.ts';
import { invalidFields, MOST_ERRORS, parseInput } from '../../lib/problem.ts';
import { allowedText } from '../../lib/schema-at.ts';
import { pointer, unknownField } from '../../lib/text/plain-issue.ts';

/** A plain decimal number in a query string. */
export const fromText = <S extends z.ZodType>(number: S) =>
  z.preprocess((value, context) => {
    if (value === undefined) return undefined;
    if (typeof value === 'string' && /^-?\d{1,15}(?:\.\d{1,6})?$/.test(value)) return Number(value);
    context.addIssue({ code: 'custom', message: `must be ${allowedText(number)}` });
    return z.NEVER;
  }, number);

/** Every parameter of an address with its values. */
const parametersOf = (address: string) => [...Map.groupBy(new URL(address).searchParams, ([name]) => name)];

/**
 * Refuses parameters that a route does not have, and those that are given twice.
 * @throws Problem validation_failed
 */
export function checkQuery(known: readonly string[], address: string, method: string): void {
  const errors = parametersOf(address).flatMap(([name, values]): FieldError[] => {
    const at = pointer([name]);
    if (!known.includes(name)) {
      const detail =
        known.length === 0 && method === 'POST'
          ? `${at} is in the query string, where this request has no fields. Send it in the JSON body.`
          : unknownField([name], known);
      return [{ pointer: at, code: 'unknown_field', detail }];
    }
    return values.length === 1
      ? []
      : [
          {
            pointer: at,
            code: 'invalid_value',
            detail: `${at} is given ${values.length} times; give it once.`,
          },
        ];
  });
  if (errors.length > 0) throw invalidFields(errors.slice(0, MOST_ERRORS));
}

/**
 * Parses the query string. A repeated parameter is refused, as an unknown one is.
 * @throws Problem validation_failed
 */
export function parseQuery<S extends z.ZodType>(schema: S, address: string): z.output<S> {
  const values = parametersOf(address).map(([name, pairs]) => {
    const [only, ...others] = pairs.map(([, value]) => value);
    return [name, others.length === 0 ? only : [only, ...others]];
  });
  return parseInput(schema, Object.fromEntries(values));
}
