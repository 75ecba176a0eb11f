import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operateOnFiles } from '../scripts/lib/operate-on-files.ts';
import { run } from '../transcoder/ffmpeg/run.ts';
import { programs } from './footage.ts';
import { measured, printTable } from './measure.ts';
import { startMedia } from './operate.ts';

/**
 * Seconds and CPU seconds of a remux with its proof, compared with `ffmpeg -c copy -map 0` of the same file in the same run.
 * Requirement: at most four times its CPU, for the result is read once more, and so is the source.
 */
const DEMAND = 4;
/** Seconds of generated source, and how often they are repeated. */
const [PATTERN, TIMES] = [20, 30];

const directory = await mkdtemp(join(tmpdir(), 'spool-bench-'));
const media = await startMedia();
const source = join(directory, 'source.mp4');
const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);

async function makeSource(): Promise<void> {
  const pattern = join(directory, 'pattern.mp4');
  await ffmpeg(
    ...['-f', 'lavfi', '-i', 'testsrc2=s=1280x720:r=30', '-f', 'lavfi', '-i', 'sine=440:r=48000'],
    ...['-t', `${PATTERN}`, '-vf', 'noise=alls=12:allf=t', '-pix_fmt', 'yuv420p', '-c:v', 'libx264'],
    ...['-preset', 'veryfast', '-b:v', '5M', '-c:a', 'aac', pattern],
  );
  await ffmpeg('-stream_loop', `${TIMES - 1}`, '-i', pattern, '-c', 'copy', source);
}

let failed = false;
try {
  await makeSource();
  const rows: (string | number)[][] = [
    ['to', '`/remux`, CPU s', 'wall s', '`ffmpeg -c copy`, CPU s', 'wall s', 'CPU ratio'],
  ];
  for (const format of ['mp4', 'mkv']) {
    const request = { video_url: 'https://media.example.com/a.mp4', strip: 'private', format };
    const own = await measured(media.libav, () =>
      operateOnFiles(media, 'remux', [source], request, directory),
    );
    const target = join(directory, `plain.${format}`);
    const flags = format === 'mp4' ? ['-movflags', '+faststart'] : [];
    const plain = await measured(null, () =>
      ffmpeg('-i', source, '-map', '0', '-c', 'copy', ...flags, target),
    );
    const ratio = own.cpu / plain.cpu;
    if (ratio > DEMAND) failed = true;
    rows.push([format, own.cpu, own.wall, plain.cpu, plain.wall, ratio]);
  }
  console.log(`${(PATTERN * TIMES) / 60} minutes of 720p at 5 Mbit/s.\n`);
  printTable(rows);
} finally {
  media.libav.close();
  await rm(directory, { recursive: true, force: true });
}
if (failed) process.exitCode = 1;
