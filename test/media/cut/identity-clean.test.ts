import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { OperationName } from '../../../schema/operations/index.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { mediaFixtures, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operateOn } from '../operate.ts';
import { scratch } from '../scratch.ts';

const url = 'https://media.example.com/a';

/** PQ in VP9 at 45 kbit/s. */
function hdrAtFewBits(picture: string): string[] {
  return [
    ...['-i', picture, '-vf', 'scale=out_color_matrix=bt2020nc,format=yuv420p10le'],
    ...['-color_primaries', 'bt2020', '-color_trc', 'smpte2084', '-colorspace', 'bt2020nc'],
    ...['-c:v', 'libvpx-vp9', '-profile:v', '2', '-pix_fmt', 'yuv420p10le', '-b:v', '45k'],
    ...['-deadline', 'realtime', '-cpu-used', '8', '-g', '40'],
  ];
}

/** Pictures that are hard to tell apart, or hard to encode. */
const oddities: Record<string, string[]> = {
  still: [
    '-i',
    'testsrc2=s=160x90:d=3',
    '-vf',
    'trim=end_frame=1,loop=-1:1,trim=end_frame=90,setpts=N/30/TB',
  ],
  black: ['-i', 'color=black:s=160x90:r=30:d=3'],
  noise: ['-i', 'color=gray:s=160x90:r=30:d=3', '-vf', 'noise=alls=60:allf=t'],
  'low light': [
    '-i',
    'testsrc2=s=160x90:r=30:d=3',
    '-vf',
    'eq=brightness=-0.42:contrast=0.2,noise=alls=8:allf=t',
  ],
  'slow fade': [
    '-i',
    'testsrc2=s=160x90:r=30:d=3',
    '-vf',
    'trim=end_frame=1,loop=-1:1,setpts=N/30/TB,fade=out:0:90,trim=end_frame=90',
  ],
  'every frame twice': ['-i', 'testsrc2=s=160x90:r=15:d=3', '-vf', 'fps=30'],
  'very small': ['-i', 'testsrc2=s=16x16:r=30:d=3'],
  odd: ['-i', 'testsrc2=s=161x91:r=25:d=3', '-pix_fmt', 'yuv444p'],
  interlaced: [
    '-i',
    'testsrc2=s=160x96:r=50:d=3',
    '-vf',
    'tinterlace=interleave_top,setfield=tff',
    '-flags',
    '+ilme+ildct',
    '-x264-params',
    'tff=1',
  ],
  blinking: ['-i', "color=s=160x90:r=30:d=3:c=gray,geq=lum='128+100*mod(N\\,2)'"],
  'finely striped': [
    '-i',
    "color=s=320x240:r=25:d=2:c=gray,geq=lum='if(mod(X+N\\,4)/2\\,235\\,16)':cb=128:cr=128",
  ],
  rings: ['-i', "color=s=320x240:r=25:d=2:c=gray,geq=lum='128+110*sin((X*X+Y*Y)/300+N/3)':cb=128:cr=128"],
  'a texture at few bits': [
    '-i',
    'cellauto=s=161x121:r=25:rule=30:random_seed=1',
    '-t',
    '2',
    '-pix_fmt',
    'yuv444p',
    '-b:v',
    '50k',
  ],
  // Not of ffmpeg's `gradients`, which differ in every run whatever their seed.
  'a slow gradient in HDR at few bits': hdrAtFewBits(
    "color=s=320x180:r=25:d=2:c=gray,geq=lum='60+120*(0.5+0.5*sin(X/90+Y/140+N/40))':cb=120:cr=136",
  ),
  'HDR at few bits': hdrAtFewBits('testsrc2=s=320x180:r=25:d=2'),
};

const requests: [OperationName, Record<string, unknown>][] = [
  ['cut', { start: 0.41, end: 1.93 }],
  ['crop', { aspect_ratio: '1:1', fill: 'pad' }],
  ['crop', { aspect_ratio: '9:16', output_width: 300 }],
  ['transcode', { quality: { video_bitrate_kbps: 64 } }],
  ['transcode', { width: 50 }],
  ['transcode', { width: 18 }],
  ['transcode', { width: 38, height: 50, fit: 'cover' }],
];

describe('clean results are never refused', () => {
  const clean = async (file: string, operation: OperationName, request: Record<string, unknown>) => {
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);
    await operateOn(operation, [file], { ...request, video_url: url }, { onWarning });
    expect(warnings).not.toContain('the result shows other frames than planned; the fallback is tried');
  };

  test.each(sampled(Object.entries(oddities), 3))(
    'of pictures that are %s',
    async (name, args) => {
      const path = join(scratch(), `${name.replaceAll(' ', '-')}.mp4`);
      const encode = ['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'veryfast', '-g', '30'];
      await run(programs, 'ffmpeg', [
        '-v',
        'error',
        '-nostdin',
        '-f',
        'lavfi',
        ...args.slice(0, 2),
        ...encode,
        ...args.slice(2),
        path,
      ]);
      for (const [operation, request] of requests) await clean(path, operation, request);
    },
    120_000,
  );

  const left = ['one-frame.mp4', 'truncated.mp4', 'pauses.mp4', 'speech.mp4', 'speech-wide.mp4'];
  const videos = mediaFixtures().filter(
    (name) => /\.(mp4|mov|mkv|webm|ts)$/.test(name) && !left.includes(name),
  );
  test.each(sampled(videos, 6))(
    'of %s',
    async (name) => {
      await clean(name, 'cut', { start: 0.41, end: 1.93 });
      await clean(name, 'crop', { x: 16, y: 8, width: 120, height: 90 });
    },
    120_000,
  );
});
