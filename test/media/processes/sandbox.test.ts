import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findSandbox } from '../../../transcoder/ffmpeg/find-sandbox.ts';
import { type RunOptions, run } from '../../../transcoder/ffmpeg/run.ts';
import type { Sandbox, SandboxLevel } from '../../../transcoder/ffmpeg/sandbox.ts';
import { jsonLog } from '../../../transcoder/log.ts';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { LibavPool } from '../../../transcoder/media/libav/pool.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { failureOf } from '../operate.ts';

const silent = jsonLog({}, () => {});
const found: { level: SandboxLevel; sandbox: Sandbox | null }[] = await Promise.all(
  (['bwrap', 'unshare', 'none'] as const).map(async (level) => ({
    level,
    sandbox: await findSandbox(programs, level, silent).catch(() => null),
  })),
);
const here = (...levels: SandboxLevel[]) =>
  found.flatMap(({ level, sandbox }) => (sandbox && levels.includes(level) ? [{ level, sandbox }] : []));

let directory: string;
let job: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-sandbox-'));
  job = join(directory, 'job');
  await mkdir(job, { mode: 0o700 });
  await writeFile(join(directory, 'secret'), 'of another job');
  await writeFile(join(directory, 'source'), 'bytes');
});
afterAll(() => rm(directory, { recursive: true }));

/** A module of ours in the place of ffmpeg, in whose text `say` prints a value as JSON. */
async function inside(sandbox: Sandbox, code: string, options: RunOptions = {}): Promise<unknown> {
  const say = "import fs from 'node:fs'; const say = (value) => fs.writeSync(1, JSON.stringify(value));";
  const args = ['--input-type=module', '-e', `${say}${code}`];
  const { stdout } = await run({ ...programs, ffmpeg: process.execPath, sandbox }, 'ffmpeg', args, {
    cwd: job,
    ...options,
  });
  return stdout === '' ? null : JSON.parse(stdout);
}

/** Processes whose command line holds a text. */
function running(text: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && commandOf(name).includes(text))
    .map(Number);
}

const commandOf = (pid: string) => told(pid, 'cmdline');

/** What the system tells of a process; nothing of one that has ended. */
function told(pid: number | string, file: string): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

test('the strongest sandbox that can be had here is taken, and one that cannot be had is refused', async () => {
  const [first] = here('bwrap', 'unshare', 'none');
  expect((await findSandbox(programs, 'auto', silent)).level).toBe(first?.level);
  const broken = { ...programs, ffmpeg: '/nowhere/ffmpeg' };
  await expect(findSandbox(broken, 'bwrap', silent)).rejects.toThrow('bwrap is unavailable');
});

test.runIf(here('bwrap').length > 0)('a weaker sandbox is not taken in place of the one named', async () => {
  // Works where it sees the files of the machine, and so in every sandbox but bwrap.
  const ffmpeg = join(directory, 'outside-only');
  await writeFile(ffmpeg, '#!/bin/sh\ntest -e /etc/passwd\n', { mode: 0o755 });
  const outside = { ...programs, ffmpeg };
  expect((await findSandbox(outside, 'auto', silent)).level).not.toBe('bwrap');
  const named = await findSandbox(outside, 'bwrap', silent).catch((error: Error) => error.message);
  expect(named).toContain('bwrap is unavailable');
});

describe.each(here('bwrap', 'unshare'))('a program in $level', ({ sandbox }) => {
  test('reaches no server, not even one of this machine', async () => {
    let connections = 0;
    const server = createServer((_, response) => response.end()).on('connection', () => {
      connections += 1;
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const call = `say(await fetch('http://127.0.0.1:${port}').then(() => 'reached', (error) => error.cause.code));`;
    expect(await inside(sandbox, call)).toMatch(/^E(CONNREFUSED|NETUNREACH)$/);
    expect(connections).toBe(0);
    server.close();
  });

  test('has namespaces of its own', async () => {
    const mark = `spool-apart-${sandbox.level}-${process.pid}`;
    const stop = new AbortController();
    const work = inside(sandbox, `setInterval(() => {}, 1000); '${mark}';`, { signal: stop.signal });
    const kinds = ['net', 'ipc', 'user', 'mnt'];
    const ours = kinds.map((kind) => namespaceOf(process.pid, kind));
    const isApart = (pid: number) =>
      kinds.every((kind, index) => ![null, ours[index]].includes(namespaceOf(pid, kind)));
    try {
      await expect.poll(() => running(mark).some(isApart)).toBe(true);
    } finally {
      stop.abort(new Error('away'));
      await expect(work).rejects.toThrow('away');
    }
  });

  test('is nobody, and finds no other process to signal or to read', async () => {
    const code = `
      let signalled = 'yes';
      try { process.kill(${process.pid}, 0); } catch (error) { signalled = error.code; }
      let environment = 'read';
      try { fs.readFileSync('/proc/${process.pid}/environ'); } catch (error) { environment = error.code; }
      say({ uid: process.getuid(), signalled, environment });`;
    expect(await inside(sandbox, code)).toEqual({ uid: 10001, signalled: 'ESRCH', environment: 'ENOENT' });
  });
});

describe.each(here('bwrap'))('the files of a program in $level', ({ sandbox }) => {
  test('are those of the system, those of the job and the sources it is given', async () => {
    const paths = [
      `${directory}/secret`,
      `${directory}/source`,
      '/etc/passwd',
      '/root',
      '/home',
      import.meta.filename,
    ];
    const code = `say(${JSON.stringify(paths)}.map((path) => fs.existsSync(path)));`;
    const seen = await inside(sandbox, code, { reads: [`${directory}/source`] });
    expect(seen).toEqual([false, true, false, false, false, false]);
  });

  test('can be written in the directory of the job alone', async () => {
    const code = `say(['made', '${directory}/source', '/made', '/usr/made'].map((path) => {
      try { fs.writeFileSync(path, 'x'); return 'written'; } catch (error) { return error.code; }
    }));`;
    const wrote = await inside(sandbox, code, { reads: [`${directory}/source`] });
    expect(wrote).toEqual(['written', 'EROFS', 'EROFS', 'EROFS']);
    expect((await stat(join(job, 'made'))).size).toBe(1);
  });
});

describe.each(here('bwrap', 'unshare', 'none'))('limits of a program in $level', ({ sandbox }) => {
  test('are set', async () => {
    const { stdout } = await run({ ...programs, ffmpeg: '/usr/bin/prlimit', sandbox }, 'ffmpeg', [
      ...['--raw', '--noheadings', '--output', 'RESOURCE,HARD'],
    ]);
    const hard = new Map(
      stdout
        .trim()
        .split('\n')
        .map((line) => line.split(/\s+/) as [string, string]),
    );
    expect(hard.get('CORE')).toBe('0');
    expect(hard.get('NOFILE')).toBe('1024');
    expect(Number(hard.get('DATA'))).toBe(sandbox.memoryBytes);
    for (const name of ['CPU', 'FSIZE']) expect(Number(hard.get(name))).toBeGreaterThan(0);
  });

  test('end one whose file grows too large, with a code that says so', async () => {
    const args = [
      '-v',
      'error',
      '-nostdin',
      '-y',
      '-f',
      'lavfi',
      '-i',
      'testsrc2=s=320x240:d=2',
      '-c:v',
      'rawvideo',
    ];
    const work = run({ ...programs, sandbox }, 'ffmpeg', [...args, '-f', 'rawvideo', 'large'], {
      cwd: job,
      fileBytes: 1_000_000,
    });
    expect((await failureOf(work)).code).toBe('output_too_large');
    expect((await stat(join(job, 'large'))).size).toBeLessThanOrEqual(1_000_000);
  });

  test('end one that takes all memory', async () => {
    const small = { ...sandbox, memoryBytes: 1024 ** 3 };
    const code = `const held = []; for (;;) held.push(Buffer.alloc(2 ** 26, 1));`;
    await expect(inside(small, code)).rejects.toMatchObject({ name: 'TaskFailure' });
  });

  test('do not keep it from ending, with all its children, when it is aborted', async () => {
    const mark = `spool-inside-${sandbox.level}-${process.pid}`;
    const stop = new AbortController();
    const code = `
      import { spawn } from 'node:child_process';
      spawn('sleep', ['300'], { argv0: '${mark}' });
      process.on('SIGTERM', () => {});
      setInterval(() => {}, 1000);`;
    const work = inside(sandbox, code, { signal: stop.signal });
    while (running(mark).length === 0) await sleep(20);
    stop.abort(new Error('away'));
    await expect(work).rejects.toThrow('away');
    await expect.poll(() => running(mark), { timeout: 5000 }).toEqual([]);
  });
});

describe.each(here('bwrap', 'unshare', 'none'))('a libav process in $level', ({ sandbox }) => {
  test('opens a source, and ends with its group when it is killed', async () => {
    const confined = { sandbox, writes: [fixture('')] };
    const libav = await LibavPool.start(silent, 1, confined);
    if (!libav) throw new Error('libav cannot be loaded');
    const source = await completeSource({ path: fixture('plain.mp4'), format: 'mov' });
    const printed = await libav.ask({ kind: 'probe', source: source.parts() }, { sources: [source] });
    expect(printed?.streams).toHaveLength(2);
    const [pid = 0] = libav.pids;
    const below = () => running('libav/child/main.').filter((id) => groupOf(id) === pid);
    expect(below().length).toBeGreaterThan(0);
    libav.close();
    await expect.poll(below, { timeout: 5000 }).toEqual([]);
  });
});

/** What a namespace of a process is called by the kernel; null where it is gone. */
function namespaceOf(pid: number, name: string): string | null {
  try {
    return readlinkSync(`/proc/${pid}/ns/${name}`);
  } catch {
    return null;
  }
}

function groupOf(pid: number): number {
  const [, group] = /\) \S \d+ (\d+)/.exec(told(pid, 'stat')) ?? [];
  return Number(group);
}
