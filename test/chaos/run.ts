import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { makeFixtures } from '../fixtures/make.ts';
import { recoveryTimes } from './recovery.ts';
import { details, failedAudit, line, reportText } from './report.ts';
import { type Round, runRound } from './round.ts';

/**
 * `npm run chaos`: one line a seed, and exit code 1 unless nothing was lost, doubled, wrong or left behind. `--seed` is the
 * first of `--seeds`; tasks come in within `--seconds`, after `--line` tasks during an `--outage` of so many seconds; `--report FILE` measures recovery too and writes all of it there.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    seeds: { type: 'string', default: '1' },
    tasks: { type: 'string', default: '200' },
    transcoders: { type: 'string', default: '3' },
    seconds: { type: 'string', default: '120' },
    outage: { type: 'string', default: '300' },
    line: { type: 'string', default: '50' },
    report: { type: 'string' },
  },
});

function whole(name: Exclude<keyof typeof values, 'report'>): number {
  const text = values[name];
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name}: expected a whole number, not "${text}"`);
  return Number(text);
}

const options = {
  tasks: whole('tasks'),
  transcoders: whole('transcoders'),
  stormSeconds: whole('seconds'),
  outage: { seconds: whole('outage'), tasks: whole('line') },
};
await makeFixtures();
const rounds: Round[] = [];
for (let seed = whole('seed'); rounds.length < whole('seeds'); seed++) {
  const round = await runRound({ ...options, seed });
  rounds.push(round);
  console.log(line(round));
  for (const detail of details(round)) console.log(`  ${detail}`);
}
if (values.report !== undefined) {
  const recovery = await recoveryTimes(5);
  writeFileSync(values.report, reportText(rounds, options, recovery));
}
if (rounds.some(failedAudit)) process.exitCode = 1;
