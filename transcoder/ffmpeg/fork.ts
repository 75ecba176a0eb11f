import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { plans } from '../../schema/api/plans.ts';
import { bundled } from '../process/bundles.mjs';
import { cleanEnvironment, handFilter, signalGroup } from './run.ts';
import { type ConfinedCommand, type Confinement, confined, type Sandbox } from './sandbox.ts';

export type { ChildProcess };

const MIB = 1024 * 1024;

const SETTINGS = {
  /**
   * glibc raises these limits to the largest block freed so far. Tables of long sources and pictures then leave gaps in its heap,
   * which the process keeps until it ends.
   */
  MALLOC_MMAP_THRESHOLD_: `${MIB}`,
  MALLOC_TRIM_THRESHOLD_: `${MIB}`,
};

/** By default, V8 collects garbage only after about 100 MB. A limit of 2 MB costs no measurable CPU (`bench/limit.ts`). */
const SMALL_HEAP = ['--max-semi-space-size=2'];

/** Paths that our modules load code from. None of them contains settings. */
const CODE = ['node_modules', 'transcoder', 'schema', 'package.json'].map((name) =>
  fileURLToPath(new URL(`../../${name}`, import.meta.url)),
);

/** Confinement of a module process, which may start before the jobs it will serve. */
export interface ModuleConfinement extends Pick<Confinement, 'writes' | 'reads'> {
  sandbox: Sandbox;
  /** V8's code cache. It holds code, so only a process that has not read any caller data may write there. */
  codeCache?: string | undefined;
}

interface ForkOptions {
  /** Null if every file is trusted. */
  confinement: ModuleConfinement | null;
  stdout?: 'ignore' | 'pipe';
}

/**
 * Starts one of our modules as a confined process with an IPC channel, in its own process group. Its stderr is piped,
 * its stdout on request.
 */
export function forkModule(path: string, { confinement, stdout = 'ignore' }: ForkOptions): ChildProcess {
  const { command, filter } = commandOf(path, confinement);
  const child = spawn(command[0], command.slice(1), {
    cwd: '/',
    detached: true,
    env: {
      ...{ ...cleanEnvironment('/'), ...SETTINGS },
      ...(confinement?.codeCache ? { NODE_COMPILE_CACHE: confinement.codeCache } : {}),
    },
    stdio: ['ignore', stdout, 'pipe', filter ? 'pipe' : 'ignore', 'ipc'],
  });
  handFilter(child, filter);
  return child;
}

function commandOf(path: string, confinement: ModuleConfinement | null): ConfinedCommand {
  const bare: [string, ...string[]] = [process.execPath, ...SMALL_HEAP, bundled(path)];
  if (!confinement) return { command: bare, filter: null };
  const { sandbox, writes = [], codeCache } = confinement;
  const cached = codeCache && !writes.includes(codeCache) ? [codeCache] : [];
  const reads = [...CODE, ...(confinement.reads ?? []), ...cached];
  const limits = { fileBytes: plans.elite.output_bytes, cpuSeconds: null };
  return confined(sandbox, bare, { cwd: '/', writes, reads, ...limits });
}

/** Kills a module and all processes that it started. */
export function endModule(child: ChildProcess): void {
  if (child.exitCode === null && child.signalCode === null) signalGroup(child, 'SIGKILL');
}
