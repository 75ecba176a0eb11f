import type { FieldError } from '../../../schema/api/problem.ts';
import type { Task } from '../../../schema/task/task.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';
import { pointer } from '../../lib/plain-issue.ts';
import { REDACTED } from '../../lib/redact.ts';
import { inputSchema } from '../docs/input-schema.ts';

/**
 * The request of a task, to be changed and sent again: without fields that have their default, and never as a dry run.
 * Query strings of addresses are not shown, not even to members; `missing` names these fields.
 */
export function requestOfTask({ operation, input, metadata }: Task): {
  request: Record<string, unknown>;
  missing: FieldError[];
} {
  const { properties = {} } = inputSchema(operation);
  const given = Object.entries({ ...input, metadata }).filter(([name, value]) => {
    const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
    if (typeof schema !== 'object' || name === 'dry_run') return false;
    return schema.default === undefined || canonicalJson(schema.default) !== canonicalJson(value);
  });
  const request = Object.fromEntries(given);
  return { request, missing: redactedFields(request) };
}

function redactedFields(value: unknown, path: readonly string[] = []): FieldError[] {
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([key, inner]) => redactedFields(inner, [...path, key]));
  }
  if (typeof value !== 'string' || !value.endsWith(REDACTED)) return [];
  const detail = 'The part after `?` may be secret, so it is not shown. Enter the whole address again.';
  return [{ pointer: pointer(path), code: 'redacted', detail }];
}
