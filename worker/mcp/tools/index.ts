import { operations } from '../../../schema/operations/index.ts';
import { didYouMeanTool } from './did-you-mean-tool.ts';
import { operationNamed, operationTools } from './operation-tools.ts';
import { serviceTools } from './service-tools.ts';
import { taskTools } from './task-tools.ts';
import type { Tool } from './tool.ts';
import { uploadTools } from './upload-tools.ts';

/** All tools, in the order in which they are listed. */
export const tools: readonly Tool[] = [...operationTools, ...taskTools, ...uploadTools, ...serviceTools];

const byName = new Map(tools.map((tool) => [tool.listed.name, tool]));
if (byName.size !== tools.length) throw new Error('two MCP tools have the same name: rename one');

/** The tool of this name. The names of operations, such as `cut`, are not listed but work as well. */
export function toolNamed(name: string): Tool | null {
  const operation = operationNamed(name);
  return byName.get(operation === null ? name : operations[operation].tool.name) ?? null;
}

/** What to say about a name that no tool has. */
export function unknownTool(name: string): string {
  const known = [...byName.keys()];
  const nearest = didYouMeanTool(name, known);
  const others =
    nearest === '' ? ` The tools are ${known.map((each) => `\`${each}\``).join(', ')}.` : nearest;
  return `There is no tool of this name.${others}`;
}
