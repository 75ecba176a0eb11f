import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * Modules that we start as processes are bundled into one file each by scripts/bundles.ts: a process then starts in a third of the
 * time, because Node does not have to find and load some 250 files.
 */

const root = fileURLToPath(new URL('../..', import.meta.url));

/** In node_modules, which sandboxes see and which is never committed. */
export const bundleDirectory = join(root, 'node_modules/.cache/transcoder');
export const bundleRecord = join(bundleDirectory, 'bundles.json');

export interface Bundle {
  /** In the directory of the bundles. */
  file: string;
  /** What it was made of, from the root. */
  inputs: string[];
  /** Of the inputs. */
  digest: string;
}

/** By the path of the module from the root. */
export type BundleRecord = Record<string, Bundle>;

let known: BundleRecord | undefined;
const found = new Map<string, string>();

/** The bundle of a module that is about to start as a process, or the module itself if there is no bundle of its present sources. */
export function bundled(path: string): string {
  const cached = found.get(path);
  if (cached !== undefined) return cached;
  known ??= readRecord();
  const made = known[relative(root, path)];
  const file = made === undefined ? path : join(bundleDirectory, made.file);
  const start = made !== undefined && existsSync(file) && made.digest === digestOf(made.inputs) ? file : path;
  found.set(path, start);
  return start;
}

/** A digest of files with their names; null if one of them cannot be read. */
export function digestOf(inputs: readonly string[]): string | null {
  const hash = createHash('sha256');
  try {
    for (const input of inputs)
      hash
        .update(`${input}\0`)
        .update(readFileSync(join(root, input)))
        .update('\0');
  } catch {
    return null;
  }
  return hash.digest('hex');
}

function readRecord(): BundleRecord {
  try {
    return JSON.parse(readFileSync(bundleRecord, 'utf8')) as BundleRecord;
  } catch {
    return {};
  }
}
