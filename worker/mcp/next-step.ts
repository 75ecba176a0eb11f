import { shownOperation } from '../../schema/operations/shown.ts';
import type { Task } from '../../schema/task/task.ts';

/** How long an agent is advised to wait at a time; MCP clients give up after 60 s. */
export const MOST_WAIT_SECONDS = 45;

/** What an agent does next with a task, in a sentence or two. */
export function nextStep(task: Task): string {
  const { id, operation, status, output, error } = task;
  const { tool } = shownOperation(operation);
  switch (status) {
    case 'queued':
    case 'processing':
      return `Call get_task with {"task_id": "${id}", "wait_seconds": ${MOST_WAIT_SECONDS}} until the status is completed or failed.`;
    case 'failed':
      return error?.retryable
        ? `Call ${tool} again with the same arguments. ${error.hint}`
        : `The same call would fail again. ${error?.hint ?? ''}`.trimEnd();
    case 'completed':
      if (!output) return `This was a dry run. Call ${tool} without dry_run to create the files.`;
      return hasFiles(task)
        ? `Give the user output.file_url; it works without a key until ${task.expires_at}. To edit the result, use "task:${id}" as the source of another tool.`
        : `The files expired at ${task.expires_at} and were deleted. Do not give the user output.file_url. Call ${tool} again to create them.`;
  }
}

/** Records of tasks stay longer than the files, with the links as they were. */
export function hasFiles({ output, expires_at }: Task): boolean {
  return output !== null && expires_at !== null && Date.parse(expires_at) > Date.now();
}
