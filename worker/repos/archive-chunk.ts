import { type TaskRow, taskColumns } from './task-row.ts';

/** Columns that did not exist when a record was archived. */
const absent = Object.fromEntries(Object.keys(taskColumns).map((name) => [name, null]));

/** Encodes tasks for an archive object: one line of JSON each, gzipped. */
export async function packed(tasks: readonly TaskRow[]): Promise<ArrayBuffer> {
  const text = tasks.map((task) => `${JSON.stringify(task)}\n`).join('');
  return new Response(new Blob([text]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer();
}

export async function linesIn(body: ReadableStream): Promise<string[]> {
  const text = await new Response(body.pipeThrough(new DecompressionStream('gzip'))).text();
  return text.split('\n').filter((line) => line !== '');
}

export const taskOfLine = (line: string) => ({ ...absent, ...JSON.parse(line) }) as TaskRow;

/** The task with this id among the lines; other lines are not parsed. */
export function taskAmong(lines: readonly string[], id: string): TaskRow | null {
  const name = `"id":${JSON.stringify(id)}`;
  for (const line of lines) {
    const task = line.includes(name) ? taskOfLine(line) : null;
    if (task?.id === id) return task;
  }
  return null;
}
