import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Log } from './log.ts';

const PREFIX = 'spool-job-';

/** A directory of one attempt, mode 0700, named for the process that owns it. */
export async function makeWorkspace(workDir: string): Promise<string> {
  return mkdtemp(join(workDir, `${PREFIX}${process.pid}-`));
}

export async function removeWorkspace(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
}

/** Removes what processes that are gone have left. Call before the first workspace is made. */
export async function sweepWorkspaces(workDir: string, log: Log): Promise<void> {
  for (const name of await readdir(workDir)) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)-`).exec(name)?.[1] ?? 0);
    if (pid === 0 || (pid !== process.pid && isAlive(pid))) continue;
    try {
      await removeWorkspace(join(workDir, name));
      log.info('removed a stale workspace', { name });
    } catch (error) {
      log.warn('could not remove a stale workspace', { name, error });
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
