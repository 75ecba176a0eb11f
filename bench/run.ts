import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { machine } from './machine.ts';

/** Runs every bench, or the named ones, and writes their output into their sections of RESULTS.md. What stands below `REMARKS` stays. */
const benches = [
  ['cut', 'Exact cuts'],
  ['limit', 'Distance to the limit'],
  ['memory', 'Memory of the transcoder'],
  ['bytes', 'Bytes of what is rendered'],
  ['merge', 'Clips merged'],
  ['silence', 'Silences cut out'],
  ['ears', 'Pauses and speech distinguished'],
  ['words', 'Words heard'],
  ['remux', 'Containers and metadata changed'],
  ['frames', 'Probes and pictures'],
  ['render', 'What is rendered from end to end'],
  ['costs', 'Cost of a megapixel'],
  ['visual', 'What is drawn'],
  ['engines', 'Speech, voices and stems'],
  ['remote', 'Sources at a distance'],
  ['sources', 'Sources that stumble'],
  ['overhead', 'Time of the service itself'],
  ['sandbox', 'Cost of the sandbox'],
  ['polls', 'Polls'],
  ['fairness', 'Many accounts, few machines'],
  ['soak', 'Many small tasks'],
  ['dashboard', 'The dashboard'],
  ['first-result', 'From a clean clone to the first result'],
  ['mp3', 'MP4 to MP3 in the browser'],
] as const;

/** What was written by hand about a section follows this line. */
const REMARKS = '<!-- Remarks -->';

const page = new URL('RESULTS.md', import.meta.url);
const sections = new Map<string, string>();
for (const section of readFileSync(page, 'utf8')
  .split(/^(?=## )/m)
  .slice(1)) {
  sections.set(section.slice(3, section.indexOf('\n')), section.trim());
}

const wanted = process.argv.slice(2);
for (const [name, title] of benches) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n## ${title} (bench/${name}.ts)\n`);
  const path = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const { stdout, status } = spawnSync(process.execPath, [path], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.stdout.write(stdout);
  const missed = status === 0 ? '' : '\n\nA demand was missed in this run.';
  const when = `\`bench/${name}.ts\`, ${new Date().toISOString().slice(0, 10)}`;
  const [, remarks] = (sections.get(title) ?? '').split(REMARKS);
  const kept = remarks === undefined ? '' : `\n\n${REMARKS}${remarks}`;
  sections.set(title, `## ${title}\n\n${when}\n\n${stdout.trim()}${missed}${kept}`);
  if (status !== 0) process.exitCode = 1;
  write();
}

/** Written after each bench, so that an interrupted run keeps its results. */
function write(): void {
  const head = [
    '# Results of the benches',
    'Written by `npm run bench`. CPU seconds count every process that worked; ratios are of the same work in the same run.',
    machine(),
  ];
  const found = benches.flatMap(([, title]) => sections.get(title) ?? []);
  writeFileSync(page, `${[...head, ...found].join('\n\n')}\n`);
}
