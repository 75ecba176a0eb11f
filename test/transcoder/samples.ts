import { execFileSync } from 'node:child_process';
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { type Origin, startOrigin } from './origin.ts';

/** A served folder with `short.mp4` (10 s, small) and `long.mp4` (120 s: rendering it takes a while). */
export async function startSamples(): Promise<Origin> {
  const directory = mkdtempSync(join(tmpdir(), 'spool-test-samples-'));
  make(join(directory, 'short.mp4'), 10, '320x180');
  make(join(directory, 'long.mp4'), 120, '1280x720');
  const origin = await startOrigin((request, response) => {
    const path = join(directory, basename(request.url ?? ''));
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) {
      response.writeHead(404).end();
      return;
    }
    response.setHeader('content-length', statSync(path).size);
    createReadStream(path).pipe(response);
  });
  return {
    ...origin,
    close: async () => {
      await origin.close();
      rmSync(directory, { recursive: true });
    },
  };
}

function make(path: string, seconds: number, size: string): void {
  execFileSync(
    'ffmpeg',
    // biome-ignore format: one line reads as the command it is
    ['-v', 'error', '-f', 'lavfi', '-i', `testsrc2=size=${size}:rate=30:duration=${seconds}`, '-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`, '-c:v', 'libx264', '-preset', 'ultrafast', '-g', '60', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-movflags', '+faststart', path],
    { stdio: 'inherit' },
  );
}
