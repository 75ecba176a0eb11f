import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OperationName } from '../schema/operations/index.ts';
import { startRangeOrigin } from '../test/transcoder/sources/range-origin.ts';
import { stumbles } from '../test/transcoder/sources/stumbles.ts';
import { makeJob } from '../test/transcoder/transcoder-process.ts';
import { probeCapabilities } from '../transcoder/ffmpeg/capabilities.ts';
import { findSandbox } from '../transcoder/ffmpeg/find-sandbox.ts';
import { run } from '../transcoder/ffmpeg/run.ts';
import { jsonLog } from '../transcoder/log.ts';
import { resolver } from '../transcoder/source/resolve-host.ts';
import type { ObjectStore } from '../transcoder/source/s3.ts';
import { Disk } from '../transcoder/task/disk.ts';
import { parseJob } from '../transcoder/task/job.ts';
import { runTask, type TaskContext } from '../transcoder/task/run-task.ts';
import { Workspaces } from '../transcoder/task/workspaces.ts';
import { programs } from './footage.ts';
import { printTable, randomFrom } from './measure.ts';

/**
 * The share of tasks that complete if the origin of their source fails some of its requests, with the same seed in every run.
 * All kinds of failure are equally frequent. Requirement: all at 1 %, 99 % at 5 %, 90 % at 20 %.
 */
const TASKS = Number(process.argv[2] ?? 200);
const AT_ONCE = 8;
const demands: [share: number, demanded: number][] = [
  [0, 1],
  [0.01, 1],
  [0.05, 0.99],
  [0.2, 0.9],
];
const kinds = [
  'status 503',
  'reset before the answer',
  'reset in the body',
  'short body',
  'stall in the body',
];

const directory = await mkdtemp(join(tmpdir(), 'spool-bench-'));
const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);

async function sources() {
  const path = (name: string) => join(directory, name);
  await ffmpeg(
    ...['-f', 'lavfi', '-i', 'testsrc2=s=320x180:r=30,noise=alls=30:allf=t', '-f', 'lavfi', '-i', 'sine=440'],
    ...[
      '-t',
      '30',
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-pix_fmt',
      'yuv420p',
      '-g',
      '60',
      '-c:a',
      'aac',
    ],
    path('a.mp4'),
  );
  await ffmpeg('-i', path('a.mp4'), '-t', '2', '-c', 'copy', path('short.mp4'));
  await ffmpeg('-i', path('a.mp4'), '-frames:v', '1', path('a.png'));
  return Promise.all(['a.mp4', 'short.mp4', 'a.png'].map((name) => readFile(path(name))));
}

const [film = Buffer.alloc(0), short = Buffer.alloc(0), picture = Buffer.alloc(0)] = await sources();
const captions = Buffer.from(`WEBVTT\n\n${'00:00.000 --> 00:01.000\nhello\n\n'.repeat(8000)}`);

/** Replaces the object store, which is not part of this measurement. */
const store: ObjectStore = {
  put: async ({ path }) => ({ file_size: (await stat(path)).size, sha256: '0'.repeat(64) }),
  origin: () => {
    throw new Error('no source is an output');
  },
  remove: async () => {},
  warm: async () => {},
};
const quiet = jsonLog({}, () => {});
const sandbox = await findSandbox(programs, 'auto', quiet);
const confined = { ...programs, sandbox };
const workspaces = await Workspaces.open({ workDir: directory, sandbox, slots: AT_ONCE, log: quiet });
const media = { programs: confined, capabilities: await probeCapabilities(confined), engines: null };

async function round(share: number) {
  const random = randomFrom(2026);
  let stumbled = 0;
  const origin = (body: Buffer, ranges: boolean) =>
    startRangeOrigin(body, {
      ranges,
      etag: () => '"one"',
      instead: (exchange) => {
        if (random() >= share) return false;
        stumbled += 1;
        exchange.response.setHeader('etag', '"one"');
        const kind = kinds[Math.floor(random() * kinds.length)] ?? '';
        stumbles[kind]?.(exchange, ranges);
        return true;
      },
    });
  const origins = await Promise.all([
    origin(film, true),
    origin(film, false),
    origin(short, false),
    origin(picture, true),
    origin(captions, true),
  ]);
  const [ranged, whole, clip, still, text] = origins.map(({ url }) => `${url}/a`);
  const works: [OperationName, Record<string, unknown>][] = [
    ['cut', { video_url: ranged, start: 12.3, duration: 4 }],
    ['frame', { video_url: ranged, timestamps: [3, 21] }],
    ['frame_last', { video_url: ranged }],
    ['probe', { url: whole }],
    ['crop', { video_url: clip, x: 0, y: 0, width: 160, height: 90 }],
    ['merge_urls', { urls: [clip, ranged] }],
    ['captions_auto', { video_url: clip, captions_url: text, burn: false }],
    ['photo_animate', { photo_url: still, duration: 1, width: 160, height: 90 }],
  ];
  const ctx: TaskContext = {
    workspaces,
    reach: {
      devOrigins: new Set(origins.map(({ url }) => url)),
      ownHosts: new Set(),
      resolve: resolver(),
    },
    openSealed: async () => '',
    media,
    store,
    disk: new Disk(),
    log: quiet,
  };
  const failures = new Map<string, number>();
  let [next, well] = [0, 0];
  const began = performance.now();
  const worker = async () => {
    while (next < TASKS) {
      const [operation, input] = works[next++ % works.length] ?? works[0] ?? [];
      if (!operation || !input) return;
      const job = parseJob(makeJob(operation, input, 'http://127.0.0.1:1/'));
      if (!job.ok) throw new Error(`${operation}: ${job.detail}`);
      const signal = AbortSignal.timeout(300_000);
      const outcome = await runTask(ctx, job.task, signal, { progress: () => {}, sourcesLast: () => {} });
      if (outcome.type === 'completed') well += 1;
      else {
        const why = outcome.type === 'failed' ? `${operation}: ${outcome.failure.code}` : outcome.type;
        failures.set(why, (failures.get(why) ?? 0) + 1);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  const seconds = (performance.now() - began) / 1000;
  const requests = origins.reduce((sum, { asked }) => sum + asked.length, 0);
  await Promise.all(origins.map((one) => one.close()));
  return { well, requests, stumbled, seconds, failures };
}

try {
  const rows: (string | number)[][] = [
    [
      'requests that fail',
      'requests',
      'of them failed',
      'tasks',
      'ended well',
      'share',
      'how others ended',
      's',
    ],
  ];
  for (const [share, demanded] of demands) {
    const { well, requests, stumbled, seconds, failures } = await round(share);
    rows.push([
      ...[`${share * 100} %`, `${requests}`, `${stumbled}`, `${TASKS}`, `${well}`],
      `${((100 * well) / TASKS).toFixed(1)} %`,
      [...failures].map(([why, times]) => `${times} × ${why}`).join(', '),
      Math.round(seconds).toString(),
    ]);
    if (well < demanded * TASKS) process.exitCode = 1;
  }
  printTable(rows);
} finally {
  await workspaces.close();
  await rm(directory, { recursive: true, force: true });
}
