import type { CallToolResult, ContentBlock } from '@modelcontextprotocol/server';
import type { Task } from '../../schema/task/task.ts';
import { hasFiles, nextStep } from './next-step.ts';
import { shortened } from './untrusted-text.ts';

/** What every result with a task has; the rest is the task as REST returns it. */
export const taskOutputSchema = {
  type: 'object' as const,
  properties: {
    id: { type: 'string' },
    status: { type: 'string' },
    next_step: { type: 'string' },
  },
};

/** A task as the result of a tool: the task itself, what to do next, and a link to each of its files until they expire. */
export function taskResult(task: Task): CallToolResult {
  return jsonResult({ next_step: nextStep(task), ...shortened(task) }, fileLinks(task));
}

/** A result as structured content, and as text for clients that read text only. */
export function jsonResult(
  structuredContent: Record<string, unknown>,
  links: readonly ContentBlock[] = [],
): CallToolResult {
  const text = { type: 'text' as const, text: JSON.stringify(structuredContent) };
  return { content: [text, ...links], structuredContent };
}

function fileLinks(task: Task): ContentBlock[] {
  const { output, expires_at } = task;
  if (!output || !hasFiles(task)) return [];
  return output.files.map(({ role, url, media_type, file_size }, index) => ({
    type: 'resource_link' as const,
    uri: url,
    name: index === 0 ? output.file_name : role,
    description: `Download without a key until ${expires_at}.`,
    mimeType: media_type,
    size: file_size,
  }));
}
