import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperationName } from '../schema/operations/index.ts';
import { measured } from './measure.ts';
import { spliced, startMedia } from './operate.ts';

/** Runs one task in this process and prints its figures: `one-task.ts OPERATION FILE REQUEST`. */

export interface Figures {
  cpu: number;
  wall: number;
  /** Bytes. */
  peak: number;
  copied: number;
}

async function operated(operation: OperationName, path: string, request: string): Promise<Figures> {
  const directory = await mkdtemp(join(tmpdir(), 'spool-bench-'));
  const media = await startMedia();
  try {
    const { value, cpu, wall } = await measured(media.libav, () =>
      spliced(media, operation, [path], JSON.parse(request), directory),
    );
    const peaks = await Promise.all(['self', ...media.libav.pids].map(peakOf));
    const peak = peaks.reduce((sum, bytes) => sum + bytes, 0);
    return { cpu, wall, peak, copied: value.data.copied_seconds as number };
  } finally {
    await media.libav.close();
    await rm(directory, { recursive: true, force: true });
  }
}

async function peakOf(pid: number | string): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+) kB/.exec(status)?.[1] ?? 0) * 1024;
}

const [operation, path = '', request = ''] = process.argv.slice(2);
console.log(JSON.stringify(await operated(operation as OperationName, path, request)));
