import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type ExampleSource, said } from '../../schema/api/example-sources.ts';
import { type Programs, run } from '../../transcoder/ffmpeg/run.ts';
import { music, RATE, SECONDS } from './music.ts';
import { town } from './town.ts';

type Make = (programs: Programs, directory: string) => Promise<string>;

/** Creates each source in a directory, if the engines it needs are available. @returns its path. */
export const makeSource: Record<ExampleSource, Make> = {
  'photo.jpg': (programs, directory) => photo(programs, directory),
  'talk.mp4': async (programs, directory) => {
    await photo(programs, directory);
    await speech(programs, directory);
    const view = `crop=1080:608:x=(iw-ow)*t/${SECONDS}:y=82,scale=480:270:out_color_matrix=smpte170m:out_range=limited`;
    return ffmpeg(programs, directory, 'talk.mp4', [
      ...['-loop', '1', '-framerate', '24', '-i', 'photo.jpg', '-i', 'speech.m4a', '-t', `${SECONDS}`],
      ...['-vf', `${view},${picture}`, ...tags, ...h264, '-c:a', 'copy', '-movflags', '+faststart'],
    ]);
  },
  'dawn.mp4': async (programs, directory) => {
    await photo(programs, directory);
    await band(directory);
    const view = `crop=1080:608:x=(iw-ow)*(1-t/${SECONDS}):y=56,scale=480:270`;
    const light = `colorchannelmixer=${dawn},eq=brightness=0.14:contrast=1.12:saturation=0.95`;
    return ffmpeg(programs, directory, 'dawn.mp4', [
      ...['-loop', '1', '-framerate', '24', '-i', 'photo.jpg', ...raw, '-t', `${SECONDS}`],
      ...[
        '-vf',
        `${view},format=gbrp,${light},scale=out_color_matrix=smpte170m:out_range=limited,${picture}`,
      ],
      ...['-af', 'volume=0.6', ...tags, ...h264, ...encoded(96)],
    ]);
  },
  'speech.m4a': (programs, directory) => speech(programs, directory),
  'music.m4a': async (programs, directory) => {
    await band(directory);
    return ffmpeg(programs, directory, 'music.m4a', [...raw, ...encoded(128)]);
  },
  'song.m4a': async (programs, directory) => {
    await band(directory);
    await speech(programs, directory);
    const graph = '[0]volume=0.6[a];[1]pan=stereo|c0=0.8*c0|c1=0.8*c0[b];[a][b]amix=normalize=0';
    const inputs = [...raw, '-i', 'speech.m4a'];
    return ffmpeg(programs, directory, 'song.m4a', [...inputs, '-filter_complex', graph, ...encoded(128)]);
  },
};

const picture = 'format=yuv420p';
const tags = ['-colorspace', 'smpte170m', '-color_trc', 'smpte170m', '-color_primaries', 'smpte170m'];
const h264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '25', '-g', '72'];
/** Turns the blue of the night into a warm light: what each of red, green and blue takes of the three. */
const dawn = 'rr=1:rg=0.15:rb=0.55:gr=0.1:gg=0.75:gb=0.35:br=0.05:bg=0.3:bb=0.5';

const raw = ['-f', 'f32le', '-ar', `${RATE}`, '-ac', '2', '-i', 'music.raw'];
const encoded = (kbps: number) => ['-c:a', 'aac', '-b:a', `${kbps}k`, '-movflags', '+faststart'];

async function ffmpeg(programs: Programs, directory: string, file: string, args: string[]): Promise<string> {
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args, file], { cwd: directory });
  return join(directory, file);
}

let painted: Buffer | undefined;

async function photo(programs: Programs, directory: string): Promise<string> {
  painted ??= town();
  await writeFile(join(directory, 'town.ppm'), painted);
  return ffmpeg(programs, directory, 'photo.jpg', ['-i', 'town.ppm', '-q:v', '5']);
}

async function speech(programs: Programs, directory: string): Promise<string> {
  await writeFile(join(directory, 'said.txt'), `${said}\n`);
  const spoken = ['-voice', 'slt', '-f', 'said.txt', '-o', 'said.wav'];
  await run(programs, 'flite', spoken, { cwd: directory });
  const whole = ['-af', `aresample=${RATE},apad,atrim=end=${SECONDS}`];
  return ffmpeg(programs, directory, 'speech.m4a', ['-i', 'said.wav', ...whole, ...encoded(72)]);
}

let played: Float32Array | undefined;

async function band(directory: string): Promise<void> {
  played ??= music();
  await writeFile(join(directory, 'music.raw'), new Uint8Array(played.buffer));
}
