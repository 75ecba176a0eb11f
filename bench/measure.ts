import { readFile } from 'node:fs/promises';
import { plans } from '../schema/api/plans.ts';
import { taskLimits } from '../schema/task/wire.ts';
import type { LibavPool } from '../transcoder/media/libav/pool.ts';
import type { Limits } from '../transcoder/model/plan.ts';

export interface Measured<T> {
  value: T;
  /** User and system seconds of all processes involved. */
  cpu: number;
  /** Seconds. */
  wall: number;
}

/** Kernel ticks per second, on every Linux that Node supports. */
const TICKS = 100;

/** Processes whose CPU time counts. */
type Workers = Pick<LibavPool, 'pids'>;

/** CPU seconds so far of this process, ended children and the workers. */
async function cpuSeconds(workers: Workers | null): Promise<number> {
  const ticksOf = async (pid: number | string, fields: number[]) => {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8');
    const columns = line
      .replace(/^.*\) /, '')
      .split(' ')
      .map(Number);
    return fields.reduce((sum, field) => sum + (columns[field - 3] ?? 0), 0);
  };
  const own = await ticksOf('self', [14, 15, 16, 17]);
  const theirs = await Promise.all((workers?.pids ?? []).map((pid) => ticksOf(pid, [14, 15])));
  return (own + theirs.reduce((sum, ticks) => sum + ticks, 0)) / TICKS;
}

export async function measured<T>(workers: Workers | null, work: () => Promise<T>): Promise<Measured<T>> {
  const [cpu, began] = [await cpuSeconds(workers), performance.now()];
  const value = await work();
  return { value, cpu: (await cpuSeconds(workers)) - cpu, wall: (performance.now() - began) / 1000 };
}

/** The limits of the largest plan. */
export function generousLimits(): Limits {
  return taskLimits.parse(plans.elite);
}

/** Random numbers from 0 to below 1 that are identical in every run. */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

/** Prints rows as a Markdown table; the first row is the header. */
export function printTable(rows: readonly (readonly (string | number)[])[]): void {
  const text = (cell: string | number) => (typeof cell === 'number' ? cell.toFixed(2) : cell);
  const [head, ...body] = rows.map((row) => `| ${row.map(text).join(' | ')} |`);
  const rule = `|${rows[0]?.map(() => '---').join('|')}|`;
  console.log([head, rule, ...body].join('\n'));
}
