import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Task } from '../../schema/task/task.ts';

/** What has to come of a task that is completed, or how it has to fail. */
export type Wanted =
  /** With so many frames; null: as many as its own duration has. */
  { type: 'video'; frames: number | null } | { type: 'file' } | { type: 'failure'; code: string };

export const FAILED_SOURCES = [
  ['missing.mp4', 'source_http_error'],
  ['empty.mp4', 'source_not_media'],
] as const;

const execute = promisify(execFile);

/** @returns what is wrong with a completed task and its files, null where nothing is. */
export async function wrongWith(task: Task, wanted: Wanted, directory: string): Promise<string | null> {
  if (wanted.type === 'failure') return 'a bad source was completed';
  const { output } = task;
  if (!output) return 'it is completed without an output';
  for (const file of output.files) {
    const response = await fetch(file.url);
    if (response.status !== 200) return `its ${file.role} is answered ${response.status}`;
    const bytes = Buffer.from(await response.arrayBuffer());
    if (bytes.length !== file.file_size) return `its ${file.role} has another size`;
    if (file !== output.files[0]) continue;
    if (createHash('sha256').update(bytes).digest('hex') !== output.sha256) return 'its sum is another';
    if (wanted.type !== 'video') continue;
    const path = join(directory, task.id);
    await writeFile(path, bytes);
    const frames = await framesOf(path);
    await rm(path);
    const promised = wanted.frames ?? Math.round((output.duration ?? 0) * (output.fps ?? 0));
    if (frames !== promised) return `it has ${frames} frames, not ${promised}`;
  }
  return null;
}

async function framesOf(path: string): Promise<number> {
  const { stdout } = await execute('ffprobe', [
    ...['-v', 'error', '-select_streams', 'v:0', '-count_packets'],
    ...['-show_entries', 'stream=nb_read_packets', '-of', 'csv=p=0', path],
  ]);
  return Number.parseInt(stdout, 10);
}
