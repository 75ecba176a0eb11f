import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { pictureHashes } from '../../fixtures/decoded.ts';
import { programs } from '../../fixtures/make.ts';
import { complaints } from '../../fixtures/packets.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

const RATE = 30;

async function made(file: string, params: string): Promise<string> {
  const path = join(scratch(), file);
  const args = ['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', `testsrc2=s=960x48:r=${RATE}:d=4`];
  const encoder = ['-pix_fmt', 'yuv420p', '-c:v', 'libx264', '-preset', 'veryfast', '-x264-params', params];
  await run(programs, 'ffmpeg', [...args, ...encoder, path]);
  return path;
}

/** Two ranges that begin with the first frame, of these numbers of frames. */
async function twice(path: string, first: number, second: number) {
  const segments = [first, second].map((frames) => ({ start: 0, end: frames / RATE }));
  return operate('cut', path, { segments });
}

/** The idr_pic_id of each slice of IDR pictures, as ffmpeg's filter `trace_headers` prints them. */
function idrPicIds(path: string): number[] {
  const args = ['-v', 'verbose', '-nostdin', '-i', path, '-c', 'copy', '-bsf:v', 'trace_headers'];
  const { stderr } = spawnSync('ffmpeg', [...args, '-f', 'null', '-'], {
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  return [...stderr.matchAll(/idr_pic_id .*= (\d+)/g)].map(([, id]) => Number(id));
}

test.each([
  ['with CABAC', 'keyint=1'],
  ['with CAVLC', 'keyint=1:cabac=0'],
])(
  'IDR pictures of two copied ranges that meet have different ids, %s',
  async (_, params) => {
    const path = await made('idr.mp4', params);
    const done = await twice(path, 59, 30);

    expect(done.data).toMatchObject({ rendered_seconds: 0 });
    const ids = idrPicIds(done.path);
    expect(ids).toHaveLength(89);
    expect(ids.filter((id, at) => id === ids[at - 1])).toEqual([]);
    const source = await pictureHashes(path);
    expect(await pictureHashes(done.path)).toEqual([...source.slice(0, 59), ...source.slice(0, 30)]);
    expect(await complaints(done.path)).toBe('');
  },
  120_000,
);

test('a range whose last keyframe only begins a refresh is copied in front of another', async () => {
  const path = await made('refresh.mp4', 'intra-refresh=1:keyint=45:bframes=0');
  const done = await twice(path, 80, 60);

  expect(done.data).toMatchObject({ rendered_seconds: 0 });
  const source = await pictureHashes(path);
  expect(await pictureHashes(done.path)).toEqual([...source.slice(0, 80), ...source.slice(0, 60)]);
}, 120_000);
