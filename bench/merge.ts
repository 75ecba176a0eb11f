import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../transcoder/ffmpeg/run.ts';
import { minute, original, programs } from './footage.ts';
import { measured, printTable } from './measure.ts';
import { spliced, startMedia } from './operate.ts';

/**
 * CPU seconds (user and system, all processes) of merging three minutes with fades of one second, compared with xfade and
 * acrossfade with `libx264 -preset veryfast` in the same run. Requirement: 10 times less, and a joint with a PSNR of 40 dB
 * against the fade before encoding.
 */
const DEMAND = 10;
const PSNR_DEMAND = 40;
const CLIPS = 3;
const GOP = 60;

const directory = await mkdtemp(join(tmpdir(), 'spool-bench-'));
const media = await startMedia();

async function plain(path: string): Promise<void> {
  const joints = Array.from({ length: CLIPS - 1 }, (_, index) => index + 1).flatMap((clip) => {
    const [video, audio] = clip === 1 ? ['0:v', '0:a'] : [`v${clip - 1}`, `a${clip - 1}`];
    return [
      `[${video}][${clip}:v]xfade=transition=fade:duration=1:offset=${59 * clip}[v${clip}]`,
      `[${audio}][${clip}:a]acrossfade=d=1[a${clip}]`,
    ];
  });
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', ...Array.from({ length: CLIPS }, () => ['-i', path]).flat()],
    ...['-filter_complex', joints.join(';'), '-map', `[v${CLIPS - 1}]`, '-map', `[a${CLIPS - 1}]`],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-c:a', 'aac', join(directory, 'plain.mp4')],
  ]);
}

/** PSNR in dB of the clip's last second before the joint, compared with what it was encoded from. */
async function psnrOfClip(clip: string): Promise<number> {
  const second = 'trim=58:59,setpts=PTS-STARTPTS';
  return psnr(
    ['-i', clip, '-f', 'lavfi', '-t', '59', '-i', original.source],
    `[0:v]${second}[clip];[1:v]${original.filters},${second}[before];[clip][before]psnr`,
  );
}

/** PSNR in dB of the first joint of a result, compared with the fade of the two decoded clips. */
async function psnrOfJoint(clip: string, result: string): Promise<number> {
  const late = (path: string) => ['-ss', '55', '-i', path];
  const second = 'trim=4:5,setpts=PTS-STARTPTS';
  return psnr(
    [...late(clip), '-i', clip, ...late(result)],
    `[0:v][1:v]xfade=transition=fade:duration=1:offset=4,${second}[fade];[2:v]${second}[ours];[ours][fade]psnr`,
  );
}

async function psnr(inputs: readonly string[], graph: string): Promise<number> {
  const { stderrTail } = await run(programs, 'ffmpeg', [
    ...['-nostdin', '-nostats', ...inputs, '-filter_complex', graph, '-an', '-f', 'null', '-'],
  ]);
  return Number(/PSNR .* average:([\d.]+)/.exec(stderrTail)?.[1]);
}

try {
  const path = await minute(GOP);
  const paths = Array.from({ length: CLIPS }, () => path);
  const urls = paths.map(() => 'https://media.example.com/clip.mp4');
  const request = { urls, transition: 'fade', duration: 1 };
  const ours = await measured(media.libav, () => spliced(media, 'merge_urls', paths, request, directory));
  const theirs = await measured(media.libav, () => plain(path));
  const ratio = theirs.cpu / ours.cpu;
  const near = await psnrOfJoint(path, ours.value.files[0].path);
  const own = await psnrOfClip(path);
  if (ratio < DEMAND || !(near >= PSNR_DEMAND)) process.exitCode = 1;
  const rendered = `${(ours.value.data.rendered_seconds as number).toFixed(2)} s`;
  const head = ['ours, CPU s', 'wall s', 'ffmpeg, CPU s', 'wall s', `ratio (demanded: ${DEMAND})`];
  const quality = [`PSNR of a joint, dB (demanded: ${PSNR_DEMAND})`, 'of ffmpeg’s', 'of the clips'];
  printTable([
    ['3 × 60 s with fades', 'rendered', ...head, ...quality],
    [
      ...['GOP 2 s', rendered, ours.cpu, ours.wall, theirs.cpu, theirs.wall, ratio],
      ...[near, await psnrOfJoint(path, join(directory, 'plain.mp4')), own],
    ],
  ]);
} finally {
  media.libav.close();
  await rm(directory, { recursive: true, force: true });
}
