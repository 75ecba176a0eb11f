import { readdir, readFile } from 'node:fs/promises';

/** Kernel ticks per second, on every Linux that Node supports. */
const TICKS = 100;

const fieldsOf = (stat: string) =>
  stat
    .replace(/^.*\) /, '')
    .split(' ')
    .map(Number);

/** A process and all that it started, by their numbers; of them those whose command line contains a text. */
export async function processesUnder(root: number, containing = ''): Promise<number[]> {
  const parents = new Map<number, number>();
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => null);
    if (stat) parents.set(Number(name), fieldsOf(stat)[1] ?? 0);
  }
  const isUnder = (pid: number | undefined): boolean =>
    pid !== undefined && pid > 1 && (pid === root || isUnder(parents.get(pid)));
  const found: number[] = [];
  for (const pid of parents.keys()) {
    if (!isUnder(pid)) continue;
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    if (command.includes(containing)) found.push(pid);
  }
  return found;
}

/** CPU seconds of running processes, including their ended children. */
export async function cpuOf(pids: readonly number[]): Promise<number> {
  const ticks = await Promise.all(
    pids.map(async (pid) => {
      const fields = fieldsOf(await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''));
      return [11, 12, 13, 14].reduce((sum, field) => sum + (fields[field] ?? 0), 0);
    }),
  );
  return ticks.reduce((sum, each) => sum + each, 0) / TICKS;
}

/** Memory that processes do not share with others. */
export async function privateMiB(pids: readonly number[]): Promise<number> {
  const kibibytes = await Promise.all(
    pids.map(async (pid) => {
      const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
      return [...text.matchAll(/^Private_\w+:\s+(\d+) kB/gm)].reduce(
        (sum, [, each]) => sum + Number(each),
        0,
      );
    }),
  );
  return kibibytes.reduce((sum, each) => sum + each, 0) / 1024;
}
