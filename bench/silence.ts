import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TimeMap } from '../schema/task/task.ts';
import { run } from '../transcoder/ffmpeg/run.ts';
import { type Burst, programs, speech } from './footage.ts';
import { measured, printTable, randomFrom } from './measure.ts';
import { spliced, startMedia } from './operate.ts';

/**
 * CPU seconds (user and system, all processes) of removing 107 silences from ten minutes, including detection, compared with
 * ffmpeg joining the same spans with `libx264 -preset veryfast` without detection in the same run. ffmpeg gets every fourth
 * span, and its figures are extrapolated by the seconds kept. Requirement: 5 times less with GOPs of 2 s, 1.8 times less with
 * GOPs of 8.3 s.
 */
const SILENCES = 107;
const SECONDS = 600;
const SAMPLE = 4;
const structures = [
  { gop: 60, demand: 5 },
  { gop: 250, demand: 1.8 },
];

/** Speech with pauses of 0.9 to 1.8 s, at times unrelated to the GOPs. */
function bursts(): Burst[] {
  const random = randomFrom(7);
  const parts = Array.from({ length: SILENCES + 1 }, () => ({
    heard: 2 + 5 * random(),
    pause: 0.9 + 0.9 * random(),
  }));
  const pauses = parts.slice(1).reduce((sum, { pause }) => sum + pause, 0);
  const scale = (SECONDS - pauses) / parts.reduce((sum, { heard }) => sum + heard, 0);
  let at = 0;
  return parts.map(({ heard, pause }) => {
    const start = at;
    at += heard * scale + pause;
    return { start, end: start + heard * scale };
  });
}

const directory = await mkdtemp(join(tmpdir(), 'spool-bench-'));
const media = await startMedia();

/** The fastest way with ffmpeg alone that gives the exact frames: seek to each span and drop the frames before it. */
async function plain(path: string, map: TimeMap): Promise<void> {
  const list = map.map((span) => `file '${path}'\ninpoint ${span.in[0]}\noutpoint ${span.in[1]}`);
  const file = join(directory, 'spans.ffconcat');
  await writeFile(file, ['ffconcat version 1.0', ...list].join('\n'));
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-safe', '0', '-segment_time_metadata', '1', '-i', file],
    ...['-vf', 'select=concatdec_select,setpts=N/30/TB', '-af', 'aselect=concatdec_select,asetpts=N/SR/TB'],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-c:a', 'aac', join(directory, 'plain.mp4')],
  ]);
}

const secondsOf = (map: TimeMap) => map.reduce((sum, span) => sum + span.in[1] - span.in[0], 0);

try {
  const rows: (string | number)[][] = [
    ['10 min', 'spans', 'rendered', 'ours, CPU s', 'wall s', 'ffmpeg, CPU s', 'wall s', 'ratio', 'demanded'],
  ];
  for (const { gop, demand } of structures) {
    const path = await speech(gop, bursts());
    const request = { video_url: 'https://media.example.com/talk.mp4' };
    const ours = await measured(media.libav, () =>
      spliced(media, 'silence_process', [path], request, directory),
    );
    const { data, duration, time_map } = ours.value;
    const sample = time_map.filter((_, index) => index % SAMPLE === 0);
    const share = secondsOf(time_map) / secondsOf(sample);
    const theirs = await measured(media.libav, () => plain(path, sample));
    const ratio = (theirs.cpu * share) / ours.cpu;
    if (ratio < demand) process.exitCode = 1;
    const rendered = `${(data.rendered_seconds as number).toFixed(1)} of ${duration?.toFixed(1)} s`;
    const figures = [ours.cpu, ours.wall, theirs.cpu * share, theirs.wall * share, ratio, demand];
    rows.push([`GOP ${(gop / 30).toFixed(1)} s`, `${time_map.length}`, rendered, ...figures]);
  }
  printTable(rows);
} finally {
  media.libav.close();
  await rm(directory, { recursive: true, force: true });
}
