import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { cpus, release, totalmem } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Runs every bench, or those named, and writes what they print into RESULTS.md. */
const benches = [
  ['cut', 'Exact cuts'],
  ['merge', 'Clips merged'],
  ['silence', 'Silences cut out'],
  ['frames', 'Probes and pictures'],
  ['render', 'What is rendered from end to end'],
  ['remote', 'Sources at a distance'],
  ['overhead', 'Time of the service itself'],
  ['sandbox', 'Cost of the sandbox'],
  ['polls', 'Polls'],
] as const;

const wanted = process.argv.slice(2);
const program = spawnSync('ffmpeg', ['-version'], { encoding: 'utf8' }).stdout.split('\n')[0];
const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, Linux ${release()}`;
const sections: string[] = [];
for (const [name, title] of benches) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  console.log(`\n## ${title} (bench/${name}.ts)\n`);
  const path = fileURLToPath(new URL(`${name}.ts`, import.meta.url));
  const { stdout, status } = spawnSync(process.execPath, [path], {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  process.stdout.write(stdout);
  const missed = status === 0 ? '' : '\nA demand was missed in this run.\n';
  sections.push(`## ${title}\n\n\`bench/${name}.ts\`\n\n${stdout.trim()}\n${missed}`);
  if (status !== 0) process.exitCode = 1;
}
if (wanted.length === 0) {
  const head = [
    '# Results of the benches',
    'Written by `npm run bench`. CPU seconds count every process that worked; ratios are of the same work in the same run.',
    `- Machine: ${machine}\n- ffmpeg: ${program}\n- Node: ${process.version}\n- Date: ${new Date().toISOString().slice(0, 10)}`,
  ];
  writeFileSync(new URL('RESULTS.md', import.meta.url), `${[...head, ...sections].join('\n\n')}`);
}
