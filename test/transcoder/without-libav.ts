import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Checkout {
  root: string;
  remove: () => void;
}

/** What the processes of the engine load: the sandbox shows them what lies in their checkout, not where links lead. */
const copied = ['node_modules/node-av', 'node_modules/zod', 'node_modules/.cache/transcoder'];
/** Parents of what is copied or left out. */
const made = ['@seydx', '.cache'];

/** The transcoder as it stands on a platform for which node-av has no binary: the package of this platform is missing. */
export function withoutLibav(): Checkout {
  const here = join(import.meta.dirname, '..', '..');
  const root = mkdtempSync(join(tmpdir(), 'spool-test-platform-'));
  for (const name of ['transcoder', 'schema', 'guard', 'package.json', ...copied]) {
    cpSync(join(here, name), join(root, name), { recursive: true });
  }
  for (const name of readdirSync(join(here, 'node_modules'))) {
    const path = join('node_modules', name);
    if (made.includes(name) || copied.includes(path)) continue;
    symlinkSync(join(here, path), join(root, path));
  }
  for (const name of made) mkdirSync(join(root, 'node_modules', name), { recursive: true });
  return { root, remove: () => rmSync(root, { recursive: true, force: true }) };
}
