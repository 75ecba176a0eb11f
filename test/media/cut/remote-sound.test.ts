import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, expect, test } from 'vitest';
import { operations } from '../../../schema/operations/index.ts';
import { taskLimits } from '../../../schema/task/wire.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { analyzeAndPlan } from '../../../transcoder/media/execute/analyze-and-plan.ts';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { render } from '../../../transcoder/media/execute/execute-plan.ts';
import type { MediaContext } from '../../../transcoder/media/execute/media-context.ts';
import { probeMedia } from '../../../transcoder/media/probe/probe-media.ts';
import { readable } from '../../../transcoder/media/remux/remux.ts';
import { verify } from '../../../transcoder/media/verify/verify.ts';
import type { MediaSource } from '../../../transcoder/model/source/media-source.ts';
import { plannerOf } from '../../../transcoder/operations/index.ts';
import { openSource, type RemoteSource } from '../../../transcoder/source/open-source.ts';
import { urlOrigin } from '../../../transcoder/source/origin.ts';
import { demuxerOfFile } from '../../../transcoder/source/sniff.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { type RangeOrigin, startRangeOrigin } from '../../transcoder/sources/range-origin.ts';
import { ctx } from '../operate.ts';
import { scratch } from '../scratch.ts';

const SECONDS = 300;
const range = { start: 150.25, end: 155.5 };
const ranges = { segments: [range, { start: 20, end: 21.333 }, { start: 170.1, end: 172 }] };

let open: { origin: RangeOrigin; source: RemoteSource } | null = null;
afterEach(async () => {
  await open?.source.close();
  await open?.origin.close();
  open = null;
});

async function remote(path: string): Promise<{ origin: RangeOrigin; source: RemoteSource }> {
  const origin = await startRangeOrigin(path);
  const rules = { devOrigins: new Set([origin.url]), ownHosts: new Set<string>() };
  const source = await openSource(urlOrigin(`${origin.url}/a`, { rules }), {
    path: join(await mkdtemp(join(scratch(), 'remote-')), 'source'),
    limitBytes: 1e9,
    signal: AbortSignal.timeout(60_000),
    near: range.start,
  });
  open = { origin, source };
  return open;
}

/** What run-task does with a source that has been opened. @returns the samples of the result. */
async function cut(
  opened: MediaSource,
  request: object,
  changed: Partial<MediaContext> = {},
): Promise<Buffer> {
  const media = { ...ctx, ...changed };
  const directory = await mkdtemp(join(scratch(), 'made-'));
  const planner = plannerOf('cut');
  const source = await readable(
    media,
    opened,
    { probe: (one) => probeMedia(media, one), remuxedFor: planner.remuxedFor },
    { directory, name: 'repacked' },
  );
  const input = operations.cut.input.parse({ audio_url: 'https://media.example.com/a', ...request });
  const limits = taskLimits.parse({
    source_bytes: 1e9,
    source_seconds: 7200,
    task_seconds: 600,
    output_side_px: 1920,
  });
  const conditions = { limits, directory, signal: undefined };
  const plan = await analyzeAndPlan(media, planner, input, [source], conditions);
  const rendered = await render(media, plan, { directory, sources: [source], signal: undefined });
  await verify(media, rendered);
  const samples = join(directory, 'samples.raw');
  await run(programs, 'ffmpeg', ['-v', 'error', '-i', rendered.files[0].path, '-f', 's16le', samples]);
  return readFile(samples);
}

test.each(
  sampled(
    [
      ['five seconds', 'wav', 'pcm_s16le', range],
      ['three ranges', 'wav', 'pcm_s16le', ranges],
      ['five seconds', 'flac', 'flac', range],
    ],
    3,
  ),
)(
  'a cut of %s of sound out of five minutes of %s fetches a tenth of it at the most',
  async (_, format, encoder, request) => {
    const path = join(scratch(), `distant.${format}`);
    const noise = `anoisesrc=d=${SECONDS}:r=48000:a=0.3:seed=7,aformat=channel_layouts=stereo`;
    await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', noise, '-c:a', encoder, path]);
    const container = await demuxerOfFile(path);
    if (!container) throw new Error('not media');
    const { origin, source } = await remote(path);
    const made = await cut(source, request);
    expect(origin.sent()).toBeLessThan(source.bytes / 10);
    // As ffmpeg reads it from a complete file.
    const local = await cut(await completeSource({ path, format: container }), request, { libav: null });
    expect(made.equals(local)).toBe(true);
  },
);

/** With a variable bitrate, 9 MB: of less, all is read. */
const MP3_SECONDS = 450;

/** Each frame of `constant` has as many bytes as the next one. */
const rates = { constant: ['-b:a', '320k'], variable: ['-q:a', '0'] };

async function mp3(kind: keyof typeof rates, seconds: number): Promise<string> {
  const path = join(scratch(), `${kind}.mp3`);
  const noise = `anoisesrc=d=${seconds}:r=48000:a=0.3:seed=7,aformat=channel_layouts=stereo`;
  const encoder = ['-c:a', 'libmp3lame', ...rates[kind], '-metadata', 'title=Noise', '-write_id3v1', '1'];
  await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-f', 'lavfi', '-i', noise, ...encoder, path]);
  return path;
}

const probed = (source: MediaSource) => probeMedia(ctx, source);

test.each(sampled(['constant', 'variable'] as const, 3))(
  'of a distant mp3 of %s bitrate, nothing behind the cut is read, and little to learn its length',
  async (kind) => {
    const path = await mp3(kind, MP3_SECONDS);
    const { origin, source } = await remote(path);
    const { duration } = await probed(source);
    expect(origin.sent()).toBeLessThan(source.bytes / 10);
    const whole = await completeSource({ path, format: 'mp3' });
    expect(duration).toBe((await probed(whole)).duration);
    expect(duration).toBeCloseTo(MP3_SECONDS, 3);
    const made = await cut(source, range);
    expect(origin.sent()).toBeLessThan(source.bytes * 0.75);
    expect(made.equals(await cut(whole, range, { libav: null }))).toBe(true);
  },
);

test.each(
  sampled(
    [
      ['cut off', (file: Buffer) => file.subarray(0, file.length * 0.6)],
      ['joined with another one', (file: Buffer) => Buffer.concat([file, file])],
      [
        'whose number of frames is wrong',
        (file: Buffer) => {
          const at = file.indexOf('Info') + 8;
          file.writeUInt32BE(file.readUInt32BE(at) * 2, at);
          return file;
        },
      ],
    ],
    3,
  ),
)('a distant mp3 %s is counted', async (_, change) => {
  const path = join(scratch(), 'changed.mp3');
  await writeFile(path, change(await readFile(await mp3('constant', 60))));
  const { origin, source } = await remote(path);
  const { duration } = await probed(source);
  expect(origin.sent()).toBe(source.bytes);
  expect(duration).toBe((await probed(await completeSource({ path, format: 'mp3' }))).duration);
});
