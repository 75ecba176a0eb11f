import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fixtures } from '../fixtures/make.ts';
import { type Fault, planted } from './fault.ts';

const root = join(import.meta.dirname, '../..');
const apart = ['node_modules', '.spool', '.git', '.wrangler'];

/** A copy of the repository in which files are changed and put back. */
export interface Tree {
  root: string;
  /** Plants a fault. @returns what takes it away again. */
  plant(fault: Fault): () => void;
  remove(): void;
}

/**
 * Dependencies are hard links: sandboxed processes are shown the folder of the copy alone, which symbolic links would lead out of.
 * The copy lies under `.spool`, on the same file system as they do.
 */
export function copyTree(): Tree {
  const spool = join(root, '.spool');
  mkdirSync(spool, { recursive: true });
  const copy = mkdtempSync(join(spool, 'guards-'));
  for (const name of readdirSync(root)) {
    if (!apart.includes(name)) cpSync(join(root, name), join(copy, name), { recursive: true });
  }
  // Tools keep caches in folders with a dot, and would write through the links.
  linkAll(join(root, 'node_modules'), join(copy, 'node_modules'), (name) => /^[^.]|^\.bin$/.test(name));
  if (existsSync(fixtures)) linkAll(fixtures, join(copy, '.spool/fixtures'));
  return {
    root: copy,
    plant(fault) {
      const path = join(copy, fault.file);
      const sound = readFileSync(path, 'utf8');
      writeFileSync(path, planted(sound, fault));
      return () => writeFileSync(path, sound);
    },
    remove: () => rmSync(copy, { recursive: true, force: true }),
  };
}

function linkAll(from: string, to: string, wanted: (name: string) => boolean = () => true): void {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (!wanted(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) linkAll(source, target);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), target);
    else linkSync(source, target);
  }
}
