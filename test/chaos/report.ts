import { machine } from '../../bench/machine.ts';
import type { Round, RoundOptions } from './round.ts';

/** Whether anything was found that must never be. */
export function failedAudit({ findings: { lost, doubled, wrong, hasty, left } }: Round): boolean {
  return lost.length + doubled.length + wrong.length + hasty.length + left.length > 0;
}

export function line({ seed, submitted, findings }: Round): string {
  const { completed, failed, lost, doubled } = findings;
  return `seed ${seed}: ${submitted} submitted / ${completed} completed / ${failed} failed / ${lost.length} lost / ${doubled.length} doubled`;
}

/** What stands below the line: what happened, and each thing that was found, by name. */
export function details({ findings, faults, seconds }: Round): string[] {
  const { deleted, codes, lost, doubled, wrong, hasty, left } = findings;
  const found = Object.entries({ lost, doubled, wrong, hasty, left });
  return [
    `${deleted} deleted; ${Math.round(seconds)} s; faults: ${list(faults)}`,
    ...(Object.keys(codes).length > 0 ? [`failed by the faults: ${list(codes)}`] : []),
    ...found.flatMap(([what, names]) => names.map((name) => `${what}: ${name}`)),
  ];
}

/** The rounds as a page of Markdown. */
export function reportText(
  rounds: readonly Round[],
  { tasks, transcoders, stormSeconds, outage }: Omit<RoundOptions, 'seed'>,
  recovery: readonly number[],
): string {
  const rows = rounds.map(({ seed, submitted, findings, faults, seconds }) => {
    const { completed, failed, deleted, lost, doubled, wrong, hasty, left, codes } = findings;
    const byFaults = Object.values(codes).reduce((sum, count) => sum + count, 0);
    const faultCount = Object.values(faults).reduce((sum, count) => sum + count, 0);
    const cells = [seed, submitted, completed, failed, byFaults, deleted];
    const bad = [lost, doubled, wrong, hasty, left].map((names) => names.length);
    return `| ${[...cells, ...bad, faultCount, Math.round(seconds)].join(' | ')} |`;
  });
  const sorted = recovery.toSorted((a, b) => a - b).map((seconds) => seconds.toFixed(1));
  return [
    '# Chaos',
    `Written by \`npm run chaos -- --seeds ${rounds.length} --tasks ${tasks} --report bench/CHAOS.md\`: ${outage.tasks} tasks come in while no transcoder can be reached for ${outage.seconds} s. Then come ${tasks} tasks of four accounts on ${transcoders} transcoder processes, within ${stormSeconds} s. Until most have ended, processes are killed, stopped and continued, and told to leave; disks are filled; the Worker and its objects are restarted; all clocks are set an hour forward or back; connections are cut; and origins of sources answer 503, reset or stall. Deleted tasks are those whose callers deleted them midway. Hasty failures are those that a wait would have saved.`,
    machine(),
    [
      '| seed | submitted | completed | failed | of these by the faults | deleted | lost | doubled | wrong | hasty | left behind | faults | seconds |',
      `|${'---|'.repeat(13)}`,
      ...rows,
    ].join('\n'),
    `From SIGKILL of a transcoder until the next attempt runs, where only the lease tells of it (${recovery.length} deaths, spread over the time between two heartbeats): ${sorted.join(', ')} s.`,
    '',
  ].join('\n\n');
}

const list = (counts: Record<string, number>) =>
  Object.entries(counts)
    .map(([name, count]) => `${count} × ${name}`)
    .join(', ');
