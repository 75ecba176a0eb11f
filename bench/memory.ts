import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { descendantsOf } from '../test/descendants-of.ts';
import { startStack } from '../test/e2e/stack.ts';
import { sleep } from '../test/harness.ts';
import { run } from '../transcoder/ffmpeg/run.ts';
import { programs } from './footage.ts';
import { printTable } from './measure.ts';

/**
 * Memory of the whole transcoder with two slots while it cuts 80 % out of a source: its server, the processes of both slots, and the
 * engines. Pages that processes share count once. What a source takes depends on its packets, therefore the sources are still
 * pictures of few bytes.
 */
const MINUTES = [10, 60, 120];
const DEMAND = 400;
const SHARE = 0.8;
const EVERY_MS = 40;
/** For the cut of two hours, which is stored, too. */
const PATIENCE_SECONDS = 600;
const MIB = 1024;

const directory = await mkdtemp(join(tmpdir(), 'spool-bench-'));
const ffmpeg = (...args: string[]) =>
  run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { cwd: directory });

/** Mebibytes of a process of its own, and of files that others may have mapped, too. */
async function sizeOf(pid: number): Promise<{ own: number; mapped: number }> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  const of = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB`, 'm').exec(text)?.[1] ?? 0) / MIB;
  return { own: of('Anonymous'), mapped: of('Rss') - of('Anonymous') };
}

async function memoryOf(root: number): Promise<number> {
  const sizes = await Promise.all([root, ...descendantsOf(root)].map(sizeOf));
  // All of them map little but the same program and libraries.
  return sizes.reduce((sum, { own }) => sum + own, 0) + Math.max(...sizes.map(({ mapped }) => mapped));
}

try {
  await ffmpeg(
    ...['-f', 'lavfi', '-i', 'smptehdbars=s=1920x1080:r=30', '-f', 'lavfi', '-i', 'sine=440:r=48000'],
    ...['-t', '60', '-c:v', 'libx264', '-preset', 'veryfast', '-g', '60', '-sc_threshold', '0', '-bf', '3'],
    ...['-pix_fmt', 'yuv420p', '-c:a', 'aac', '-b:a', '64k', '-ac', '2', 'minute.mp4'],
  );
  const rows: (string | number)[][] = [
    ['exact cut of 80 %', 'before, MB', `at most, MB (demanded: ${DEMAND})`],
  ];
  for (const minutes of MINUTES) {
    const name = `${minutes}.mp4`;
    const looped = ['-stream_loop', `${minutes - 1}`, '-i', 'minute.mp4', '-c', 'copy'];
    await ffmpeg(...looped, '-movflags', '+faststart', name);
    const stack = await startStack(directory);
    try {
      const { pid = 0 } = stack.transcoder.child;
      const idle = await memoryOf(pid);
      const length = minutes * 60;
      const input = {
        ...{ video_url: stack.media(name), start: ((1 - SHARE) / 2) * length + 0.5 },
        duration: SHARE * length,
      };
      const { id } = await stack.service.submit('/cut', input);
      const finishing = stack.service.finished(id, undefined, PATIENCE_SECONDS);
      let [most, done] = [idle, false];
      void finishing.then(
        () => (done = true),
        () => (done = true),
      );
      for (; !done; await sleep(EVERY_MS)) most = Math.max(most, await memoryOf(pid));
      const { status, error } = await finishing;
      if (status !== 'completed') throw new Error(JSON.stringify(error));
      if (most > DEMAND) process.exitCode = 1;
      rows.push([`${minutes} min`, idle, most]);
    } finally {
      await stack.close();
    }
  }
  printTable(rows);
} finally {
  await rm(directory, { recursive: true, force: true });
}
