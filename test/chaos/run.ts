import { parseArgs } from 'node:util';
import { makeFixtures } from '../fixtures/make.ts';
import { type Round, runRound } from './round.ts';

/**
 * `npm run chaos -- [--seed 1] [--seeds 1] [--tasks 200]`: one line a seed, and exit code 1 unless nothing was lost, doubled, wrong
 * or left behind.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    tasks: { type: 'string', default: '200' },
    transcoders: { type: 'string', default: '3' },
    seconds: { type: 'string' },
  },
});
const whole = (name: 'seed' | 'seeds' | 'tasks' | 'transcoders' | 'seconds', text: string) => {
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name}: expected a whole number, not "${text}"`);
  return Number(text);
};

const first = whole('seed', values.seed);
const tasks = whole('tasks', values.tasks);
const transcoders = whole('transcoders', values.transcoders);
const stormSeconds = values.seconds === undefined ? tasks * 0.6 : whole('seconds', values.seconds);

const list = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([name, count]) => `${count} × ${name}`)
    .join(', ');

function print({ seed, submitted, findings, faults, seconds }: Round): void {
  const { completed, failed, lost, doubled, deleted, codes, wrong, left } = findings;
  console.log(
    `seed ${seed}: ${submitted} submitted / ${completed} completed / ${failed} failed / ${lost.length} lost / ${doubled.length} doubled`,
  );
  console.log(`  ${deleted} deleted; ${Math.round(seconds)} s; faults: ${list(faults)}`);
  if (Object.keys(codes).length > 0) console.log(`  failed by the faults: ${list(codes)}`);
  for (const [what, names] of Object.entries({ lost, doubled, wrong, left }))
    for (const name of names) console.log(`  ${what}: ${name}`);
}

await makeFixtures();
for (let seed = first; seed < first + whole('seeds', values.seeds); seed++) {
  const round = await runRound({ seed, tasks, transcoders, stormSeconds });
  print(round);
  const { lost, doubled, wrong, left } = round.findings;
  if (lost.length + doubled.length + wrong.length + left.length > 0) process.exitCode = 1;
}
