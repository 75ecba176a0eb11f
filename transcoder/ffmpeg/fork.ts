import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { plans } from '../../schema/api/plans.ts';
import { cleanEnvironment, handFilter, signalGroup } from './run.ts';
import { type ConfinedCommand, type Confinement, confined, type Sandbox } from './sandbox.ts';

export type { ChildProcess };

/** SVT-AV1 prints what it is set to, unless it is told to print errors alone. */
const QUIET = { SVT_LOG: '1' };

/** What modules of ours load: no file of settings lies in these. */
const CODE = ['node_modules', 'transcoder', 'schema', 'package.json'].map((name) =>
  fileURLToPath(new URL(`../../${name}`, import.meta.url)),
);

/** What a module is kept in; it may be started before the jobs that it will work for. */
export interface ModuleConfinement extends Pick<Confinement, 'writes' | 'reads'> {
  sandbox: Sandbox;
  /** Directory of V8's code cache. It holds code: only a process that has read nothing of a caller may write there. */
  codeCache?: string | undefined;
}

interface ForkOptions {
  /** Null for files that are all our own. */
  confinement: ModuleConfinement | null;
  stdout?: 'ignore' | 'pipe';
}

/**
 * Starts a module of ours as a process that messages go to and come from, in a group of its own; its stderr can be read,
 * and its stdout where that is asked for.
 */
export function forkModule(path: string, { confinement, stdout = 'ignore' }: ForkOptions): ChildProcess {
  const { command, filter } = commandOf(path, confinement);
  const child = spawn(command[0], command.slice(1), {
    cwd: '/',
    detached: true,
    env: {
      ...{ ...cleanEnvironment('/'), ...QUIET },
      ...(confinement?.codeCache ? { NODE_COMPILE_CACHE: confinement.codeCache } : {}),
    },
    stdio: ['ignore', stdout, 'pipe', filter ? 'pipe' : 'ignore', 'ipc'],
  });
  handFilter(child, filter);
  return child;
}

function commandOf(path: string, confinement: ModuleConfinement | null): ConfinedCommand {
  const bare: [string, string] = [process.execPath, path];
  if (!confinement) return { command: bare, filter: null };
  const { sandbox, writes = [], codeCache } = confinement;
  const cached = codeCache && !writes.includes(codeCache) ? [codeCache] : [];
  const reads = [...CODE, ...(confinement.reads ?? []), ...cached];
  const limits = { fileBytes: plans.elite.output_bytes, cpuSeconds: null };
  return confined(sandbox, bare, { cwd: '/', writes, reads, ...limits });
}

/** Ends a module at once, and all that it has started. */
export function endModule(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) signalGroup(child, 'SIGKILL');
}
