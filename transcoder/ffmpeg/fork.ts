import { type ChildProcess, spawn } from 'node:child_process';
import { cleanEnvironment, signalGroup } from './run.ts';
import { type Confinement, confined, type Sandbox } from './sandbox.ts';

export type { ChildProcess };

/** SVT-AV1 prints what it is set to, unless it is told to print errors alone. */
const QUIET = { SVT_LOG: '1' };

/** What a module of ours is kept in. */
export interface ModuleConfinement extends Omit<Confinement, 'cwd' | 'cpuSeconds'> {
  sandbox: Sandbox;
}

/**
 * Starts a module of ours as a process that messages go to and come from, in a group of its own; its stderr can be read.
 */
export function forkModule(path: string, confinement: ModuleConfinement | null): ChildProcess {
  const bare: [string, string] = [process.execPath, path];
  const [command, ...args] = confinement
    ? confined(confinement.sandbox, bare, { ...confinement, cwd: '/', cpuSeconds: null })
    : bare;
  return spawn(command, args, {
    cwd: '/',
    detached: true,
    env: { ...cleanEnvironment('/'), ...QUIET },
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  });
}

/** Ends a module at once, and all that it has started. */
export function endModule(child: ChildProcess): void {
  signalGroup(child, 'SIGKILL');
}
