import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

let current: string | undefined;

/** A directory of the test file that runs now. Test files share their modules, but not what they write. */
export function scratch(): string {
  current ??= mkdtempSync(join(tmpdir(), 'spool-media-'));
  return current;
}

export function removeScratch(): void {
  if (current !== undefined) rmSync(current, { recursive: true, force: true });
  current = undefined;
}
