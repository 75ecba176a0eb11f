import { machine } from '../../bench/machine.ts';
import type { FileResult } from './journal.ts';
import type { Family } from './stated.ts';

interface Row {
  files: number;
  tasks: number;
  right: number;
  refused: number;
  defect: number;
}

/** One row a family, most files first, and all of them at the end. */
export function table(entries: readonly FileResult[]): string {
  const rows = new Map<string, Row>();
  const total = emptyRow();
  for (const entry of entries.filter(({ skipped }) => skipped === null)) {
    const name = familyName(entry);
    const row = rows.get(name) ?? emptyRow();
    rows.set(name, row);
    for (const one of [row, total]) {
      one.files++;
      one.tasks += entry.results.length;
      for (const { verdict } of entry.results) one[verdict]++;
    }
  }
  const sorted = [...rows].sort(([a, left], [b, right]) => right.files - left.files || (a < b ? -1 : 1));
  return [
    '| container | coded as | files | tasks | right | honest refusal | defect |',
    `|${'---|'.repeat(7)}`,
    ...[...sorted, ['**all** | ', total] as const].map(
      ([name, { files, tasks, right, refused, defect }]) =>
        `| ${name} | ${[files, tasks, right, refused, defect].join(' | ')} |`,
    ),
  ].join('\n');
}

const emptyRow = (): Row => ({ files: 0, tasks: 0, right: 0, refused: 0, defect: 0 });

function familyName({ family, decodes }: FileResult): string {
  if (!family) return 'no media | ';
  const coded = [family.video, family.audio].filter((codec) => codec !== null).join(' + ');
  return `${shortName(family)} | ${decodes ? coded : 'nothing that ffmpeg decodes'}`;
}

const shortName = ({ container }: Family) =>
  container.startsWith('mov,') ? 'mp4, mov' : container.replaceAll(',', ', ');

/** Each defect on a line. */
export function defects(entries: readonly FileResult[]): string[] {
  return entries.flatMap(({ file, results }) =>
    results
      .filter(({ verdict }) => verdict === 'defect')
      .map(({ check, detail }) => `${file}: ${check}: ${detail}`),
  );
}

/** Distances of picture and sound over all results in which they could be measured. */
export function distances(entries: readonly FileResult[]): string {
  const all = entries.flatMap(({ results }) => results.flatMap(({ late }) => late.map(Math.abs)));
  if (all.length === 0) return 'none measured';
  const sorted = all.sort((a, b) => a - b);
  const at = (share: number) => (sorted[Math.floor((sorted.length - 1) * share)] ?? 0).toFixed(3);
  return `median ${at(0.5)} ms, 99 % within ${at(0.99)} ms, at most ${at(1)} ms (${all.length} places)`;
}

/** The run as a page of Markdown: counts and the names of repositories, nothing of the files. */
export function reportText(entries: readonly FileResult[]): string {
  const repositories = [
    ...new Set(entries.map(({ file }) => file.split('/')[0] ?? '').filter((name) => name.includes('+'))),
  ].sort();
  const skipped = entries.filter((entry) => entry.skipped !== null).length;
  return [
    '# Corpus',
    'Written by `npm run corpus -- DIR --report bench/CORPUS.md`. Every result is compared with ffmpeg’s own decode of the whole source: which frames, at which times, and where the sound stands to them. A refusal is honest if it says what is true of the file; everything else that is not right is a defect.',
    `Checks of each file to which they apply: ${[...new Set(entries.flatMap(({ asked }) => asked))].sort().join(', ')}.`,
    machine(),
    `${entries.length - skipped} files${repositories.length > 0 ? ` of ${repositories.length} public repositories` : ''}; ${skipped} more were too long or too large. Sound against picture in the results, compared with the source: ${distances(entries)}.`,
    table(entries),
    ...(repositories.length > 0
      ? [`Repositories: ${repositories.map((name) => name.replace('+', '/')).join(', ')}.`]
      : []),
    '',
  ].join('\n\n');
}
