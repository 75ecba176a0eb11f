import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Why no disk of a chosen size can be mounted here; null where it can. */
export const noSmallDisk: string | null = (() => {
  try {
    makeSmallDisk(1_000_000).remove();
    return null;
  } catch {
    return 'mounting a file system is not permitted here';
  }
})();

/** A file system of so many bytes, in memory. Throws where it cannot be mounted. */
export function makeSmallDisk(bytes: number): { path: string; remove: () => void } {
  const path = mkdtempSync(join(tmpdir(), 'spool-test-disk-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes},mode=0777`, 'tmpfs', path], { stdio: 'pipe' });
  } catch (error) {
    rmSync(path, { recursive: true });
    throw error;
  }
  return {
    path,
    remove() {
      execFileSync('umount', ['-l', path], { stdio: 'pipe' });
      rmSync(path, { recursive: true });
    },
  };
}
