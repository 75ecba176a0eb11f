import { totalmem } from 'node:os';
import type { Log } from '../log.ts';
import { type Programs, run } from './run.ts';
import type { Sandbox, SandboxLevel } from './sandbox.ts';

/** The strongest first. */
const kinds: readonly Pick<Sandbox, 'level' | 'nested'>[] = [
  { level: 'bwrap', nested: false },
  { level: 'bwrap', nested: true },
  { level: 'unshare', nested: true },
  { level: 'none', nested: true },
];

/** Bytes of memory that this machine gives: those of its control group, version 1 or 2, where it has a limit. */
export function machineMemory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || totalmem());
}

/** Tries what the system allows. Throws where `wanted` names a level that it does not allow. */
export async function findSandbox(
  programs: Programs,
  wanted: SandboxLevel | 'auto',
  log: Log,
  memoryBytes = machineMemory(),
): Promise<Sandbox> {
  for (const limited of [true, false]) {
    for (const kind of kinds.filter(({ level }) => wanted === 'auto' || level === wanted)) {
      const sandbox = { ...kind, limited, memoryBytes };
      try {
        await run({ ...programs, sandbox }, 'ffmpeg', ['-version'], { timeoutSeconds: 20 });
        log.info('sandbox', { sandbox: kind.level, nested: kind.nested, limited });
        return sandbox;
      } catch (error) {
        log.warn('this sandbox cannot be had here', {
          sandbox: kind.level,
          nested: kind.nested,
          limited,
          error,
        });
      }
    }
  }
  throw new Error(`the sandbox ${wanted} cannot be had here`);
}
