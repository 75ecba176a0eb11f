import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { operations } from '../../schema/operations/index.ts';
import { run } from '../../transcoder/ffmpeg/run.ts';
import { analyzeAndPlan, render, verify } from '../../transcoder/media/operate.ts';
import { probeMedia } from '../../transcoder/media/probe.ts';
import { completeSource, type MediaSource } from '../../transcoder/media-source.ts';
import { plannerOf } from '../../transcoder/operations/index.ts';
import { openSource, type RemoteSource } from '../../transcoder/source/fetch.ts';
import { programs } from '../fixtures/make.ts';
import { type RangeOrigin, startRangeOrigin } from '../transcoder/range-origin.ts';
import { ctx } from './engine.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-remote-'));
const files = { last: join(directory, 'moov-last.mp4'), first: join(directory, 'moov-first.mp4') };

beforeAll(async () => {
  const made = join(directory, 'moov-last.mp4');
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', 'testsrc2=s=640x360:r=30:d=60,noise=alls=20:allf=t'],
    ...['-f', 'lavfi', '-i', 'sine=440:d=60', '-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2'],
    ...['-b:v', '4M', '-g', '60', '-pix_fmt', 'yuv420p', '-c:a', 'aac', made],
  ]);
  const fast = ['-c', 'copy', '-movflags', '+faststart', files.first];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-i', made, ...fast]);
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

async function cut(source: MediaSource, local: MediaSource): Promise<string> {
  const input = operations.cut.input.parse({
    video_url: 'https://media.example.com/a.mp4',
    ...{ start: 20.3, end: 26.1 },
  });
  const sources = [{ ...source, probe: await probeMedia(ctx, local) }];
  const limits = { source_bytes: 1e9, source_seconds: 7200, task_seconds: 600, output_side_px: 1920 };
  const plan = await analyzeAndPlan(ctx, plannerOf('cut'), input, sources, limits);
  const made = await mkdtemp(join(directory, 'cut-'));
  const rendered = await render(ctx, plan, { directory: made, sources });
  await verify(ctx, rendered);
  expect(rendered.data.copied_seconds).toBeGreaterThan(3);
  return createHash('sha256')
    .update(await readFile(rendered.files[0].path))
    .digest('hex');
}

function remote(origin: RangeOrigin): Promise<RemoteSource> {
  return openSource(`${origin.url}/a.mp4`, {
    path: join(directory, `source-${origin.url.split(':').at(-1)}`),
    limitBytes: 1e9,
    rules: { devOrigins: new Set([origin.url]), ownHosts: new Set() },
    signal: AbortSignal.timeout(60_000),
  });
}

test.each(['last', 'first'] as const)('a cut of six seconds reads them alone, moov %s', async (where) => {
  const path = files[where];
  const local = await completeSource({ path, format: 'mov' });
  const origin = await startRangeOrigin(path);
  const source = await remote(origin);
  try {
    const hash = await cut(source, local);
    expect(hash).toBe(await cut(local, local));
  } finally {
    await source.close();
    await origin.close();
  }
});
