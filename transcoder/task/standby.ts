import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nameFor } from './work-directories.ts';

/**
 * Creates this process's directory for workspaces that wait for a job. It is in the temporary directory, because
 * WORK_DIR contains jobs only; if the temporary directory is read-only or on another file system, it is in WORK_DIR.
 */
export async function makeStandby(workDir: string): Promise<string> {
  return (await makeOutside(workDir)) ?? mkdtemp(join(workDir, nameFor('standby')));
}

async function makeOutside(workDir: string): Promise<string | null> {
  const made: string[] = [];
  const make = async (parent: string, kind: 'job' | 'standby') => {
    const directory = await mkdtemp(join(parent, nameFor(kind)));
    made.push(directory);
    return directory;
  };
  try {
    const outside = await make(tmpdir(), 'standby');
    const job = await make(workDir, 'job');
    const trial = join(outside, 'trial');
    await mkdir(trial);
    await rename(trial, job);
    await rm(job, { recursive: true });
    return outside;
  } catch {
    for (const directory of made) await rm(directory, { recursive: true, force: true });
    return null;
  }
}
