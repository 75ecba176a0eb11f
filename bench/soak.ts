import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sleep } from '../test/harness.ts';
import { startObjectStore } from '../test/transcoder/object-store.ts';
import { startReceiver } from '../test/transcoder/receiver.ts';
import { startSamples } from '../test/transcoder/samples.ts';
import { makeJob, startTranscoder } from '../test/transcoder/transcoder-process.ts';
import { median } from './measure.ts';

/**
 * One transcoder runs small tasks one after the other. Requirements, from the first fifth to the last: the live heap after a
 * full collection grows by at most a tenth, and the memory of its engine's processes by at most a quarter. No directory and no
 * process may be left at the end. Resident memory is only reported, because it depends on V8.
 */
const TASKS = Number(process.argv[2] ?? 500);
const PART = TASKS / 5;
const GROWTH = { heap: 1.1, engine: 1.25 };
const SNAPSHOT_MS = 60_000;
const MIB = 1024;

const [samples, store, receiver] = await Promise.all([startSamples(), startObjectStore(), startReceiver()]);
const snapshots = mkdtempSync(join(tmpdir(), 'spool-bench-'));
const transcoder = await startTranscoder({
  ...store.env,
  SPOOL_DEV_ORIGINS: samples.url,
  NODE_OPTIONS: `--heapsnapshot-signal=SIGUSR2 --diagnostic-dir=${snapshots}`,
});
const video_url = `${samples.url}/short.mp4`;
const kinds = [
  () => makeJob('cut', { video_url, start: 1.5, duration: 2 }, ''),
  () => makeJob('frame_last', { video_url }, ''),
  () => makeJob('probe', { url: video_url }, ''),
  () => makeJob('cut', { video_url, duration: 2, dry_run: true }, ''),
  () => makeJob('cut', { video_url, start: 3600, duration: 1 }, ''),
];

/** Memory of these processes in KiB. */
function residentOf(pids: readonly number[]): number {
  const each = pids.map((pid) =>
    Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0),
  );
  return each.reduce((sum, size) => sum + size, 0);
}

/** Live bytes in the transcoder's heap: taking a snapshot collects garbage first. */
async function aliveBytes(): Promise<number> {
  transcoder.child.kill('SIGUSR2');
  for (const end = Date.now() + SNAPSHOT_MS; Date.now() < end; await sleep(500)) {
    const [name] = readdirSync(snapshots);
    const text = name === undefined ? '' : readFileSync(join(snapshots, name), 'utf8');
    if (!text.endsWith('}\n') && !text.endsWith('}')) continue;
    const { snapshot, nodes } = JSON.parse(text) as {
      snapshot: { meta: { node_fields: string[] } };
      nodes: number[];
    };
    const { node_fields: fields } = snapshot.meta;
    const size = fields.indexOf('self_size');
    rmSync(join(snapshots, name ?? ''));
    return nodes.reduce((sum, value, index) => (index % fields.length === size ? sum + value : sum), 0);
  }
  throw new Error('no heap snapshot was written');
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
const alive: number[] = [];
for (let index = 0; index < TASKS; index++) {
  await work(index);
  const part = Math.floor(index / PART);
  parts[part] ??= { process: [], engine: [] };
  parts[part].process.push(residentOf([own]));
  parts[part].engine.push(residentOf(transcoder.workers()));
  if ((index + 1) % PART === 0) alive.push(await aliveBytes());
}
const rows = parts.map(({ process: main, engine }) => ({ main: median(main), engine: median(engine) }));

// The last attempt reports its end before its directory is removed.
const left = () => ({
  directories: readdirSync(transcoder.workDir).length,
  processes: transcoder.descendants().length,
});
for (let tries = 0; tries < 50 && left().directories + left().processes > 0; tries++) await sleep(100);
const { directories, processes } = left();

const mib = (kib: number) => (kib / MIB).toFixed(0);
console.log('| tasks | alive in its heap, MiB | transcoder, MiB at p50 | its engine, MiB at p50 |');
console.log('|---|---|---|---|');
for (const [part, { main, engine }] of rows.entries())
  console.log(
    `| ${part * PART + 1} to ${(part + 1) * PART} | ${((alive[part] ?? 0) / MIB ** 2).toFixed(1)} | ${mib(main)} | ${mib(engine)} |`,
  );
console.log(`\nLeft after ${TASKS} tasks: ${directories} directories, ${processes} processes.`);

const grown = (from: number | undefined, to: number | undefined, limit: number) =>
  !from || !to || to > from * limit;
const heapGrown = grown(alive[0], alive.at(-1), GROWTH.heap);
const engineGrown = grown(rows[0]?.engine, rows.at(-1)?.engine, GROWTH.engine);
if (heapGrown || engineGrown || directories > 0 || processes > 0) process.exitCode = 1;
await transcoder.close();
rmSync(snapshots, { recursive: true });
await Promise.all([samples.close(), store.close(), receiver.close()]);
