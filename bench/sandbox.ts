import { copyFile, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findSandbox } from '../transcoder/ffmpeg/find-sandbox.ts';
import { run } from '../transcoder/ffmpeg/run.ts';
import type { Sandbox, SandboxLevel } from '../transcoder/ffmpeg/sandbox.ts';
import { jsonLog } from '../transcoder/log.ts';
import { completeSource } from '../transcoder/media/execute/complete-source.ts';
import { LibavPool } from '../transcoder/media/libav/pool.ts';
import { Workspaces } from '../transcoder/task/workspaces.ts';
import { median, printTable } from './measure.ts';

/**
 * The cost of the sandbox: running the program, starting a libav process, and a request to a warm one. Then the cost of a
 * task's own processes, started ahead of it, compared with processes that have served tasks before.
 */
const ROUNDS = 30;
/** Pause between two tasks, in which the next workspace is prepared. */
const PAUSE_MS = 500;
const TICKS = 100;
const STARTS = 5;

const log = jsonLog({}, () => {});
const programs = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' };
const directory = await mkdtemp(join(tmpdir(), 'spool-bench-'));
const path = join(directory, 'source.mp4');
const clip = ['-v', 'error', '-f', 'lavfi', '-i', 'testsrc2=s=640x360:d=5', '-pix_fmt', 'yuv420p', path];
await run(programs, 'ffmpeg', clip);
const source = await completeSource({ path, format: 'mov' });

async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

async function engineIn(sandbox: Sandbox | null): Promise<LibavPool> {
  const libav = await LibavPool.start(log, 1, sandbox && { sandbox, writes: [directory] });
  if (!libav) throw new Error('libav cannot be loaded');
  return libav;
}

interface Ways {
  name: string;
  sandbox: Sandbox | null;
  libav: LibavPool;
  program: number[];
  start: number[];
  asked: number[];
}
const ways: Ways[] = [];
for (const level of [null, 'none', 'unshare', 'bwrap'] satisfies (SandboxLevel | null)[]) {
  try {
    const sandbox = level && (await findSandbox(programs, level, log));
    const libav = await engineIn(sandbox);
    ways.push({ name: level ?? 'nothing at all', sandbox, libav, program: [], start: [], asked: [] });
  } catch (error) {
    console.error(level, error);
  }
}
const probe = { kind: 'probe', source: source.parts() } as const;
for (let round = 0; round < ROUNDS; round++) {
  for (const { sandbox, libav, program, start, asked } of ways) {
    const inside = { ...programs, ...(sandbox ? { sandbox } : {}) };
    const arguments_ = ['-v', 'error', '-show_format', path];
    program.push(await milliseconds(() => run(inside, 'ffprobe', arguments_, { cwd: directory })));
    asked.push(await milliseconds(() => libav.ask(probe, { sources: [source] })));
    if (round < STARTS) start.push(await milliseconds(async () => (await engineIn(sandbox)).close()));
  }
}
const [bare] = ways;
const more = (way: Ways, of: 'program' | 'start' | 'asked') =>
  median(way[of].map((ms, round) => ms - (bare?.[of][round] ?? 0)));
printTable([
  ['sandbox', 'ffprobe, ms', 'more', 'engine process started, ms', 'more', 'warm libav asked, ms', 'more'],
  ...ways.map((way) => [
    way.name,
    ...(['program', 'start', 'asked'] as const).flatMap((of) => [median(way[of]), more(way, of)]),
  ]),
]);

/** CPU seconds of the processes of these groups. */
async function cpuSeconds(groups: readonly number[]): Promise<number> {
  let ticks = 0;
  for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name))) {
    const line = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
    const columns = line
      .replace(/^.*\) /, '')
      .split(' ')
      .map(Number);
    const [group = 0, user = 0, system = 0] = [2, 11, 12].map((index) => columns[index]);
    if (groups.includes(group)) ticks += user + system;
  }
  return ticks / TICKS;
}

const rows: (string | number)[][] = [];
for (const { name, sandbox, libav: warm } of ways) {
  if (!sandbox) continue;
  const workspaces = await Workspaces.open({ workDir: directory, sandbox, slots: 1, log });
  const [taken, first, more, ended, cpu] = [[], [], [], [], []] as number[][];
  for (let round = 0; round < ROUNDS; round++) {
    const asked = await milliseconds(() => warm.ask(probe, { sources: [source] }));
    const began = performance.now();
    const workspace = await workspaces.take();
    taken?.push(performance.now() - began);
    const { libav } = workspace;
    if (!libav) throw new Error('libav cannot be loaded');
    const own = join(workspace.directory, 'source-0');
    await copyFile(path, own);
    const copied = await completeSource({ path: own, format: 'mov' });
    const question = { kind: 'probe', source: copied.parts() } as const;
    const answered = await milliseconds(() => libav.ask(question, { sources: [copied] }));
    first?.push(answered);
    more?.push((taken?.at(-1) ?? 0) + answered - asked);
    cpu?.push(await cpuSeconds(libav.pids));
    ended?.push(await milliseconds(() => workspace.close()));
    await wait(PAUSE_MS);
  }
  rows.push([name, ...[taken, first, more, ended, cpu].map((values) => median(values ?? []))]);
  await workspaces.close();
}
console.log('');
printTable([
  [
    'sandbox',
    'workspace taken, ms',
    'first question, ms',
    'both, more than a warm process, ms',
    'ended, ms',
    'CPU s a task',
  ],
  ...rows,
]);
for (const { libav } of ways) await libav.close();
await rm(directory, { recursive: true });
