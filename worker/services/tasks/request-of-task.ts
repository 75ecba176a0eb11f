import type { FieldError } from '../../../schema/api/problem.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import type { Task } from '../../../schema/task/task.ts';
import { canonicalJson } from '../../lib/text/canonical-json.ts';
import { pointer } from '../../lib/text/plain-issue.ts';
import { REDACTED } from '../../lib/text/redact.ts';

/**
 * The request that makes the same task again, without fields that have their default. Query strings of URLs are redacted, as they
 * are in the task.
 */
export function requestOf({ operation, input, metadata }: Task): Record<string, unknown> {
  const { bytes_read: _, ...fields } = input;
  // The operation may have been removed since.
  const schema = operationNames.includes(operation) ? operations[operation].input : null;
  const parsed = (value: unknown) => {
    const result = schema?.safeParse(value);
    return result?.success ? canonicalJson(result.data) : null;
  };
  const whole = parsed(fields);
  if (whole === null) return { ...fields, ...metadataOf(metadata) };
  const needed = Object.keys(fields).reduce<Record<string, unknown>>((left, name) => {
    const { [name]: _left, ...others } = left;
    return parsed(others) === whole ? others : left;
  }, fields);
  return { ...needed, ...metadataOf(metadata) };
}

const metadataOf = (metadata: Task['metadata']) => (Object.keys(metadata).length > 0 ? { metadata } : {});

/** The fields of a task's request whose query string is not shown, not even to members. They must be entered again. */
export function redactedFields(value: unknown, path: readonly string[] = []): FieldError[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) => redactedFields(inner, [...path, key]));
  }
  if (typeof value !== 'string' || !value.endsWith(REDACTED)) return [];
  const detail = 'The part after `?` may be secret, so it is not shown. Enter the whole address again.';
  return [{ pointer: pointer(path), code: 'redacted', detail }];
}
