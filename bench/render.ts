import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperationName } from '../schema/operations/index.ts';
import { operateOnFiles } from '../scripts/lib/operate-on-files.ts';
import { run } from '../transcoder/ffmpeg/run.ts';
import { type Measured, measured, median, printTable } from './measure.ts';
import { startMedia } from './operate.ts';

/**
 * CPU seconds of full renders, including probe and verification, compared with the obvious command with the same encoder and
 * quality, in alternating rounds. Requirement: at most 1.1 times as much.
 */
const ROUNDS = 3;
const DEMAND = 1.1;
const url = 'https://media.example.com/source';
const h264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '23', '-c:a', 'copy'];
const works: { operation: OperationName; request: Record<string, unknown>; bare: string[] }[] = [
  {
    operation: 'crop',
    request: { video_url: url, aspect_ratio: '9:16', quality: { crf: 23 } },
    bare: ['-vf', 'crop=608:1080', ...h264],
  },
  {
    operation: 'transcode',
    request: { video_url: url, height: 720, quality: { crf: 23 } },
    bare: ['-vf', 'scale=-2:720', ...h264],
  },
];

const programs = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' };
const directory = await mkdtemp(join(tmpdir(), 'spool-bench-'));
const media = await startMedia();
const { libav } = media;
const path = join(directory, 'source.mp4');
const ffmpeg = (args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);

const ours = (operation: OperationName, request: Record<string, unknown>) =>
  operateOnFiles(media, operation, [path], request, directory);

try {
  await ffmpeg([
    ...[
      '-f',
      'lavfi',
      '-i',
      'testsrc2=s=1920x1080:r=30',
      '-f',
      'lavfi',
      '-i',
      'sine=440:r=48000',
      '-t',
      '20',
    ],
    ...['-vf', 'noise=alls=12:allf=t', '-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'veryfast'],
    ...['-b:v', '6M', '-c:a', 'aac', path],
  ]);
  const rows: (string | number)[][] = [
    ['20 s of 1080p30', 'ours, CPU s', 'wall s', 'ffmpeg, CPU s', 'wall s', `ratio (demanded: ${DEMAND})`],
  ];
  for (const { operation, request, bare } of works) {
    const rounds: { mine: Measured<unknown>; theirs: Measured<unknown>; ratio: number }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const mine = await measured(libav, () => ours(operation, request));
      const theirs = await measured(libav, () => ffmpeg(['-i', path, ...bare, join(directory, 'bare.mp4')]));
      rounds.push({ mine, theirs, ratio: mine.cpu / theirs.cpu });
    }
    const of = (pick: (round: (typeof rounds)[number]) => number) => median(rounds.map(pick));
    const ratio = of((round) => round.ratio);
    if (ratio > DEMAND) process.exitCode = 1;
    rows.push([
      `/${operation}`,
      ...[of(({ mine }) => mine.cpu), of(({ mine }) => mine.wall)],
      ...[of(({ theirs }) => theirs.cpu), of(({ theirs }) => theirs.wall), ratio],
    ]);
  }
  printTable(rows);
} finally {
  libav.close();
  await rm(directory, { recursive: true, force: true });
}
