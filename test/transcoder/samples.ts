import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Origin, startOrigin } from './sources/origin.ts';

export interface Samples extends Origin {
  size: (name: string) => number;
  /** While true, requests for anything but the first bytes are hung up on. */
  dead: { value: boolean };
}

/** A served folder, with ranges: `short.mp4` (10 s, small) and `long.mp4` (120 s: rendering it takes a while). */
export async function startSamples(): Promise<Samples> {
  const directory = mkdtempSync(join(tmpdir(), 'spool-test-samples-'));
  const dead = { value: false };
  makeShort(join(directory, 'short.mp4'));
  makeLong(join(directory, 'long.mp4'), directory);
  const origin = await startOrigin((request, response) => {
    const path = join(directory, basename(request.url ?? ''));
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    const { size } = statSync(path);
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    if (dead.value && first !== '0') return void request.socket.destroy();
    if (first === undefined || last === undefined) {
      response.setHeader('content-length', size);
      createReadStream(path).pipe(response);
      return;
    }
    const [start, end] = [Number(first), Math.min(Number(last), size - 1)];
    response.writeHead(206, {
      'content-length': end - start + 1,
      'content-range': `bytes ${start}-${end}/${size}`,
    });
    createReadStream(path, { start, end }).pipe(response);
  });
  return {
    ...origin,
    dead,
    size: (name) => statSync(join(directory, name)).size,
    close: async () => {
      await origin.close();
      rmSync(directory, { recursive: true });
    },
  };
}

const picture = (size: string) => ['-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=30:duration=10`];
const sound = (seconds: number) => ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`];
const x264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '60', '-pix_fmt', 'yuv420p'];
const aac = ['-c:a', 'aac', '-movflags', '+faststart'];

function makeShort(path: string): void {
  ffmpeg(...picture('320x180'), ...sound(10), ...x264, ...aac, path);
}

/** The same ten seconds twelve times: encoding all of it takes seven times as much of the machine. */
function makeLong(path: string, directory: string): void {
  const once = join(directory, 'once.mp4');
  ffmpeg(...picture('1280x720'), ...x264, once);
  ffmpeg('-stream_loop', '11', '-i', once, ...sound(120), '-c:v', 'copy', ...aac, path);
  rmSync(once);
}

function ffmpeg(...args: string[]): void {
  execFileSync('ffmpeg', ['-v', 'error', ...args], { stdio: 'inherit' });
}
