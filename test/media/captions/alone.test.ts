import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readTimes, streamOf } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { complaints } from '../../fixtures/packets.ts';
import { sampled } from '../../sampled.ts';
import { type Done, operateOn, range } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-test-alone-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const captions = [
  { start: 0.4, end: 0.9, text: 'Hello' },
  { start: 0.9, end: 1.4, text: 'there,' },
  { start: 1.4, end: 1.9, text: 'friend' },
  { start: 1.9, end: 2.4, text: '🎉' },
  { start: 3, end: 3.5, text: 'Good' },
  { start: 3.5, end: 4.5, text: 'bye.' },
];
const captioned = (request: object, source: string) =>
  operateOn('captions_auto', [source], {
    ...{ video_url: 'https://media.example.com/a.mp4', captions, outputs: [], ...request },
  });
const large = { font_size_percent: 14 };

/** By default ffmpeg decodes VP9 without its transparency. */
const decoded = (path: string) =>
  /\.(webm|mkv)$/.test(path) ? ['-c:v', 'libvpx-vp9', '-i', path] : ['-i', path];

const numbered = 'settb=1/30,setpts=N';

/** Least likeness of a frame, in dB, of `over` laid on `under` and of `wanted`. */
async function likenessOf(over: string, under: string, wanted: string): Promise<number> {
  const laid = `[0:v]${numbered},format=gbrp[u];[1:v]${numbered},format=gbrap[o];[u][o]overlay=format=gbrp`;
  const compared = `format=yuv420p[l];[2:v]${numbered},format=yuv420p[w];[l][w]psnr`;
  const inputs = ['-i', under, ...decoded(over), '-i', wanted];
  const graph = ['-filter_complex', `${laid},${compared}`, '-f', 'null', '-'];
  const { stderrTail } = await run(programs, 'ffmpeg', ['-hide_banner', '-nostdin', ...inputs, ...graph]);
  return Number(/ min:([\d.]+)/.exec(stderrTail)?.[1] ?? Number.NaN);
}

/** Smallest and largest level of a plane of all frames. */
async function levelsOf(path: string, plane: 'r' | 'g' | 'b' | 'a', from: number, to: number) {
  const file = join(directory, `levels-${plane}`);
  const filters = `trim=${from}:${to},format=gbrap,extractplanes=${plane},signalstats,metadata=print:file=${file}`;
  await run(programs, 'ffmpeg', [
    '-v',
    'error',
    '-nostdin',
    ...decoded(path),
    '-vf',
    filters,
    '-f',
    'null',
    '-',
  ]);
  const text = await readFile(file, 'utf8');
  const all = (name: string) =>
    [...text.matchAll(new RegExp(`${name}=(\\d+)`, 'g'))].map(([, level]) => Number(level));
  return [Math.min(...all('YMIN')), Math.max(...all('YMAX'))];
}

const videoTimes = async ({ path }: Pick<Done, 'path'>) => {
  const times = await readTimes(path);
  return times.map((time) => Number((time - (times[0] ?? 0)).toFixed(3)));
};

describe('captions on a transparent background', () => {
  test.each(
    sampled(
      [
        ['mov', 'prores', 'plain.mp4', 'mp4', 'podcast'],
        ['webm', 'vp9', 'plain.mp4', 'mp4', 'podcast'],
        ['mkv', 'vp9', 'plain.mp4', 'mp4', 'neon'],
        ['mov', 'prores', 'vfr.mkv', 'mp4', 'word_pop'],
        ['mov', 'prores', 'late.ts', 'mp4', 'minimal'],
        ['webm', 'vp9', 'rotated.mp4', 'mp4', 'candy'],
        ['mov', 'prores', 'wide-pixels.mp4', 'mp4', 'bold_box'],
      ],
      3,
    ),
  )('in %s (%s) over %s are what is burned in', async (format, codec, source, burnt, preset) => {
    const look = { preset, style: large };
    const done = await captioned({ ...look, background: 'transparent', format }, source);
    const burned = await captioned({ ...look, format: burnt, quality: { crf: 2 }, codec: 'h264' }, source);
    expect((await streamOf(done.path, 'v')).codec_name).toBe(codec);
    expect(await complaints(done.path)).toBe('');
    expect([done.width, done.height]).toEqual([burned.width, burned.height]);
    const likeness = await likenessOf(done.path, fixture(source), burned.path);
    console.log(`captions alone: ${preset} in ${format} over ${source} ${likeness} dB`);
    expect(likeness).toBeGreaterThan(38);
    // Nothing but captions is seen.
    const [, faint] = await levelsOf(done.path, 'a', 0, 0.3);
    expect(faint).toBeLessThanOrEqual(1);
    const [, opaque] = await levelsOf(done.path, 'a', 1, 2);
    expect(opaque).toBeGreaterThan(240);
    const found = await videoTimes(done);
    const wanted = await videoTimes({ path: fixture(source) });
    expect(found).toHaveLength(wanted.length);
    const off = found.map((time, index) => Math.abs(time - (wanted[index] ?? 0)));
    expect(Math.max(...off)).toBeLessThan(0.0011);
    expect(done.data).toMatchObject({ copied_seconds: 0, word_count: 6, times: 'given' });
  });

  test('have no sound, and the files that were asked for', async () => {
    const done = await captioned({ background: 'transparent', format: 'mov', outputs: ['srt'] }, 'plain.mp4');
    expect(await streamOf(done.path, 'a')).toEqual({});
    expect(done.files.map(({ role }) => role)).toEqual(['video', 'captions_srt']);
    expect(done.data.spans).toEqual([{ out: [0, 6], frames: 180, copied: false, rendered_because: 'drawn' }]);
    expect(done.warnings).toEqual([]);
  });

  test('last as long as the source whose sound outlasts its picture', async () => {
    const source = join(directory, 'longer-sound.mp4');
    const trimmed = ['-vf', 'trim=end_frame=60', '-t', '2.6', '-preset', 'ultrafast'];
    const input = ['-v', 'error', '-nostdin', '-i', fixture('plain.mp4')];
    await run(programs, 'ffmpeg', [...input, ...trimmed, source]);
    const done = await captioned({ background: 'transparent', format: 'mov' }, source);
    expect(await videoTimes(done)).toEqual(range(0, 60).map((frame) => Number((frame / 30).toFixed(3))));
    expect(Number((await streamOf(done.path, 'v')).duration)).toBeCloseTo(2.6, 2);
    expect(done.duration).toBeCloseTo(2.6, 2);
  });

  test('without libav are the same', async () => {
    const done = await operateOn(
      'captions_auto',
      ['plain.mp4'],
      { video_url: 'https://media.example.com/a.mp4', captions, background: 'transparent', format: 'mov' },
      { libav: null },
    );
    expect(await videoTimes(done)).toEqual(await videoTimes({ path: fixture('plain.mp4') }));
  });
});

describe('captions on green', () => {
  test.each(sampled(['plain.mp4', 'hdr10.mp4'], 3))('over %s stand on #00FF00', async (source) => {
    const done = await captioned({ background: 'green', style: large }, source);
    expect(await streamOf(done.path, 'v')).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p' });
    expect(await videoTimes(done)).toEqual(await videoTimes({ path: fixture(source) }));
    const levels = await Promise.all(
      (['r', 'g', 'b'] as const).map((plane) => levelsOf(done.path, plane, 0, 0.3)),
    );
    const [red, green, blue] = levels.map(([low = 0, high = 0]) => [low, high]);
    expect(Math.max(...(red ?? []), ...(blue ?? []))).toBeLessThanOrEqual(3);
    expect(Math.min(...(green ?? []))).toBeGreaterThanOrEqual(252);
    const [, white] = await levelsOf(done.path, 'r', 1, 2);
    expect(white).toBeGreaterThan(230);
    expect(done.warnings).toEqual([]);
  });
});
