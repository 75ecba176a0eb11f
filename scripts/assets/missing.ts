import { createHash } from 'node:crypto';
import { globSync } from 'node:fs';
import { cp, mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { TaskFailure } from '../../transcoder/model/task-failure.ts';
import { root } from '../lib/paths.mjs';

/** A file that the Worker serves as a static asset, once its folder is published. */
interface Wanted {
  file: string;
  /** Fingerprint of its inputs; the file is recreated when it changes. */
  recipe: string;
  /** Creates it in its own directory. @returns its path. Throws TaskFailure if it cannot be created on this machine. */
  make: (directory: string) => Promise<string>;
}

export interface Outcome {
  /** How many files were created. */
  made: number;
  /** Files that could not be created. */
  left: { file: string; reason: string }[];
}

/** The files of a folder with the recipe of each. The Worker also reads this to know which files exist. */
const record = z.record(z.string(), z.string());
const RECORD = 'made.json';

const state = join(root, '.spool');

/** Where the files of a folder are made. */
export const folderOf = (name: string) => join(state, 'made', name);

/** Puts whole folders among the Worker's assets, close together: `wrangler dev` reloads the Worker when an asset changes. */
export async function publish(names: readonly string[]): Promise<void> {
  const scratch = await mkdtemp(join(state, 'assets-'));
  try {
    const changed: string[] = [];
    for (const name of names) {
      const known = JSON.stringify(await recordOf(folderOf(name)));
      if (known === JSON.stringify(await recordOf(published(name)))) continue;
      await cp(folderOf(name), join(scratch, name), { recursive: true });
      changed.push(name);
    }
    for (const name of changed) {
      await rm(published(name), { recursive: true, force: true });
      await mkdir(dirname(published(name)), { recursive: true });
      await rename(join(scratch, name), published(name));
    }
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const published = (name: string) => join(root, 'web/assets', name);

/** Creates the missing and outdated files of a folder and removes unwanted ones. Files that cannot be created are left out. */
export async function makeMissing(folder: string, wanted: readonly Wanted[]): Promise<Outcome> {
  const files = new Set(await readdir(folder).catch(() => []));
  const known = await recordOf(folder);
  const present = wanted.filter(({ file, recipe }) => files.has(file) && known[file] === recipe);
  const missing = wanted.filter((one) => !present.includes(one));
  const outcome: Outcome = { made: 0, left: [] };
  if (missing.length === 0 && files.size === wanted.length + 1) return outcome;

  await mkdir(state, { recursive: true, mode: 0o700 });
  await mkdir(folder, { recursive: true });
  const scratch = await mkdtemp(join(state, 'assets-'));
  try {
    const made: (Wanted & { path: string })[] = [];
    const waiting = missing.entries();
    const work = async () => {
      for (const [index, one] of waiting) {
        const directory = join(scratch, String(index));
        await mkdir(directory);
        try {
          made.push({ ...one, path: await one.make(directory) });
        } catch (error) {
          if (!(error instanceof TaskFailure)) throw error;
          outcome.left.push({ file: one.file, reason: error.message });
        }
      }
    };
    await Promise.all(Array.from({ length: availableParallelism() }, work));
    for (const { path, file } of made) await rename(path, join(folder, file));
    const recipes = Object.fromEntries([...present, ...made].map(({ file, recipe }) => [file, recipe]));
    await writeFile(join(scratch, RECORD), JSON.stringify(recipes));
    await rename(join(scratch, RECORD), join(folder, RECORD));
    for (const file of files) if (!(file in recipes) && file !== RECORD) await rm(join(folder, file));
    outcome.made = made.length;
    return outcome;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

async function recordOf(folder: string): Promise<Record<string, string>> {
  const text = await readFile(join(folder, RECORD), 'utf8').catch(() => '{}');
  return record.parse(JSON.parse(text));
}

/** A recipe from files of the repository, given as patterns, and other inputs. */
export async function recipeOf(patterns: readonly string[], ...others: string[]): Promise<string> {
  const hash = createHash('sha256');
  for (const text of others) hash.update(text).update('\0');
  const files = patterns.flatMap((pattern) => {
    const found = globSync(pattern, { cwd: root });
    if (found.length === 0) throw new Error(`${pattern}: there is no such file`);
    return found.sort();
  });
  for (const file of files) hash.update(await readFile(join(root, file)));
  return hash.digest('hex').slice(0, 32);
}
