import { randomUUID } from 'node:crypto';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Log } from '../log.ts';

/** `job`: belongs to one attempt. `standby`: belongs to one transcoder, see task/standby.ts. */
type Kind = 'job' | 'standby';

/** Prefix of a directory's name, which identifies the process that owns it. */
export const nameFor = (kind: Kind) => `spool-${kind}-${process.pid}-`;

const OWNED = /^spool-(?:job|standby)-(\d+)-/;

/** A path for the directory of an attempt; not created yet. */
export const newWorkspacePath = (workDir: string) => join(workDir, `${nameFor('job')}${randomUUID()}`);

export async function removeWorkspace(directory: string): Promise<void> {
  await rm(directory, { recursive: true, force: true, maxRetries: 3 });
}

/** Removes directories of processes that no longer run. Call before the first directory is created. */
export async function sweepWorkspaces(workDir: string, log: Log): Promise<void> {
  const among = async (parent: string) => (await readdir(parent)).map((name) => join(parent, name));
  const paths = [...(await among(workDir)), ...(await among(tmpdir()).catch(() => []))];
  for (const path of new Set(paths)) {
    const name = basename(path);
    const pid = Number(OWNED.exec(name)?.[1] ?? 0);
    if (pid === 0 || (pid !== process.pid && isAlive(pid))) continue;
    try {
      await removeWorkspace(path);
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
