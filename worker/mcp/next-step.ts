import { shownOperation } from '../../schema/operations/shown.ts';
import type { Task } from '../../schema/task/task.ts';

/** How long an agent is advised to wait at a time; MCP clients give up after 60 s. */
export const MOST_WAIT_SECONDS = 45;

/** What an agent does next with a task, in a sentence or two. */
export function nextStep(task: Task): string {
  const { id, operation, status, output, plan, error } = task;
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
      if (output) {
        return `Give the user output.file_url; it works without a key until ${task.expires_at}. To edit the result, use "task:${id}" as the source of another tool.`;
      }
      return plan
        ? `This was a dry run. Call ${tool} without dry_run to create the files.`
        : `The files were deleted. Call ${tool} again to create them.`;
  }
}
