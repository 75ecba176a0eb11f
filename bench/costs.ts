import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { encodeCost, filterCost, readCost } from '../schema/api/render-cost.ts';
import { probeCapabilities } from '../transcoder/ffmpeg/capabilities.ts';
import { videoArguments } from '../transcoder/ffmpeg/encoders.ts';
import { run } from '../transcoder/ffmpeg/run.ts';
import { encoderOf, type VideoEncoder } from '../transcoder/model/encoding.ts';
import { programs } from './footage.ts';
import { measured, printTable } from './measure.ts';

/**
 * CPU seconds per million pixels of one frame on one core, from which the limits of plans are derived: decoding and encoding in
 * each codec with the presets and CRF of `quality: medium`, and scaling, at 1080p with camera noise. Requirement: no more than
 * in schema/api/render-cost.ts.
 */
const FRAMES = 36;
const MEGAPIXELS = (1920 * 1080 * FRAMES) / 1e6;
const crfs = { h264: 23, hevc: 25, vp9: 33, av1: 36 };
const directory = await mkdtemp(join(tmpdir(), 'spool-bench-'));
const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);

async function costOf(...args: string[]): Promise<number> {
  return (await measured(null, () => ffmpeg(...args))).cpu / MEGAPIXELS;
}

try {
  const { encoders } = await probeCapabilities(programs);
  const raw = join(directory, 'raw.nut');
  const noise = 'testsrc2=s=1920x1080:r=30,noise=alls=4:allf=t';
  await ffmpeg(
    '-f',
    'lavfi',
    '-i',
    noise,
    '-frames:v',
    `${FRAMES}`,
    '-pix_fmt',
    'yuv420p',
    '-c:v',
    'rawvideo',
    raw,
  );
  const rows: (string | number)[][] = [['work', 'core s a megapixel', 'assumed']];
  const row = (name: string, cost: number, assumed: number) => {
    rows.push([name, cost.toFixed(4), assumed.toFixed(4)]);
    if (cost > assumed) process.exitCode = 1;
  };
  for (const codec of Object.keys(crfs) as (keyof typeof crfs)[]) {
    const encoder = encoderOf[codec].find((one: VideoEncoder) => encoders.has(one));
    if (!encoder) continue;
    const made = join(directory, `${codec}.mkv`);
    const encode = videoArguments(
      {
        encoder,
        rate: { crf: crfs[codec], maxKbps: null },
        pixelFormat: 'yuv420p',
        ...{ timeBase: '1/30', keyframeInterval: 120, frameSeconds: 1 / 30, reorder: true, mastering: null },
        color: { space: null, transfer: null, primaries: null, range: null },
      },
      'mkv',
    );
    row(`encode ${codec}`, await costOf('-i', raw, ...encode, made), encodeCost[codec]);
    row(`decode ${codec}`, await costOf('-i', made, '-f', 'null', '-'), readCost);
  }
  const scaled = await costOf(
    '-i',
    raw,
    '-vf',
    'scale=1918:1078:flags=lanczos,format=yuv420p',
    '-f',
    'null',
    '-',
  );
  row('scale', scaled, filterCost.default);
  printTable(rows);
} finally {
  await rm(directory, { recursive: true, force: true });
}
