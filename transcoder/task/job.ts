import { type OperationName, operations } from '../../schema/operations/index.ts';
import type { SourceRef } from '../../schema/operations/operation.ts';
import { type Job, job } from '../../schema/task/wire.ts';

/** A job whose input has been validated with the schema of its operation. */
export interface Task extends Job {
  sources: SourceRef[];
}

type ParsedJob = { ok: true; task: Task } | { ok: false; detail: string };

/** Parses the body of a dispatch; `detail` names the first invalid field. */
export function parseJob(body: unknown): ParsedJob {
  const message = job.safeParse(body);
  if (!message.success) return { ok: false, detail: firstIssue(message.error) };
  const descriptor = descriptorOf(message.data.operation);
  const input = descriptor.received.safeParse(message.data.input);
  if (!input.success) return { ok: false, detail: `input: ${firstIssue(input.error)}` };
  return {
    ok: true,
    task: { ...message.data, input: input.data, sources: descriptor.sources(input.data) },
  };
}

interface Descriptor {
  received: {
    safeParse(
      value: unknown,
    ):
      | { success: true; data: Record<string, unknown> }
      | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
  };
  sources(input: Record<string, unknown>): SourceRef[];
}

/** Casts the union of descriptors to one whose `sources` accepts what its own `received` returns. */
function descriptorOf(name: OperationName): Descriptor {
  return operations[name] as unknown as Descriptor;
}

function firstIssue(error: { issues: { path: PropertyKey[]; message: string }[] }): string {
  const [issue] = error.issues;
  return issue ? `${issue.path.map(String).join('.') || 'body'}: ${issue.message}` : 'not valid';
}
