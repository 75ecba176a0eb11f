import { operations } from '../../../schema/operations/index.ts';
import type { Task } from '../../../schema/task/task.ts';
import { canonicalJson } from '../../lib/canonical-json.ts';

/**
 * The request that makes the same task again, without fields that have their default. Query strings of URLs are redacted, as they
 * are in the task.
 */
export function requestOf({ operation, input, metadata }: Task): Record<string, unknown> {
  const { bytes_read: _, ...fields } = input;
  const { input: schema } = operations[operation];
  const parsed = (value: unknown) => {
    const result = schema.safeParse(value);
    return result.success ? canonicalJson(result.data) : null;
  };
  const whole = parsed(fields);
  if (whole === null) return { ...fields, ...metadataOf(metadata) };
  const needed = Object.entries(fields).filter(([name]) => {
    const { [name]: _left, ...others } = fields;
    return parsed(others) !== whole;
  });
  return { ...Object.fromEntries(needed), ...metadataOf(metadata) };
}

const metadataOf = (metadata: Task['metadata']) => (Object.keys(metadata).length > 0 ? { metadata } : {});
