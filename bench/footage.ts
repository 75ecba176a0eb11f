import { existsSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { run } from '../transcoder/ffmpeg/run.ts';

/**
 * Sources of the benches: 1080p30 in H.264 at 5 Mbit/s with noise. They are kept, because creating them takes longer than using
 * them.
 */
const directory = join(dirname(dirname(fileURLToPath(import.meta.url))), '.spool', 'bench');

export const programs = { ffmpeg: 'ffmpeg', ffprobe: 'ffprobe' };

async function kept(name: string, make: (path: string) => Promise<void>): Promise<string> {
  const path = join(directory, name);
  if (existsSync(path)) return path;
  await mkdir(directory, { recursive: true });
  const unfinished = join(directory, `unfinished-${name}`);
  await make(unfinished);
  await rename(unfinished, path);
  return path;
}

const ffmpeg = (...args: string[]) =>
  run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { cwd: directory });

/** The pictures of `minute` before they are encoded: a source of ffmpeg, and its filters. */
export const original = {
  source: 'testsrc2=s=1920x1080:r=30',
  filters: 'noise=alls=12:allf=t,format=yuv420p',
};

/** One minute with a keyframe every `gop` frames and a tone. */
export function minute(gop: number): Promise<string> {
  return kept(`minute-${gop}.mp4`, async (path) => {
    await ffmpeg(
      ...['-f', 'lavfi', '-i', original.source, '-f', 'lavfi', '-i', 'sine=440:r=48000'],
      ...['-t', '60', '-vf', original.filters],
      ...['-c:v', 'libx264', '-preset', 'veryfast', '-b:v', '5M', '-maxrate', '8M', '-bufsize', '10M'],
      ...[
        '-g',
        `${gop}`,
        '-keyint_min',
        `${gop}`,
        '-sc_threshold',
        '0',
        '-bf',
        '3',
        '-ac',
        '2',
        '-c:a',
        'aac',
        path,
      ],
    );
  });
}

export interface Burst {
  start: number;
  end: number;
}

/** Ten minutes of `minute`, with a tone only in these bursts. */
export function speech(gop: number, bursts: readonly Burst[]): Promise<string> {
  return kept(`speech-${gop}.mp4`, async (path) => {
    const [rate, seconds] = [48_000, 600];
    const samples = new Int16Array(rate * seconds);
    for (const { start, end } of bursts) {
      for (let at = Math.round(start * rate); at < end * rate; at++) {
        samples[at] = 8000 * Math.sin((2 * Math.PI * 220 * at) / rate);
      }
    }
    await writeFile(join(directory, 'speech.raw'), new Uint8Array(samples.buffer));
    await ffmpeg(
      ...['-stream_loop', '9', '-i', await minute(gop)],
      ...['-f', 's16le', '-ar', `${rate}`, '-ac', '1', '-i', 'speech.raw'],
      ...['-map', '0:v', '-map', '1:a', '-c:v', 'copy', '-ac', '2', '-c:a', 'aac', '-t', `${seconds}`, path],
    );
    await rm(join(directory, 'speech.raw'));
  });
}

/** A gigabyte: 27 minutes of `minute`, in mp4 with the index at the front. */
export function gigabyte(container: 'mp4' | 'mkv' | 'ts' = 'mp4'): Promise<string> {
  const front = container === 'mp4' ? ['-movflags', '+faststart'] : [];
  return kept(`gigabyte.${container}`, async (path) => {
    await ffmpeg(...['-stream_loop', '26', '-i', await minute(60), '-c', 'copy', ...front, path]);
  });
}
