import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../transcoder/ffmpeg/run.ts';
import { measured, printTable, randomFrom } from './measure.ts';
import { spliced, startMedia } from './operate.ts';

/**
 * CPU seconds (user and system, all processes) of exact cuts, compared with `libx264 -preset veryfast` on the same source in
 * the same run; the latter is measured on the middle of each range and extrapolated to all of it. Requirement: 50 times less
 * with GOPs of 2 s, 20 times less with GOPs of 8.3 s, 40 times less with open GOPs of 2 s or interlaced frames, 20 times less in a
 * transport stream, which has to be remuxed as a whole.
 */
const CUTS = Number(process.argv[2] ?? 6);
/** Seconds of each range rendered for comparison. */
const SAMPLE = 10;
/** Seconds of generated source (three of the longest GOPs), and how often they are repeated. */
const [PATTERN, TIMES] = [25, 20];
const structures = [
  { name: 'GOP 2 s', gop: 60, kind: 'closed', container: 'mp4', demand: 50 },
  { name: 'GOP 8.3 s', gop: 250, kind: 'closed', container: 'mp4', demand: 20 },
  { name: 'open GOP 2 s', gop: 60, kind: 'open', container: 'mp4', demand: 40 },
  { name: 'interlaced, GOP 2 s', gop: 60, kind: 'interlaced', container: 'mp4', demand: 40 },
  { name: 'MPEG-TS, open GOP 2 s', gop: 60, kind: 'open', container: 'ts', demand: 20 },
];

const programs = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' };
const directory = await mkdtemp(join(tmpdir(), 'spool-bench-'));
const media = await startMedia();
const { libav } = media;

async function makeSource({ gop, kind, container }: (typeof structures)[number]): Promise<string> {
  const path = join(directory, `gop-${gop}-${kind}.${container}`);
  const pattern = join(directory, `pattern-${gop}-${kind}.mp4`);
  const interlaced = kind === 'interlaced';
  const woven = interlaced ? ',tinterlace=interleave_top,setfield=tff' : '';
  const params = [`open-gop=${kind === 'open' ? 1 : 0}`, ...(interlaced ? ['tff=1'] : [])].join(':');
  await run(programs, 'ffmpeg', [
    ...[
      '-v',
      'error',
      '-nostdin',
      '-y',
      '-f',
      'lavfi',
      '-i',
      `testsrc2=s=1920x1080:r=${interlaced ? 60 : 30}`,
    ],
    ...['-f', 'lavfi', '-i', 'sine=440:r=48000', '-t', `${PATTERN}`],
    ...['-vf', `noise=alls=12:allf=t${woven}`, '-pix_fmt', 'yuv420p'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-b:v', '5M', '-maxrate', '8M', '-bufsize', '10M'],
    ...['-g', `${gop}`, '-keyint_min', `${gop}`, '-sc_threshold', '0', '-bf', '3'],
    ...['-x264-params', params, ...(interlaced ? ['-flags', '+ildct+ilme'] : [])],
    ...['-c:a', 'aac', pattern],
  ]);
  const loops = ['-stream_loop', `${TIMES - 1}`, '-i', pattern, '-c', 'copy', path];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...loops]);
  return path;
}

async function smart(path: string, span: { start: number; end: number }): Promise<string> {
  const request = { video_url: 'https://media.example.com/a.mp4', ...span };
  const { data } = await spliced(media, 'cut', [path], request, directory);
  return `${(data.rendered_seconds as number).toFixed(2)} s`;
}

async function full(path: string, { start, end }: { start: number; end: number }): Promise<void> {
  const from = (start + end - SAMPLE) / 2;
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-ss', `${from}`, '-i', path, '-t', `${SAMPLE}`],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-c:a', 'aac', join(directory, 'full.mp4')],
  ]);
}

let failed = false;
try {
  for (const structure of structures) {
    const { name, gop, demand } = structure;
    const path = await makeSource(structure);
    const random = randomFrom(gop);
    const total = { smart: 0, full: 0 };
    const rows: (string | number)[][] = [
      [name, 'rendered', 'smart CPU s', 'wall s', 'full CPU s', 'wall s', 'ratio'],
    ];
    for (let count = 0; count < CUTS; count++) {
      const start = Math.round(random() * 200_000) / 1000;
      const span = { start, end: Math.round((start + 90 + random() * 110) * 1000) / 1000 };
      const ours = await measured(libav, () => smart(path, span));
      const theirs = await measured(libav, () => full(path, span));
      const times = (span.end - span.start) / SAMPLE;
      const all = { cpu: theirs.cpu * times, wall: theirs.wall * times };
      total.smart += ours.cpu;
      total.full += all.cpu;
      const figures = [ours.cpu, ours.wall, all.cpu, all.wall, all.cpu / ours.cpu];
      rows.push([`${span.start} – ${span.end} s`, ours.value, ...figures]);
    }
    const ratio = total.full / total.smart;
    failed ||= ratio < demand;
    rows.push([`together (demanded: ${demand})`, '', total.smart, '', total.full, '', ratio]);
    printTable(rows);
    console.log();
  }
} finally {
  libav.close();
  await rm(directory, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
