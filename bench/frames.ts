import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operations } from '../schema/operations/index.ts';
import { run } from '../transcoder/ffmpeg/run.ts';
import { analyzeAndPlan } from '../transcoder/media/execute/analyze-and-plan.ts';
import { completeSource } from '../transcoder/media/execute/complete-source.ts';
import { render } from '../transcoder/media/execute/execute-plan.ts';
import type { MediaContext } from '../transcoder/media/execute/media-context.ts';
import { probeMedia } from '../transcoder/media/probe/probe-media.ts';
import { verify } from '../transcoder/media/verify/verify.ts';
import { plannerOf } from '../transcoder/operations/index.ts';
import { generousLimits, type Measured, measured, median, printTable } from './measure.ts';
import { startMedia } from './operate.ts';

/**
 * Probes and pictures of 1080p with GOPs of 2 s, by warm libav, by the programs, and by the closest single command: ffprobe
 * for the streams, `ffmpeg -sseof -2` for the last frame. Requirement: a probe within 20 ms at p50, and less CPU for the last
 * frame than that command.
 */
const ROUNDS = Number(process.argv[2] ?? 9);
const PROBE_MS = 20;
const programs = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' };
const directory = await mkdtemp(join(tmpdir(), 'spool-bench-'));
const media = await startMedia();
const { libav } = media;
const path = join(directory, 'source.mp4');
const source = await completeSource({ path: await make(), format: 'mov' });

async function make(): Promise<string> {
  const noise = 'testsrc2=s=1920x1080:r=30,noise=alls=12:allf=t';
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', noise, '-f', 'lavfi', '-i', 'sine=440:r=48000'],
    ...['-t', '10', '-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'veryfast', '-b:v', '5M'],
    ...['-maxrate', '8M', '-bufsize', '10M', '-g', '60', '-sc_threshold', '0', '-bf', '3'],
    ...['-c:a', 'aac', path],
  ]);
  return path;
}

async function pictures(
  ctx: MediaContext,
  name: 'frame' | 'frame_last',
  request: Record<string, unknown>,
): Promise<void> {
  const url = 'https://media.example.com/a.mp4';
  const input: Record<string, unknown> = operations[name].input.parse({ video_url: url, ...request });
  const probed = [{ ...source, probe: await probeMedia(ctx, source) }];
  const made = await mkdtemp(join(directory, 'made-'));
  const conditions = { limits: generousLimits(), directory: made };
  const plan = await analyzeAndPlan(ctx, plannerOf(name), input, probed, conditions);
  await verify(ctx, await render(ctx, plan, { directory: made, sources: probed }));
}

const bare = (program: 'ffmpeg' | 'ffprobe', args: string[]) =>
  run(programs, program, ['-v', 'error', ...args]);
const still = ['-frames:v', '1', '-q:v', '2', '-y', join(directory, 'bare.jpg')];
const none = { ...media, libav: null };
const works: [string, (ctx: MediaContext) => Promise<unknown>, () => Promise<unknown>][] = [
  ['probe', (ctx) => probeMedia(ctx, source), () => bare('ffprobe', ['-show_format', '-show_streams', path])],
  [
    'last frame, jpeg',
    (ctx) => pictures(ctx, 'frame_last', {}),
    () =>
      bare('ffmpeg', [
        '-sseof',
        '-2',
        '-i',
        path,
        '-update',
        '1',
        '-q:v',
        '2',
        '-y',
        join(directory, 'last.jpg'),
      ]),
  ],
  [
    'last frame, webp',
    (ctx) => pictures(ctx, 'frame_last', { format: 'webp' }),
    () => bare('ffmpeg', ['-sseof', '-2', '-i', path, '-update', '1', '-y', join(directory, 'last.webp')]),
  ],
  [
    'one frame at 5.5 s, jpeg',
    (ctx) => pictures(ctx, 'frame', { timestamps: [5.5] }),
    () => bare('ffmpeg', ['-ss', '5.5', '-i', path, ...still]),
  ],
  [
    '20 frames, 320 px, jpeg',
    (ctx) => pictures(ctx, 'frame', { count: 20, width: 320 }),
    () =>
      bare('ffmpeg', [
        '-i',
        path,
        '-vf',
        'fps=20/10,scale=320:-1',
        '-q:v',
        '2',
        join(directory, 'bare-%d.jpg'),
        '-y',
      ]),
  ],
];

let failed = false;
try {
  const rows: (string | number)[][] = [
    [
      '1080p30, GOP 2 s',
      'engine ms',
      'programs ms',
      'bare ms',
      'engine CPU ms',
      'programs CPU ms',
      'bare CPU ms',
      'bare / libav CPU',
    ],
  ];
  for (const [name, ours, theirs] of works) {
    await ours(media);
    const rounds: [Measured<unknown>, Measured<unknown>, Measured<unknown>][] = [];
    for (let round = 0; round < ROUNDS; round++) {
      rounds.push([
        await measured(libav, () => ours(media)),
        await measured(libav, () => ours(none)),
        await measured(libav, theirs),
      ]);
    }
    const wall = ([0, 1, 2] as const).map((way) => 1000 * median(rounds.map((round) => round[way].wall)));
    // A kernel tick is longer than a probe, so the sum of all rounds is more precise than a median.
    const cpu = ([0, 1, 2] as const).map(
      (way) => (1000 * rounds.reduce((sum, round) => sum + round[way].cpu, 0)) / ROUNDS,
    );
    const ratio = (cpu[2] ?? 0) / (cpu[0] ?? 1);
    rows.push([name, ...[...wall, ...cpu].map((ms) => ms.toFixed(1)), ratio]);
    if (name === 'probe') failed ||= (wall[0] ?? 0) > PROBE_MS;
    if (name === 'last frame, jpeg') failed ||= ratio < 1;
  }
  printTable(rows);
} finally {
  libav.close();
  await rm(directory, { recursive: true, force: true });
}
process.exitCode = failed ? 1 : 0;
