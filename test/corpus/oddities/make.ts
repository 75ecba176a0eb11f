import { createHash } from 'node:crypto';
import { readdirSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { clocks } from './clocks.ts';
import { containers } from './containers.ts';
import { fields } from './fields.ts';
import { benchIn, makeMaster, type Oddity } from './oddity.ts';
import { pictures } from './pictures.ts';
import { sounds } from './sounds.ts';

export const oddities: readonly Oddity[] = [...clocks, ...pictures, ...fields, ...sounds, ...containers];

const STAMP = '.stamp';
const AT_ONCE = 2;
const MOST_MS = 600_000;

/** Makes them in a folder of their own, unless they are there and their recipes have not changed since. */
export async function makeOddities(folder: string, wanted = oddities): Promise<void> {
  const stamp = [await recipes(), ...wanted.map(({ name }) => name)].join('\n');
  const arePresent = async () => (await readFile(join(folder, STAMP), 'utf8').catch(() => null)) === stamp;
  if (await arePresent()) return;
  await mkdir(join(folder, '..'), { recursive: true });
  await alone(`${resolve(folder)}.lock`, async () => {
    if (!(await arePresent())) await makeAnew(folder, wanted, stamp);
  });
}

/** One process at a time: files of two projects need them, and neither may remove what the other reads. */
async function alone(lock: string, work: () => Promise<void>): Promise<void> {
  while (!(await taken(lock))) await sleep(200);
  try {
    await work();
  } finally {
    await rm(lock, { recursive: true, force: true });
  }
}

/** Whether the lock is ours now. One that is older than any making was left by a process that was killed. */
async function taken(lock: string): Promise<boolean> {
  try {
    await mkdir(lock);
    return true;
  } catch {
    const { mtimeMs } = await stat(lock).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > MOST_MS) await rm(lock, { recursive: true, force: true });
    return false;
  }
}

async function makeAnew(folder: string, wanted: readonly Oddity[], stamp: string): Promise<void> {
  const directory = await mkdtemp(`${resolve(folder)}-`);
  try {
    const bench = benchIn(directory);
    await makeMaster(bench);
    const pending = [...wanted];
    await Promise.all(Array.from({ length: AT_ONCE }, () => makeAll(pending)));
    async function makeAll(left: Oddity[]): Promise<void> {
      for (let oddity = left.shift(); oddity; oddity = left.shift()) await oddity.make(bench);
    }
    const names = new Set(wanted.map(({ name }) => name));
    await Promise.all(
      readdirSync(directory).map((name) => (names.has(name) ? null : rm(join(directory, name)))),
    );
    await writeFile(join(directory, STAMP), stamp);
    await rm(folder, { recursive: true, force: true });
    await rename(directory, folder);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function recipes(): Promise<string> {
  const hash = createHash('sha256');
  for (const name of readdirSync(import.meta.dirname).sort()) {
    hash.update(await readFile(join(import.meta.dirname, name)));
  }
  return hash.digest('hex');
}

if (import.meta.main) await makeOddities(process.argv[2] ?? join('.spool', 'oddities'));
