import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { startStack } from '../e2e/stack.ts';
import { byService } from './by-service.ts';
import { checkNames } from './checks.ts';
import { type Carrier, examine } from './examine.ts';
import { hasDefect, Journal } from './journal.ts';
import { defects, distances, reportText, table } from './report.ts';

/**
 * `npm run corpus -- DIR`: every file of a folder through the service, judged by ffmpeg's own decode; exit code 1 if
 * there is a defect. What is in the journal is not asked again, unless it had a defect and `--again` is given.
 * `--checks probe,cut_inside` makes these alone; `--only TEXT` takes files whose path contains it; `--minutes` ends the run early; `--report FILE` writes Markdown.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    again: { type: 'boolean', default: false },
    checks: { type: 'string', default: checkNames.join() },
    concurrency: { type: 'string', default: '1' },
    journal: { type: 'string' },
    minutes: { type: 'string', default: '600' },
    only: { type: 'string', default: '' },
    report: { type: 'string' },
    'source-mb': { type: 'string', default: '20' },
    'source-seconds': { type: 'string', default: '120' },
    'task-seconds': { type: 'string', default: '120' },
  },
});

/** A stack keeps the logs of its tasks. */
const FILES_A_STACK = 60;

function whole(name: 'concurrency' | 'minutes' | 'source-mb' | 'source-seconds' | 'task-seconds'): number {
  if (!/^\d{1,6}$/.test(values[name])) throw new Error(`--${name}: expected a whole number`);
  return Number(values[name]);
}

const [given, ...others] = positionals;
if (given === undefined || others.length > 0) throw new Error('Usage: npm run corpus -- DIR');
const folder = resolve(given);
const bounds = {
  taskSeconds: whole('task-seconds'),
  sourceSeconds: whole('source-seconds'),
  sourceBytes: whole('source-mb') * 1e6,
};
const checks = values.checks.split(',').map((name) => {
  const known = checkNames.find((check) => check === name);
  if (!known) throw new Error(`--checks: there is no "${name}"; there are ${checkNames.join(', ')}`);
  return known;
});
const concurrency = Math.min(2, Math.max(1, whole('concurrency')));
const journal = new Journal(
  values.journal ?? join('.spool', 'corpus', `${digestOf(folder).slice(0, 12)}.jsonl`),
);
// In an order that mixes the folders, so that a run that is ended early is a sample of all of them.

const all = (await readdir(folder, { recursive: true, withFileTypes: true }))
  .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({ path, order: digestOf(relative(folder, path)) }))
  .sort((a, b) => (a.order < b.order ? -1 : 1))
  .map(({ path }) => path);
const missing = (path: string) => journal.missing(relative(folder, path), checks, values.again);
const pending = all.filter(
  (path) => relative(folder, path).includes(values.only) && missing(path).length > 0,
);

const deadline = Date.now() + whole('minutes') * 60_000;
while (pending.length > 0 && Date.now() < deadline) {
  const stack = await startStack(folder, { slots: concurrency });
  const leave = () => stack.transcoder.child.kill();
  process.once('exit', leave);
  try {
    const share = pending.splice(0, FILES_A_STACK);
    await Promise.all(Array.from({ length: concurrency }, () => work(byService(stack), share)));
  } finally {
    await stack.close();
    process.off('exit', leave);
  }
}

function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

async function work(carrier: Carrier, share: string[]): Promise<void> {
  for (let path = share.shift(); path !== undefined && Date.now() < deadline; path = share.shift()) {
    const entry = await examine(carrier, folder, path, missing(path), bounds);
    journal.add(entry);
    const marks = entry.results.map(({ verdict }) => ({ right: '.', refused: 'r', defect: 'D' })[verdict]);
    console.log(`${entry.file}  ${entry.skipped ?? marks.join('')}`);
    for (const line of defects([entry])) console.log(`  ${line}`);
  }
}

const present = new Set(all.map((path) => relative(folder, path)));
const entries = [...journal.entries.values()].filter(({ file }) => present.has(file));
console.log(`\n${table(entries)}\n\nSound against picture: ${distances(entries)}`);
if (values.report !== undefined) writeFileSync(values.report, reportText(entries));
if (entries.some(hasDefect)) process.exitCode = 1;
