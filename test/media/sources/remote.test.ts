import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { mkdtemp, readFile, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Demuxer } from '../../../schema/media/demuxers.ts';
import { type OperationName, operations } from '../../../schema/operations/index.ts';
import { taskLimits } from '../../../schema/task/wire.ts';
import { boxesIn } from '../../../transcoder/bitstream/mp4/boxes.ts';
import { keyframeOffsets } from '../../../transcoder/bitstream/mp4/keyframe-positions.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { listPackets } from '../../../transcoder/media/analyses/packets.ts';
import { analyzeAndPlan } from '../../../transcoder/media/execute/analyze-and-plan.ts';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { render } from '../../../transcoder/media/execute/execute-plan.ts';
import type { Rendered } from '../../../transcoder/media/execute/rendered.ts';
import { probeMedia } from '../../../transcoder/media/probe/probe-media.ts';
import { verify } from '../../../transcoder/media/verify/verify.ts';
import type { MediaSource } from '../../../transcoder/model/source/media-source.ts';
import { plannerOf } from '../../../transcoder/operations/index.ts';
import { openSource, type RemoteSource, type SourceOptions } from '../../../transcoder/source/open-source.ts';
import { urlOrigin } from '../../../transcoder/source/origin.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { type Manners, type RangeOrigin, startRangeOrigin } from '../../transcoder/sources/range-origin.ts';
import { ctx, failureOf, libav } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-remote-'));
const files = { last: join(directory, 'moov-last.mp4'), first: join(directory, 'moov-first.mp4') };
const matroska = join(directory, 'cues-of-video.mkv');
/** Seconds of a group of pictures. */
const GROUP = 2;
const SECONDS = 60;

beforeAll(async () => {
  const noise = `testsrc2=s=640x360:r=30:d=${SECONDS},noise=alls=20:allf=t`;
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-f', 'lavfi', '-i', noise, '-f', 'lavfi', '-i', `sine=440:d=${SECONDS}`],
    ...['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2', '-b:v', '4M', '-g', `${30 * GROUP}`],
    ...['-pix_fmt', 'yuv420p', '-c:a', 'aac', files.last],
  ]);
  const fast = ['-c', 'copy', '-movflags', '+faststart', files.first];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-i', files.last, ...fast]);
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-i', files.last, '-c', 'copy', matroska]);
}, 120_000);

let count = 0;
const origins: RangeOrigin[] = [];
const sources: RemoteSource[] = [];
afterEach(async () => {
  for (const source of sources.splice(0)) await source.close();
  for (const origin of origins.splice(0)) {
    await expect.poll(() => origin.open()).toBe(0);
    await origin.close();
  }
});
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const span = { start: 20.3, end: 26.1 };

async function remote(
  path: string,
  manners: Manners = {},
  options: Partial<SourceOptions> = {},
): Promise<{ origin: RangeOrigin; source: RemoteSource }> {
  const origin = await startRangeOrigin(path, manners);
  origins.push(origin);
  const rules = { devOrigins: new Set([origin.url]), ownHosts: new Set<string>() };
  const source = await openSource(urlOrigin(`${origin.url}/a.mp4`, { rules }), {
    path: join(directory, `source-${count++}`),
    limitBytes: 1e9,
    signal: AbortSignal.timeout(60_000),
    near: span.start,
    ...options,
  });
  sources.push(source);
  return { origin, source };
}

/** What run-task does with a source that has been opened. */
async function operate(
  name: OperationName,
  request: Record<string, unknown>,
  source: MediaSource | MediaSource[],
  signal?: AbortSignal,
): Promise<{ rendered: Rendered; hash: string }> {
  const named = ['url', 'urls', 'audio_url'].some((field) => field in request);
  const url = named ? {} : { video_url: 'https://media.example.com/a.mp4' };
  const input = operations[name].input.parse({ ...url, ...request });
  const probed = await Promise.all(
    [source].flat().map(async (one) => ({ ...one, probe: await probeMedia(ctx, one, signal) })),
  );
  const limits = taskLimits.parse({
    source_bytes: 1e9,
    source_seconds: 7200,
    task_seconds: 600,
    output_side_px: 1920,
  });
  const made = await mkdtemp(join(directory, 'made-'));
  const conditions = { limits, directory: made, signal };
  const plan = await analyzeAndPlan(ctx, plannerOf(name), input, probed, conditions);
  const rendered = await render(ctx, plan, { directory: made, sources: probed, signal });
  await verify(ctx, rendered);
  const file = await readFile(rendered.files[0].path);
  return { rendered, hash: createHash('sha256').update(file).digest('hex') };
}

/** @returns the hash of the result. */
async function cut(source: MediaSource, signal?: AbortSignal): Promise<string> {
  const { rendered, hash } = await operate('cut', span, source, signal);
  expect(rendered.data.copied_seconds).toBeGreaterThan(3);
  return hash;
}

const local = (path: string, format: Demuxer = 'mov') => completeSource({ path, format });

describe('a cut of six seconds out of a minute', () => {
  test.each(['last', 'first'] as const)(
    'reads its groups of pictures and no more, moov %s',
    async (where) => {
      const path = files[where];
      const { origin, source } = await remote(path);
      expect(await cut(source)).toBe(await cut(await local(path)));
      const { size } = await stat(path);
      expect(origin.asked.length).toBeLessThanOrEqual(7);
      expect(origin.sent()).toBeLessThan(size / 4);
      await source.whole();
      expect((await readFile((await source.whole()).path)).equals(await readFile(path))).toBe(true);
    },
  );
});

test('a cut out of Matroska, whose index names the video alone, reads the sound of its groups of pictures and no more', async () => {
  const { source, origin } = await remote(matroska);
  // The packets that prime its sound begin with a keyframe, and one lies before that.
  const request = { start: 40.3, duration: 4 };
  const whole = await operate('cut', request, await local(matroska, 'matroska'));
  const { rendered, hash } = await operate('cut', request, source);
  expect(rendered.data.spans).toContainEqual(expect.objectContaining({ copied: true }));
  expect(hash).toBe(whole.hash);
  expect(origin.sent()).toBeLessThan((await stat(matroska)).size / 3);
});

test('a cut of sound out of Matroska reads little of it, though it has a cover', async () => {
  const album = join(directory, 'album.mka');
  const noise = ['-f', 'lavfi', '-i', `anoisesrc=d=${2 * SECONDS}`, '-c:a', 'aac', '-b:a', '320k'];
  const attached = ['-attach', fixture('still.png'), '-metadata:s:t', 'mimetype=image/png', album];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', ...noise, ...attached]);
  const { source, origin } = await remote(album, {}, { near: null });
  await operate('cut', { audio_url: 'https://media.example.com/a.mka', start: 100, duration: 4 }, source);
  expect(origin.sent()).toBeLessThan((await stat(album)).size / 2);
});

test('a cut reads the texts that are shown in it, and no others', async () => {
  const [titles, titled] = [join(directory, 'titles.srt'), join(directory, 'titled.mp4')];
  const second = (at: number) => `00:00:${String(at).padStart(2, '0')},000`;
  const cue = (at: number) => `${at + 1}\n${second(at)} --> ${second(at + 1)}\ntitle ${at}\n`;
  const cues = Array.from({ length: SECONDS - 1 }, (_, at) => cue(at));
  await writeFile(titles, cues.join('\n'));
  const muxed = ['-map', '0', '-map', '1', '-c', 'copy', '-c:s', 'mov_text', titled];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-i', files.last, '-i', titles, ...muxed]);
  const { source, origin } = await remote(titled);
  const later = { start: 24.2, end: 26.5 };
  const segments = [later, { start: 20.3, end: 21.4 }];
  const { rendered, hash } = await operate('cut', { segments }, source);
  expect(hash).toBe((await operate('cut', { segments }, await local(titled))).hash);
  expect(origin.sent()).toBeLessThan((await stat(titled)).size / 3);
  const read = ['-v', 'error', '-nostdin', '-i', rendered.files[0].path, '-map', '0:s:0', '-f', 'srt', '-'];
  const { stdout } = await run(programs, 'ffmpeg', read);
  expect(stdout.match(/title \d+/g)).toEqual([24, 25, 26, 20, 21].map((at) => `title ${at}`));
});

/** Bytes of the file from the keyframe at or before one second to that at or behind another. */
async function bytesOf(path: string, from: number, to: number): Promise<number> {
  const { keyframes, end } = await indexOf(path);
  return (keyframes[Math.ceil(to / GROUP)] ?? end) - (keyframes[Math.floor(from / GROUP)] ?? 0);
}

/** Read beside what a range needs: the index, and the groups before and behind it, of a megabyte each. */
const ALSO = 3e6;

describe('what is drawn reads no more of a source than what is copied', () => {
  const fades = { fade_in: 1, fade_out: 1 };

  test('a cut that fades', async () => {
    const { origin, source } = await remote(files.first);
    const { rendered, hash } = await operate('cut', { ...span, ...fades }, source);
    expect(rendered.data.copied_seconds).toBeGreaterThan(2);
    expect(origin.sent()).toBeLessThan((await bytesOf(files.first, span.start, span.end)) + ALSO);
    expect(hash).toBe((await operate('cut', { ...span, ...fades }, await local(files.first))).hash);
  });

  test.each([0, 0.3])('a cut inside one group of pictures that fades for %d s', async (fade) => {
    const request = { start: 30.4, end: 31.6, fade_in: fade, fade_out: fade };
    const { origin, source } = await remote(files.first, {}, { near: 30.4 });
    const { rendered, hash } = await operate('cut', request, source);
    expect(rendered.data.copied_seconds).toBe(0);
    expect(origin.sent()).toBeLessThan((await stat(files.first)).size / 5);
    expect(hash).toBe((await operate('cut', request, await local(files.first))).hash);
  });

  test('ranges that fade', async () => {
    const segments = [
      { start: 40.1, end: 43.9 },
      { start: 20.3, end: 24.1 },
    ];
    const { origin, source } = await remote(files.first, {}, { near: 40.1 });
    const { rendered, hash } = await operate('cut', { segments, ...fades }, source);
    expect(rendered.data.copied_seconds).toBeGreaterThan(2);
    expect(origin.sent()).toBeLessThan((await stat(files.first)).size / 2);
    expect(hash).toBe((await operate('cut', { segments, ...fades }, await local(files.first))).hash);
  });

  test('clips that are merged', async () => {
    const url = 'https://media.example.com/a.mp4';
    const urls = [
      { url, start: 10.2, end: 15.8 },
      { url, start: 40.1, end: 46.3 },
    ];
    const [first, second] = [
      await remote(files.first, {}, { near: null }),
      await remote(files.last, {}, { near: null }),
    ];
    const request = { urls, transition: 'clock', duration: 1 };
    const { rendered, hash } = await operate('merge_urls', request, [first.source, second.source]);
    expect(rendered.data.copied_seconds).toBeGreaterThan(5);
    const beginning = await bytesOf(files.first, 0, GROUP);
    expect(first.origin.sent()).toBeLessThan((await bytesOf(files.first, 10.2, 15.8)) + beginning + ALSO);
    expect(second.origin.sent()).toBeLessThan((await bytesOf(files.last, 40.1, 46.3)) + beginning + ALSO);
    const here = [await local(files.first), await local(files.last)];
    expect(hash).toBe((await operate('merge_urls', request, here)).hash);
  });
});

/** Where the index of a file lies, and where its keyframes do. */
async function indexOf(path: string): Promise<{ moov: number; keyframes: number[]; end: number }> {
  const file = await readFile(path);
  const boxes = [...boxesIn(file, 0, file.length)];
  const [moov, media] = ['moov', 'mdat'].map((name) => boxes.find(({ type }) => type === name));
  if (!moov || !media) throw new Error('it is no mp4');
  const keyframes = keyframeOffsets(file.subarray(moov.from, moov.to));
  return { moov: moov.to - moov.from, keyframes, end: media.to };
}

test.each(['last', 'first'] as const)('the last frame costs few requests, moov %s', async (where) => {
  const { moov, keyframes, end } = await indexOf(files[where]);
  const near = plannerOf('frame_last').near?.({}) ?? null;
  const { origin, source } = await remote(files[where], {}, { near });
  const { rendered, hash } = await operate('frame_last', {}, source);
  expect(origin.asked.length).toBeLessThanOrEqual(4);
  expect(origin.sent()).toBeLessThan(moov + end - (keyframes.at(-1) ?? 0) + 128 * 1024);
  expect(rendered.data.timestamp).toBeCloseTo(SECONDS - 1 / 30, 4);
  expect(hash).toBe((await operate('frame_last', {}, await local(files[where]))).hash);
});

test('a frame costs its group of pictures, wherever that lies', async () => {
  const { moov, keyframes } = await indexOf(files.last);
  const { origin, source } = await remote(files.last, {}, { near: 31 });
  const { hash } = await operate('frame', { timestamps: [31] }, source);
  const [key = 0, next = 0] = keyframes.slice(Math.floor(31 / GROUP));
  expect(origin.asked.length).toBeLessThanOrEqual(4);
  expect(origin.sent()).toBeLessThan(moov + next - key + 128 * 1024);
  expect(hash).toBe((await operate('frame', { timestamps: [31] }, await local(files.last))).hash);
});

describe('all packets of a video', () => {
  test.each(['first', 'last'] as const)('are listed by the index alone, moov %s', async (where) => {
    const { origin, source } = await remote(files[where]);
    const { rendered } = await operate('probe', { url: 'https://media.example.com/a.mp4' }, source);
    const { rendered: wanted } = await operate(
      'probe',
      { url: 'https://media.example.com/a.mp4' },
      await local(files[where]),
    );
    expect(rendered.data).toEqual(wanted.data);
    expect(rendered.data).toMatchObject({ keyframe_interval: { count: SECONDS / GROUP } });
    expect(origin.sent()).toBeLessThan((await stat(files[where])).size / 10);
  });

  test.each(['plain', 'open-gop', 'edit-list', 'vfr', 'hevc', 'hevc-10bit', 'av1', 'one-frame', 'ntsc-film'])(
    'are the same without their bytes: %s.mp4',
    async (name) => {
      const path = fixture(`${name}.mp4`);
      const here = await local(path);
      const { video } = await probeMedia(ctx, here);
      if (!video) throw new Error('a fixture without video');
      const hollow = join(directory, `hollow-${name}.mp4`);
      const bytes = await readFile(path);
      for (const box of boxesIn(bytes, 0, bytes.length)) {
        if (box.type === 'mdat') bytes.fill(0, box.body, box.to);
      }
      await writeFile(hollow, bytes);
      const list = async (file: string) => listPackets(ctx, await local(file), video, [], undefined);
      expect(await list(hollow)).toEqual(await list(path));
    },
  );
});

test('a fragmented file is learnt from its beginning, as it is where it is all here', async () => {
  const path = join(directory, 'fragmented.mp4');
  const how = ['-c', 'copy', '-movflags', 'frag_keyframe+empty_moov', path];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-i', files.last, ...how]);
  const { origin, source } = await remote(path);
  expect(await probeMedia(ctx, source)).toEqual(await probeMedia(ctx, await local(path)));
  expect(origin.sent()).toBeLessThan((await stat(path)).size / 4);
});

/** What the index and the last group of pictures may be exceeded by, for the beginning of the file and of its media. */
const BESIDE = 128 * 1024;

test.each(['last', 'first'] as const)(
  'the last frame reads the index and the last group of pictures, moov %s',
  async (where) => {
    const path = files[where];
    const { origin, source } = await remote(path, {}, { near: 1e9 });
    const made = await mkdtemp(join(directory, 'last-'));
    const planner = plannerOf('frame_last');
    const input = operations.frame_last.input.parse({
      ...{ video_url: 'https://media.example.com/a.mp4', format: 'png' },
    });
    const probed = [{ ...source, probe: await probeMedia(ctx, source) }];
    const limits = taskLimits.parse({
      source_bytes: 1e9,
      source_seconds: 7200,
      task_seconds: 600,
      output_side_px: 1920,
    });
    const plan = await analyzeAndPlan(ctx, planner, input, probed, { limits, directory: made });
    await verify(ctx, await render(ctx, plan, { directory: made, sources: probed }));
    const file = await readFile(path);
    const boxes = [...boxesIn(file, 0, file.length)];
    const moov = boxes.find(({ type }) => type === 'moov');
    const mdat = boxes.find(({ type }) => type === 'mdat');
    const last = keyframeOffsets(file.subarray(moov?.from, moov?.to)).at(-1) ?? 0;
    const needed = (moov?.to ?? 0) - (moov?.from ?? 0) + (mdat?.to ?? 0) - last;
    expect(origin.sent()).toBeLessThanOrEqual(needed + BESIDE);
    expect(origin.asked.length).toBeLessThanOrEqual(4);
  },
);

test('the keyframes of an index lie where ffprobe finds them', async () => {
  for (const path of Object.values(files)) {
    const entries = ['-select_streams', 'v', '-show_entries', 'packet=pos,flags', '-of', 'csv=p=0'];
    const { stdout } = await run(programs, 'ffprobe', ['-v', 'error', ...entries, path]);
    const lines = stdout.trim().split('\n');
    const found = lines.filter((line) => line.includes('K')).map((line) => Number.parseInt(line, 10));
    expect((await indexOf(path)).keyframes).toEqual(found);
    expect(found).toHaveLength(SECONDS / GROUP);
  }
});

describe('what goes wrong with the source while a worker process waits for it', () => {
  const fails = async (manners: Manners, options: Partial<SourceOptions> = {}) => {
    const { source, origin } = await remote(files.last, manners, options);
    const failure = await failureOf(cut(source));
    expect(origin.asked.length).toBeGreaterThan(2);
    return failure.code;
  };

  test('ends the work with the code of the source', async () => {
    expect(await fails({ etag: (number) => `"${number > 2}"` })).toBe('source_changed');
    expect(
      await fails({
        instead: ({ number, response }) => {
          if (number > 2) response.socket?.destroy();
          return number > 2;
        },
      }),
    ).toBe('source_unreachable');
    const silent: Manners = {
      instead: ({ number, response, file, span: wanted }) => {
        if (number <= 2 || !wanted) return false;
        const range = `bytes ${wanted[0]}-${wanted[1] - 1}/${file.length}`;
        response.writeHead(206, { 'content-range': range }).write(file.subarray(wanted[0], wanted[0] + 1000));
        return true;
      },
    };
    const pace = { idle: 300, window: 60_000, bytesPerSecond: 1, every: 50 };
    expect(await fails(silent, { pace })).toBe('source_too_slow');
    expect(await cut(await local(files.last))).toMatch(/^[0-9a-f]{64}$/);
  });

  test('or with the reason of an abort, and another process takes the next work', async () => {
    const control = new AbortController();
    const reason = new Error('given up');
    const { source } = await remote(
      files.last,
      {
        instead: ({ number }) => {
          if (number === 3) control.abort(reason);
          return number >= 3;
        },
      },
      { signal: control.signal },
    );
    await expect(cut(source, control.signal)).rejects.toBe(reason);
    await expect.poll(() => libav?.pids.length).toBe(1);
    expect(await cut(await local(files.last))).toMatch(/^[0-9a-f]{64}$/);
  });
});
