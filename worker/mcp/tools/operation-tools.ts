import { type OperationName, operationNames, operations } from '../../../schema/operations/index.ts';
import { inputSchema } from '../../services/docs/input-schema.ts';
import { submit } from '../../services/tasks/submit.ts';
import { taskView } from '../../services/tasks/task-view.ts';
import { taskOutputSchema, taskResult } from '../task-result.ts';
import { compactSchema } from './compact-schema.ts';
import type { Tool } from './tool.ts';

/**
 * A new task changes nothing that exists. The other hints have their defaults: each call creates another task, with sources on the
 * internet.
 */
const createsTask = { destructiveHint: false } as const;

/** A tool for every operation, in the order of the registry. */
export const operationTools: Tool[] = operationNames.map(operationTool);

function operationTool(name: OperationName): Tool {
  const { tool, title, examples } = operations[name];
  return {
    listed: {
      name: tool.name,
      title,
      description: `${tool.description} Example: ${JSON.stringify(examples[0]?.input)}`,
      inputSchema: compactSchema(inputSchema(name), tool.fields),
      outputSchema: taskOutputSchema,
      annotations: createsTask,
    },
    startsTask: true,
    async call({ context, principal, requestId, headers }, args) {
      const { task } = await submit(context, principal, name, args, requestId, headers);
      return taskResult(await taskView(context.config, task));
    },
  };
}

const byName = new Map<string, OperationName>(
  operationNames.flatMap((name) => [
    [name, name],
    [operations[name].tool.name, name],
  ]),
);

/** The operation with this name or with a tool of this name; null if there is none. */
export function operationNamed(name: string): OperationName | null {
  return byName.get(name) ?? null;
}

/** The names of the tools, then of the operations themselves, which are accepted as well. */
export const operationAliases = [
  ...operationNames.map((name) => operations[name].tool.name),
  ...operationNames,
];
