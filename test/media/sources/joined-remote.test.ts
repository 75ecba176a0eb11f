import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type OperationName, operations } from '../../../schema/operations/index.ts';
import { taskLimits } from '../../../schema/task/wire.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { analyzeAndPlan } from '../../../transcoder/media/execute/analyze-and-plan.ts';
import { probeMedia } from '../../../transcoder/media/probe/probe-media.ts';
import { readable, withSteadySources } from '../../../transcoder/media/remux/remux.ts';
import type { MediaSource } from '../../../transcoder/model/source/media-source.ts';
import { plannerOf } from '../../../transcoder/operations/index.ts';
import { openSource, type RemoteSource } from '../../../transcoder/source/open-source.ts';
import { urlOrigin } from '../../../transcoder/source/origin.ts';
import { programs } from '../../fixtures/make.ts';
import { VP8 } from '../../fixtures/vp8.ts';
import { sampled } from '../../sampled.ts';
import { type RangeOrigin, startRangeOrigin } from '../../transcoder/sources/range-origin.ts';
import { ctx } from '../operate.ts';
import { scratch } from '../scratch.ts';

const SECONDS = 8;
/** As large as a source has to be that only parts of are fetched. */
const noise = `testsrc2=s=320x180:r=30:d=${SECONDS},noise=alls=60:allf=t`;
/** Bytes in proportion to seconds. */
const steady = ['-b:v', '3M', '-minrate', '3M', '-maxrate', '3M', '-bufsize', '300k'];
const one: Record<string, Buffer> = {};
const encoders: Record<string, readonly string[]> = {
  '.ts': ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-c:a', 'aac', '-f', 'mpegts'],
  '.webm': [...VP8, '-deadline', 'realtime', '-cpu-used', '8', '-c:a', 'libopus', '-live', '1'],
  // Its clusters begin with a checksum, not with their time.
  '.mkv': ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '0', '-c:a', 'aac', '-live', '1'],
};

beforeAll(async () => {
  for (const [format, encoder] of Object.entries(encoders)) {
    const path = join(scratch(), `one${format}`);
    await run(programs, 'ffmpeg', [
      ...[
        '-v',
        'error',
        '-nostdin',
        '-f',
        'lavfi',
        '-i',
        noise,
        '-f',
        'lavfi',
        '-i',
        `sine=440:d=${SECONDS}`,
      ],
      ...['-pix_fmt', 'yuv420p', '-g', '30', ...steady, ...encoder, '-y', path],
    ]);
    one[format] = await readFile(path);
  }
}, 120_000);

const opened: { origin: RangeOrigin; source: RemoteSource }[] = [];
afterEach(async () => {
  for (const { origin, source } of opened.splice(0)) {
    await source.close();
    await origin.close();
  }
});

/** The plan's data of an operation on a source that is fetched by range. */
async function planned(name: OperationName, request: Record<string, unknown>, file: Buffer) {
  const origin = await startRangeOrigin(file);
  const url = `${origin.url}/a`;
  const rules = { devOrigins: new Set([origin.url]), ownHosts: new Set<string>() };
  const number = `${name}-${origin.url.split(':').at(-1)}`;
  const signal = AbortSignal.timeout(60_000);
  const source = await openSource(urlOrigin(url, { rules }), {
    ...{ path: join(scratch(), `source-${number}`), limitBytes: 1e9, signal, near: null },
  });
  opened.push({ origin, source });
  const input = operations[name].input.parse({ ...request, [name === 'probe' ? 'url' : 'video_url']: url });
  const planner = plannerOf(name);
  const probe = (which: MediaSource) => probeMedia(ctx, which, signal);
  const containing = { directory: scratch(), name: `repacked-${number}` };
  const read = await readable(ctx, source, { probe, remuxedFor: planner.remuxedFor }, containing);
  const limits = taskLimits.parse({
    ...{ source_bytes: 1e9, source_seconds: 7200, task_seconds: 600, output_side_px: 1920 },
  });
  const naming = () => ({ directory: scratch(), name: `steady-${number}`, probe });
  const { data } = await withSteadySources(ctx, [read], naming, (sources) =>
    analyzeAndPlan(ctx, planner, input, sources, { limits, directory: scratch(), signal }),
  );
  return { data, sent: origin.sent() };
}

describe.each(sampled(['.ts', '.webm', '.mkv'], 3))(
  'recordings in a remote %s that were joined byte by byte',
  (format) => {
    const parts = (...shares: number[]) =>
      shares.map((share) => {
        const whole = one[format] ?? Buffer.alloc(0);
        // Up to a packet of a transport stream.
        return whole.subarray(0, Math.floor((whole.length * share) / 188) * 188);
      });

    test.each(
      sampled(
        [
          ['of one length', [1, 1, 1]],
          ['of which the first one is short', format === '.ts' ? [0.25, 1] : [1, 1]],
          ['of which the last one is short', [1, 1, 0.3]],
        ],
        3,
      ),
    )(
      '%s last as long as all of them',
      async (_, shares) => {
        const file = Buffer.concat(parts(...shares));
        const seconds = SECONDS * shares.reduce((sum, share) => sum + share, 0);
        const last = await planned('frame_last', {}, file);
        expect(Math.abs(Number(last.data.source_duration) - seconds)).toBeLessThan(1);
        expect(Math.abs(Number(last.data.timestamp) - seconds)).toBeLessThan(1);
        const { data } = await planned('probe', {}, file);
        expect(Math.abs(Number(data.duration) - seconds)).toBeLessThan(1);
        const start = seconds - 1.2;
        await planned('cut', { start, duration: 0.5 }, file);
      },
      120_000,
    );
  },
);

test('the last frame of one recording costs a few places of it', async () => {
  const path = join(scratch(), 'long.ts');
  await writeFile(join(scratch(), 'again.ts'), one['.ts'] ?? '');
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-stream_loop', '5', '-i', join(scratch(), 'again.ts')],
    ...['-c', 'copy', '-y', path],
  ]);
  const file = await readFile(path);
  const { data, sent } = await planned('frame_last', {}, file);
  expect(Math.abs(Number(data.source_duration) - 6 * SECONDS)).toBeLessThan(1);
  expect(sent).toBeLessThan(file.length / 3);
}, 60_000);
