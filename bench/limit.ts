import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { OperationName } from '../schema/operations/index.ts';
import { bundleText } from '../scripts/lib/bundle-text.ts';
import { root } from '../scripts/lib/paths.mjs';
import { run } from '../transcoder/ffmpeg/run.ts';
import { minute, programs } from './footage.ts';
import { type Bars, limitPicture } from './limit-picture.ts';
import { measured, printTable } from './measure.ts';
import type { Figures } from './one-task.ts';

/**
 * How far an exact cut is from its limit, which is to copy the same packets (`ffmpeg -c copy` of the same span, not exact), and from
 * a full encode (`libx264 -preset veryfast`, measured on ten seconds and extrapolated): by length, by segments, and by cores. Every
 * figure is of a process of its own, and memory is the sum of the peaks of its processes. The sources are synthetic (`footage.ts`).
 */
const MINUTES = [1, 10, 60, 120];
const SEGMENTS = [1, 10, 100];
/** Share of a source that is cut out. */
const SHARE = 0.8;
const SAMPLE = 10;

/** As the transcoder is started, one-task.ts is bundled: types that are stripped at start take 20 MB. */
const bundle = bundled();

async function bundled(): Promise<string> {
  const directory = join(root, '.spool', 'bench');
  const { text } = await bundleText('bench/one-task.ts', directory);
  await mkdir(directory, { recursive: true });
  const file = join(directory, 'one-task.mjs');
  await writeFile(file, text);
  return file;
}

/** A task in a process of its own. @param cores Those that it may use; null for all. */
async function apart(
  operation: OperationName,
  path: string,
  request: object,
  cores: number | null = null,
): Promise<Figures> {
  const full = JSON.stringify({ video_url: 'https://media.example.com/a.mp4', ...request });
  const bound = cores === null ? [] : ['taskset', '-c', `0-${cores - 1}`];
  const node = [process.execPath, '--max-semi-space-size=2', await bundle];
  const [command = '', ...args] = [...bound, ...node, operation, path, full];
  const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 1e8 });
  return JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as Figures;
}

const quiet = ['-v', 'error', '-nostdin', '-y'];
const ffmpeg = (...args: string[]) =>
  measured(null, () => run(programs, 'ffmpeg', [...quiet, ...args])).then(({ cpu, wall }) => ({ cpu, wall }));

async function bench(): Promise<void> {
  const directory = await mkdtemp(join(tmpdir(), 'spool-bench-'));
  const out = join(directory, 'out.mp4');
  const repeated = async (minutes: number, gop = 60) => {
    const path = join(directory, `${gop}-${minutes}.mp4`);
    await ffmpeg('-stream_loop', `${minutes - 1}`, '-i', await minute(gop), '-c', 'copy', path);
    return path;
  };
  const copy = (path: string, from: number, seconds: number) =>
    ffmpeg(
      ...['-ss', `${from}`, '-i', path, '-t', `${seconds}`, '-c', 'copy'],
      ...['-movflags', '+faststart', out],
    );
  const encode = ['-c:v', 'libx264', '-preset', 'veryfast', '-c:a', 'aac', out];
  try {
    const full = await ffmpeg('-ss', '11.3', '-i', await minute(60), '-t', `${SAMPLE}`, ...encode);
    const rows: (string | number)[][] = [
      ['GOP 2 s, exact cut of 80 %', 'ours, CPU s', 'wall s', 'memory, MB', 'CPU s a minute copied'],
    ];
    rows[0]?.push('-c copy, CPU s', 'ours / -c copy', 'full encode / ours');
    const bars: Bars[] = [];
    for (const minutes of MINUTES) {
      const path = await repeated(minutes);
      const span = { start: minutes * 6 + 0.37, end: minutes * 6 + 0.37 + minutes * 60 * SHARE };
      const ours = await apart('cut', path, span);
      const limit = await copy(path, span.start, minutes * 60 * SHARE);
      const encoded = (full.cpu / SAMPLE) * minutes * 60 * SHARE;
      bars.push({ label: `${minutes} min`, ours: ours.cpu, copy: limit.cpu, encode: encoded });
      rows.push([
        ...[`${minutes} min`, ours.cpu, ours.wall, (ours.peak / 1e6).toFixed(0)],
        ...[(ours.cpu * 60) / ours.copied, limit.cpu, ours.cpu / limit.cpu],
        encoded / ours.cpu,
      ]);
      if (minutes > 10) await rm(path);
    }
    printTable(rows);
    const picture = limitPicture('CPU seconds to cut 80 % out of a 1080p mp4, by its length', bars);
    await writeFile(new URL('../web/assets/static/limit.svg', import.meta.url), picture);

    console.log();
    const half: (string | number)[][] = [
      ['half of 10 min', 'ours, CPU s', 'wall s', 'memory, MB', 'copied, s', 'full encode / ours'],
    ];
    const source = join(directory, '60-10.mp4');
    for (const count of SEGMENTS) {
      const each = 600 / count;
      const segments = Array.from({ length: count }, (_, index) => ({
        start: Number((index * each + 0.17).toFixed(3)),
        end: Number((index * each + 0.17 + each / 2).toFixed(3)),
      }));
      const ours = await apart('cut', source, { segments });
      half.push([
        ...[`${count} segments`, ours.cpu, ours.wall, (ours.peak / 1e6).toFixed(0), ours.copied],
        ((full.cpu / SAMPLE) * 300) / ours.cpu,
      ]);
    }
    printTable(half);

    console.log();
    const spread: (string | number)[][] = [
      ['100 segments of half of 10 min, GOP 8.3 s', 'CPU s', 'wall s', 'times as fast'],
    ];
    const segments = Array.from({ length: 100 }, (_, index) => ({
      start: index * 6 + 0.17,
      end: index * 6 + 3.17,
    }));
    const distant = await repeated(10, 250);
    let alone = 0;
    for (let cores = 1; cores <= Math.min(4, availableParallelism()); cores *= 2) {
      const { cpu, wall } = await apart('cut', distant, { segments }, cores);
      if (cores === 1) alone = wall;
      spread.push([`${cores} core${cores === 1 ? '' : 's'}`, cpu, wall, alone / wall]);
    }
    printTable(spread);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

await bench();
