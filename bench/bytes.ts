import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { run } from '../transcoder/ffmpeg/run.ts';
import { programs } from './footage.ts';
import { measured, printTable } from './measure.ts';
import type { startMedia } from './operate.ts';

/**
 * Bytes of what is rendered next to copied packets, compared with the source's own for the same frames; SSIM of all frames with the
 * source's. `cut` is 20 s that begin and end inside a GOP, `segments` half of 64 s in a hundred segments, `frame` a single frame.
 * `node bench/bytes.ts <checkout>` also measures another checkout of the project, on the same sources, in the columns `before`.
 */
const SECONDS = 64;
const FPS = 30;
const GOP = 75;
const crfs = [28];
const contents = {
  noise: `testsrc2=s=320x180:r=${FPS},noise=alls=6:allf=t`,
  detail: `mandelbrot=s=320x180:r=${FPS}:start_scale=0.6:end_scale=0.0005:maxiter=300`,
  flat: `testsrc=s=320x180:r=${FPS}`,
};
type Content = keyof typeof contents;
const codecs = {
  h264: ['-c:v', 'libx264', '-preset', 'veryfast', '-g', `${GOP}`],
  hevc: [
    ...['-c:v', 'libx265', '-preset', 'superfast', '-tag:v', 'hvc1'],
    ...['-x265-params', `log-level=error:keyint=${GOP}:open-gop=0`],
  ],
};
type Codec = keyof typeof codecs;

const directory = await mkdtemp(join(tmpdir(), 'spool-bench-'));

async function make(codec: Codec, content: Content, crf: number): Promise<string> {
  const path = join(directory, `${codec}-${content}-${crf}.mp4`);
  const input = ['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', contents[content], '-t', `${SECONDS}`];
  await run(programs, 'ffmpeg', [...input, '-pix_fmt', 'yuv420p', ...codecs[codec], '-crf', `${crf}`, path]);
  return path;
}

interface Sized {
  time: number;
  size: number;
  key: boolean;
}

async function packets(path: string): Promise<Sized[]> {
  const entries = ['-show_entries', 'packet=pts_time,size,flags', '-of', 'csv=p=0', path];
  const { stdout } = await run(programs, 'ffprobe', ['-v', 'error', '-select_streams', 'v', ...entries]);
  return stdout
    .trim()
    .split('\n')
    .map((line) => line.split(','))
    .map(([time, size, flags]) => ({
      ...{ time: Number(time), size: Number(size) },
      key: flags?.startsWith('K') ?? false,
    }));
}

const total = (sized: readonly Sized[]) => sized.reduce((sum, { size }) => sum + size, 0);

/** Half of the source in a hundred segments. */
const segments = Array.from({ length: 100 }, (_, index) => {
  const start = (index * SECONDS) / 100;
  return { start, end: start + SECONDS / 200 };
});
const requests = {
  /** Both edges in the middle of a GOP. */
  cut: { start: 1.2, end: 21.2 },
  segments: { segments },
  frame: { start: 1.2, end: 1.2 + 1 / FPS },
};
type Asked = keyof typeof requests;

const shown = (asked: Asked, { time }: Sized) => {
  const spans = asked === 'segments' ? segments : [requests[asked]];
  return spans.some(({ start, end }) => time > start - 0.5 / FPS && time < end - 0.5 / FPS);
};

/** Mean SSIM of luma between the output and the frames that it shows. */
async function likeness(asked: Asked, made: string, source: string): Promise<number> {
  const spans = asked === 'segments' ? segments : [requests[asked]];
  const chosen = spans
    .map(({ start, end }) => `between(t\\,${start - 0.5 / FPS}\\,${end - 0.51 / FPS})`)
    .join('+');
  const graph = `[0:v]settb=1/30,setpts=N[a];[1:v]select='${chosen}',settb=1/30,setpts=N[b];[a][b]ssim`;
  const inputs = ['-v', 'info', '-nostats', '-i', made, '-i', source, '-lavfi', graph, '-f', 'null', '-'];
  const { stderrTail } = await run(programs, 'ffmpeg', ['-nostdin', ...inputs]);
  return Number(/SSIM Y:([\d.]+)/.exec(stderrTail)?.[1]);
}

type Operate = typeof import('../scripts/lib/operate-on-files.ts').operateOnFiles;
type Start = typeof startMedia;

async function checkout(path: string): Promise<{ operate: Operate; media: Awaited<ReturnType<Start>> }> {
  const load = (file: string) => import(pathToFileURL(resolve(path, file)).href);
  const { operateOnFiles } = await load('scripts/lib/operate-on-files.ts');
  const { startMedia: start } = await load('bench/operate.ts');
  return { operate: operateOnFiles, media: await (start as Start)() };
}

const before = process.argv[2];
const versions = [
  ...(before ? [{ name: 'before', ...(await checkout(before)) }] : []),
  { name: 'now', ...(await checkout(resolve(import.meta.dirname, '..'))) },
];

try {
  const columns = versions.flatMap(({ name }) => [
    `${name}: × the source’s bytes`,
    'extra, × a keyframe',
    'SSIM',
    'CPU s',
  ]);
  const rows: (string | number)[][] = [['codec', 'content', 'CRF', 'asked', ...columns]];
  for (const codec of ['h264', 'hevc'] as const) {
    for (const content of ['noise', 'detail', 'flat'] as const) {
      for (const crf of crfs) {
        const source = await make(codec, content, crf);
        const all = await packets(source);
        const key = all.filter((packet) => packet.key)[1]?.size ?? 1;
        for (const asked of ['cut', 'segments', 'frame'] as const) {
          const own = total(all.filter((packet) => shown(asked, packet)));
          const cells: (string | number)[] = [];
          for (const { operate, media } of versions) {
            const request = { video_url: 'https://media.example.com/a.mp4', ...requests[asked] };
            const done = await measured(media.libav, () =>
              operate(media, 'cut', [source], request, directory),
            );
            const because = done.value.plan.rendered_because;
            if (because) throw new Error(`everything was rendered: ${because}`);
            const path = join(directory, done.value.plan.files[0]?.file ?? '');
            const made = total(await packets(path));
            const ssim = await likeness(asked, path, source);
            cells.push((made / own).toFixed(2), ((made - own) / key).toFixed(2), ssim.toFixed(4), done.cpu);
            await rm(path);
          }
          rows.push([codec, content, `${crf}`, asked, ...cells]);
        }
        await rm(source);
      }
    }
  }
  printTable(rows);
} finally {
  for (const { media } of versions) media.libav.close();
  await rm(directory, { recursive: true, force: true });
}
