import { totalmem } from 'node:os';
import type { Log } from '../log.ts';
import { type Programs, run } from './run.ts';
import type { Sandbox, SandboxLevel } from './sandbox.ts';

/** Strongest first. */
const kinds: readonly Pick<Sandbox, 'level' | 'nested'>[] = [
  { level: 'bwrap', nested: false },
  { level: 'bwrap', nested: true },
  { level: 'unshare', nested: true },
  { level: 'none', nested: true },
];

/** Memory of this machine in bytes, or the limit of its control group (version 1 or 2) if there is one. */
export function machineMemory(): number {
  return Math.min(totalmem(), process.constrainedMemory() || totalmem());
}

/** Tries each sandbox level, strongest first. Throws if `wanted` names a level that the system does not allow. */
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
        log.warn('sandbox unavailable on this machine', {
          sandbox: kind.level,
          nested: kind.nested,
          limited,
          error,
        });
      }
    }
  }
  throw new Error(`the sandbox ${wanted} is unavailable on this machine`);
}
