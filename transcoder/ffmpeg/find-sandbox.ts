import { totalmem } from 'node:os';
import type { Log } from '../log.ts';
import { type Programs, run } from './run.ts';
import type { Sandbox, SandboxLevel } from './sandbox.ts';

const levels: readonly SandboxLevel[] = ['bwrap', 'unshare', 'none'];

/** Tries what the system allows, the strongest first. Throws where `wanted` names a level that it does not allow. */
export async function findSandbox(
  programs: Programs,
  wanted: SandboxLevel | 'auto',
  log: Log,
): Promise<Sandbox> {
  const memoryBytes = Math.min(totalmem(), process.constrainedMemory() || totalmem());
  for (const limited of [true, false]) {
    for (const level of wanted === 'auto' ? levels : [wanted]) {
      const sandbox = { level, limited, memoryBytes };
      try {
        await run({ ...programs, sandbox }, 'ffmpeg', ['-version'], { timeoutSeconds: 20 });
        log.info('sandbox', { level, limited });
        return sandbox;
      } catch (error) {
        log.warn('this sandbox cannot be had here', { level, limited, error });
      }
    }
  }
  throw new Error(`the sandbox ${wanted} cannot be had here`);
}
