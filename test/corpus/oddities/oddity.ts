import { execFile } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** A small file of odd make, named for what is odd about it. */
export interface Oddity {
  name: string;
  make: (bench: Bench) => Promise<void>;
}

/** Where oddities are made: a folder with `master.nut` in it. */
export interface Bench {
  directory: string;
  ffmpeg: (...args: string[]) => Promise<unknown>;
}

const execute = promisify(execFile);

export const benchIn = (directory: string): Bench => ({
  directory,
  ffmpeg: (...args) =>
    execute('ffmpeg', ['-v', 'error', '-nostdin', '-y', '-bitexact', ...args], { cwd: directory }),
});

/** Each picture differs from its neighbours, and the sound at each instant from that at any other. */
export async function makeMaster({ ffmpeg }: Bench): Promise<void> {
  const sweep = 'aevalsrc=0.25*sin(2*PI*(300*t+60*t*t))|0.25*sin(2*PI*(350*t+70*t*t)):s=48000:d=12';
  await ffmpeg(
    ...['-f', 'lavfi', '-i', 'testsrc2=s=160x90:r=30:d=12,format=yuv420p'],
    ...['-f', 'lavfi', '-i', sweep, '-f', 'lavfi', '-i', 'anoisesrc=c=pink:seed=7:a=0.2:r=48000:d=12'],
    ...['-filter_complex', '[1][2]amix=normalize=0:duration=first[sound]', '-map', '0:v', '-map', '[sound]'],
    ...['-c:v', 'rawvideo', '-c:a', 'pcm_s16le', 'master.nut'],
  );
}

export const MASTER = ['-i', 'master.nut'];
export const AAC = ['-c:a', 'aac', '-b:a', '128k'];
export const SECONDS = ['-t', '3'];

/** x264 with a keyframe every `gop` frames and `b` B-frames. */
export const x264 = (gop = 25, b = 2, params = '') => [
  ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '20', '-pix_fmt', 'yuv420p', '-bf', `${b}`],
  ...['-g', `${gop}`, '-keyint_min', `${Math.min(gop, 25)}`, '-sc_threshold', '0'],
  ...(params === '' ? [] : ['-x264-params', params]),
];

export const x265 = (params = '') => [
  ...['-c:v', 'libx265', '-preset', 'ultrafast', '-crf', '22', '-pix_fmt', 'yuv420p', '-tag:v', 'hvc1'],
  ...['-x265-params', ['log-level=error:keyint=25:min-keyint=25', params].filter(Boolean).join(':')],
];

/** An oddity that one call of ffmpeg makes of the master. */
export const made = (name: string, ...args: string[]): Oddity => ({
  name,
  make: async ({ ffmpeg }) => {
    await ffmpeg(...MASTER, ...SECONDS, ...args, name);
  },
});

/** Picture and sound of the master, one of them later by so many seconds. */
export const offset = (
  name: string,
  late: 'picture' | 'sound',
  seconds: number,
  ...args: string[]
): Oddity => ({
  name,
  make: async ({ ffmpeg }) => {
    const [picture, sound] = late === 'picture' ? [1, 0] : [0, 1];
    await ffmpeg(
      ...[...SECONDS, ...MASTER, ...SECONDS, '-itsoffset', `${seconds}`, ...MASTER],
      ...[
        '-map',
        `${picture}:v`,
        '-map',
        `${sound}:a`,
        '-fps_mode',
        'passthrough',
        '-enc_time_base:v',
        '1:90000',
        ...args,
        name,
      ],
    );
  },
});

/** An oddity whose bytes are cut or changed after it was made. */
export const edited = (name: string, args: string[], change: (bytes: Buffer) => Buffer): Oddity => ({
  name,
  make: async (bench) => {
    await made(name, ...args).make(bench);
    const path = join(bench.directory, name);
    await writeFile(path, change(await readFile(path)));
  },
});

/** An oddity that ffmpeg copies out of a longer file. */
export const copied = (name: string, first: string[], input: string[], ...args: string[]): Oddity => ({
  name,
  make: async ({ directory, ffmpeg }) => {
    const longer = `longer-${name}`;
    await ffmpeg(...MASTER, ...first, longer);
    await ffmpeg(...input, '-i', longer, '-c', 'copy', ...args, name);
    await rm(join(directory, longer));
  },
});
