import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import type { Task } from '../../schema/task/task.ts';

/**
 * Downloads a file of a completed task (the main one, unless a `role` is given) by its signed link into a directory, checks what the
 * task says about it, and returns its path.
 */
export async function downloaded(task: Task, directory: string, role?: string): Promise<string> {
  const file =
    role === undefined ? task.output?.files[0] : task.output?.files.find((one) => one.role === role);
  if (!task.output || !file) throw new Error(`no file ${role ?? ''}: ${JSON.stringify(task.error)}`);
  const response = await fetch(file.url);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe(file.media_type);
  const bytes = Buffer.from(await response.arrayBuffer());
  expect(bytes.length).toBe(file.file_size);
  if (file === task.output.files[0]) {
    expect(createHash('sha256').update(bytes).digest('hex')).toBe(task.output.sha256);
  }
  const path = join(directory, `${task.id}-${file.role}`);
  writeFileSync(path, bytes);
  return path;
}
