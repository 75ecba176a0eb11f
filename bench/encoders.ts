import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { probeCapabilities } from '../transcoder/ffmpeg/capabilities.ts';
import { videoArguments } from '../transcoder/ffmpeg/encoders.ts';
import { run } from '../transcoder/ffmpeg/run.ts';
import type { VideoEncoder } from '../transcoder/model/encoding.ts';
import { measured, printTable } from './measure.ts';

/**
 * Cost and quality of each preset at the CRF of `quality: medium`: CPU seconds per second of 1080p30, bitrate, and similarity
 * to the source (SSIM and PSNR of luma). ENCODERS.md has the choices and the reasons.
 */
const FRAMES = 36;
const FPS = 30;

/** Motion with camera noise, and a zoom into fine detail with little grain. */
const contents = {
  noise: 'testsrc2=s=1920x1080:r=30,noise=alls=4:allf=t',
  detail:
    'mandelbrot=s=1920x1080:r=30:start_scale=0.6:end_scale=0.02:maxiter=900,hue=s=0.7,noise=alls=3:allf=t',
};

const candidates: { encoder: VideoEncoder; crf: number; options: string[][] }[] = [
  {
    encoder: 'libx264',
    crf: 23,
    options: ['ultrafast', 'superfast', 'veryfast', 'faster', 'fast', 'medium'].map((name) => [
      '-preset',
      name,
    ]),
  },
  {
    encoder: 'libx265',
    crf: 25,
    options: ['ultrafast', 'superfast', 'veryfast', 'faster', 'fast'].map((name) => ['-preset', name]),
  },
  {
    encoder: 'libvpx-vp9',
    crf: 33,
    options: [
      ['-deadline', 'realtime', '-cpu-used', '8'],
      ['-deadline', 'realtime', '-cpu-used', '7'],
      ['-deadline', 'realtime', '-cpu-used', '6'],
      ['-deadline', 'realtime', '-cpu-used', '5'],
      ['-deadline', 'good', '-cpu-used', '5'],
      ['-deadline', 'good', '-cpu-used', '4'],
    ],
  },
  {
    encoder: 'libsvtav1',
    crf: 36,
    options: ['12', '11', '10', '9', '8', '7'].map((name) => ['-preset', name]),
  },
];

const programs = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' };
const directory = await mkdtemp(join(tmpdir(), 'spool-bench-'));
const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);

/** Mean of luma over all frames, which this filter prints at its end. */
async function likeness(filter: 'ssim' | 'psnr', made: string, source: string): Promise<number> {
  const graph = `[0:v]settb=1/30,setpts=N[a];[1:v]settb=1/30,setpts=N[b];[a][b]${filter}`;
  const inputs = ['-v', 'info', '-nostats', '-i', made, '-i', source, '-lavfi', graph, '-f', 'null', '-'];
  const { stderrTail } = await run(programs, 'ffmpeg', ['-nostdin', ...inputs]);
  return Number(/(?:SSIM Y|PSNR y):([\d.]+)/.exec(stderrTail)?.[1]);
}

try {
  const { encoders } = await probeCapabilities(programs);
  const rows: (string | number)[][] = [
    ['encoder', 'options', 'content', 'CPU s a second', 'speed × a core', 'kbit/s', 'SSIM', 'PSNR dB'],
  ];
  for (const [content, graph] of Object.entries(contents)) {
    const source = join(directory, `${content}.nut`);
    const raw = ['-frames:v', `${FRAMES}`, '-pix_fmt', 'yuv420p', '-c:v', 'rawvideo', source];
    await ffmpeg('-f', 'lavfi', '-i', graph, ...raw);
    for (const { encoder, crf, options } of candidates.filter((one) => encoders.has(one.encoder))) {
      for (const option of options) {
        const made = join(directory, 'made.mkv');
        const base = videoArguments(
          {
            encoder,
            rate: { crf, maxKbps: null },
            pixelFormat: 'yuv420p',
            timeBase: `1/${FPS}`,
            keyframeInterval: 4 * FPS,
            frameSeconds: 1 / FPS,
            reorder: true,
            color: { space: null, transfer: null, primaries: null, range: null },
            mastering: null,
          },
          'mkv',
        );
        // If an option occurs twice, the later one applies.
        const { cpu } = await measured(null, () => ffmpeg('-i', source, ...base, ...option, made));
        const { size } = await stat(made);
        const [ssim, psnr] = [await likeness('ssim', made, source), await likeness('psnr', made, source)];
        const seconds = FRAMES / FPS;
        const kbps = Math.round((size * 8) / seconds / 1000);
        const shown = option.filter((text) => !text.startsWith('-')).join(' ');
        rows.push([
          ...[encoder, shown, content, cpu / seconds, seconds / cpu, `${kbps}`],
          ...[ssim.toFixed(4), psnr.toFixed(1)],
        ]);
      }
    }
    await rm(source);
  }
  printTable(rows);
} finally {
  await rm(directory, { recursive: true, force: true });
}
