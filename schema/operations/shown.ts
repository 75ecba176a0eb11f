import { operationNames, operations } from './index.ts';

/** What callers see of an operation. */
interface Shown {
  path: string;
  title: string;
  /** Name of its MCP tool. */
  tool: string;
}

/** The record of a task may be older than the release that removed its operation; its name then stands for the rest. */
export function shownOperation(name: string): Shown {
  const known = operationNames.find((one) => one === name);
  if (known === undefined) return { path: `/${name}`, title: name, tool: name };
  const { path, title, tool } = operations[known];
  return { path, title, tool: tool.name };
}
