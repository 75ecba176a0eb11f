import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../transcoder/ffmpeg/run.ts';
import { programs } from '../fixtures/make.ts';
import { type LocalStore, startObjectStore } from './object-store.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { type Origin, startOrigin } from './sources/origin.ts';
import { makeJob, startTranscoder, type TranscoderProcess } from './transcoder-process.ts';

/** Ends well and leaves half of what ffmpeg has made. */
const program = `#!/bin/sh
ffmpeg "$@" || exit $?
for last; do :; done
case "$last" in
  file:*) file="\${last#file:}"; size=$(stat -c %s "$file"); truncate -s $((size / 2)) "$file" ;;
esac
`;

let source: Origin;
let local: LocalStore;
let receiver: Receiver;
let transcoder: TranscoderProcess;
let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-broken-'));
  const clip = ['-f', 'lavfi', '-i', 'testsrc2=s=64x36:d=4', '-c:v', 'libx264', 'clip.mp4'];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', ...clip], { cwd: directory });
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-i', 'clip.mp4', '-frames', '1', 'photo.png'], {
    cwd: directory,
  });
  const media = new Map<string | undefined, Buffer>();
  for (const name of ['clip.mp4', 'photo.png']) media.set(`/${name}`, await readFile(join(directory, name)));
  source = await startOrigin(({ url }, response) => {
    const bytes = media.get(url) ?? Buffer.alloc(0);
    response.setHeader('content-length', bytes.length).end(bytes);
  });
  [local, receiver] = await Promise.all([startObjectStore(), startReceiver()]);
  const ffmpeg = join(directory, 'ffmpeg');
  await writeFile(ffmpeg, program, { mode: 0o755 });
  transcoder = await startTranscoder({ ...local.env, SPOOL_DEV_ORIGINS: source.url, FFMPEG: ffmpeg });
});

afterAll(async () => {
  await transcoder.close();
  await Promise.all([source.close(), local.close(), receiver.close(), rm(directory, { recursive: true })]);
});

test.each([
  // The proof of identity compares the frames of a transcode with its source; a photo has none to compare with.
  ['transcode', () => ({ video_url: `${source.url}/clip.mp4`, format: 'mp4', codec: 'hevc' })],
  ['photo_animate', () => ({ photo_url: `${source.url}/photo.png`, duration: 1, width: 64, height: 64 })],
] as const)('a %s whose output is broken fails, and its output is not kept', async (operation, input) => {
  const job = makeJob(operation, input(), '');
  await transcoder.post('/tasks', { ...job, callback_url: receiver.url(job.task_id) });
  const ending = () =>
    receiver
      .received(job.task_id)
      .map(({ report }) => report)
      .find(({ type }) => type !== 'progress');
  await expect.poll(ending, { timeout: 60_000 }).toBeDefined();
  expect(ending()).toMatchObject({
    type: 'failed',
    failure: { code: expect.stringMatching(/^(output_invalid|render_failed)$/) },
  });
  const { objects } = await local.bucket.list();
  expect(objects.filter(({ key }) => key.startsWith(job.output_prefix))).toEqual([]);
});
