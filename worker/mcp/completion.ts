import type { CompleteRequest, CompleteResult } from '@modelcontextprotocol/server';
import { listTasks } from '../services/tasks/list-tasks.ts';
import type { McpRequest } from './mcp-request.ts';
import { promptNamed } from './prompts/index.ts';
import type { Prompt } from './prompts/prompt.ts';
import { taskTemplate } from './resources.ts';

/** The protocol allows no more. */
const MOST_VALUES = 100;

/** Values for an argument of a prompt, or for the id of a task. @throws Problem validation_failed (unknown prompt) */
export async function complete(request: McpRequest, { params }: CompleteRequest): Promise<CompleteResult> {
  const { ref, argument } = params;
  const values =
    ref.type === 'ref/prompt'
      ? valuesOf(promptNamed(ref.name).complete, argument.name)
      : ref.uri === taskTemplate.uriTemplate && argument.name === 'id'
        ? await recentTasks(request)
        : [];
  const fitting = beginningWith(values, argument.value);
  return {
    completion: {
      values: fitting.slice(0, MOST_VALUES),
      total: fitting.length,
      hasMore: fitting.length > MOST_VALUES,
    },
  };
}

/** None for `constructor`, which every object inherits. */
const valuesOf = (complete: Prompt['complete'], name: string): readonly string[] =>
  Object.hasOwn(complete, name) ? (complete[name] ?? []) : [];

/** The values that begin with what was typed, then those that contain it. */
function beginningWith(values: readonly string[], typed: string): string[] {
  const asked = typed.toLowerCase();
  const first = values.filter((value) => value.toLowerCase().startsWith(asked));
  const others = values.filter((value) => !first.includes(value) && value.toLowerCase().includes(asked));
  return [...first, ...others];
}

async function recentTasks({ context, principal }: McpRequest): Promise<string[]> {
  const { data } = await listTasks(context, principal, { limit: MOST_VALUES });
  return data.map(({ id }) => id);
}
