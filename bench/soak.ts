import { readdirSync, readFileSync } from 'node:fs';
import { sleep } from '../test/harness.ts';
import { startObjectStore } from '../test/transcoder/object-store.ts';
import { startReceiver } from '../test/transcoder/receiver.ts';
import { startSamples } from '../test/transcoder/samples.ts';
import { makeJob, startTranscoder } from '../test/transcoder/transcoder-process.ts';
import { median } from './measure.ts';

/**
 * One transcoder doing small tasks, one after the other: the memory of its process and of the engine's must not grow from the
 * second hundred to the last by more than a tenth, and no directory and no process may be left at the end.
 */
const TASKS = Number(process.argv[2] ?? 500);
const PART = TASKS / 5;
const GROWTH = 1.1;
const MIB = 1024;

const [samples, store, receiver] = await Promise.all([startSamples(), startObjectStore(), startReceiver()]);
const transcoder = await startTranscoder({ ...store.env, SPOOL_DEV_ORIGINS: samples.url });
const video_url = `${samples.url}/short.mp4`;
const kinds = [
  () => makeJob('cut', { video_url, start: 1.5, duration: 2 }, ''),
  () => makeJob('frame_last', { video_url }, ''),
  () => makeJob('probe', { url: video_url }, ''),
  () => makeJob('cut', { video_url, duration: 2, dry_run: true }, ''),
  () => makeJob('cut', { video_url, start: 3600, duration: 1 }, ''),
];

/** KiB of memory that these processes have. */
function residentOf(pids: readonly number[]): number {
  const each = pids.map((pid) =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0),
  );
  return each.reduce((sum, size) => sum + size, 0);
}

async function work(index: number): Promise<void> {
  const made = kinds[index % kinds.length]?.();
  if (!made) throw new Error('no such kind');
  const job = { ...made, callback_url: receiver.url(made.task_id) };
  const response = await transcoder.post('/tasks', job);
  if (response.status !== 202) throw new Error(`the transcoder answered ${response.status}`);
  await Promise.race(
    (['completed', 'planned', 'failed'] as const).map((type) => receiver.first(job.task_id, type)),
  );
}

const own = transcoder.child.pid ?? 0;
const parts: { process: number[]; engine: number[] }[] = [];
for (let index = 0; index < TASKS; index++) {
  await work(index);
  const part = Math.floor(index / PART);
  parts[part] ??= { process: [], engine: [] };
  parts[part].process.push(residentOf([own]));
  parts[part].engine.push(residentOf(transcoder.workers()));
}
const rows = parts.map(({ process: main, engine }) => ({ main: median(main), engine: median(engine) }));

// The last attempt tells its end before its directory is gone.
const left = () => ({
  directories: readdirSync(transcoder.workDir).length,
  processes: transcoder.descendants().length,
});
for (let tries = 0; tries < 50 && left().directories + left().processes > 0; tries++) await sleep(100);
const { directories, processes } = left();

const mib = (kib: number) => (kib / MIB).toFixed(0);
console.log('| tasks | transcoder, MiB at p50 | its engine, MiB at p50 |');
console.log('|---|---|---|');
for (const [part, { main, engine }] of rows.entries())
  console.log(`| ${part * PART + 1} to ${(part + 1) * PART} | ${mib(main)} | ${mib(engine)} |`);
console.log(`\nLeft after ${TASKS} tasks: ${directories} directories, ${processes} processes.`);

const [, second] = rows;
const last = rows.at(-1);
if (!second || !last) throw new Error('too few tasks to tell');
const grown = last.main > second.main * GROWTH || last.engine > second.engine * GROWTH;
if (grown || directories > 0 || processes > 0) process.exitCode = 1;
await transcoder.close();
await Promise.all([samples.close(), store.close(), receiver.close()]);
