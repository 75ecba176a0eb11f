import { type ChildProcess, fork } from 'node:child_process';
import { cleanEnvironment } from './run.ts';

export type { ChildProcess };

/** SVT-AV1 prints what it is set to, unless it is told to print errors alone. */
const QUIET = { SVT_LOG: '1' };

/**
 * Starts a module of ours as a process of its own that messages go to and come from; its stderr can be read, and its stdout
 * where that is asked for.
 */
export function forkModule(path: string, stdout: 'ignore' | 'pipe' = 'ignore'): ChildProcess {
  return fork(path, [], {
    cwd: '/',
    env: { ...cleanEnvironment('/'), ...QUIET },
    execArgv: [],
    stdio: ['ignore', stdout, 'pipe', 'ipc'],
  });
}
