import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { completeSource } from '../../../transcoder/media/execute/complete-source.ts';
import { probeMedia } from '../../../transcoder/media/probe/probe-media.ts';
import { isSpliced } from '../../../transcoder/model/splice.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { ctx, libav, operate, range } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-unfit-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Four seconds of the fixture, encoded with these arguments. */
async function encode(file: string, ...args: string[]): Promise<string> {
  const path = join(directory, file);
  const input = ['-v', 'error', '-nostdin', '-y', '-i', fixture('no-sound.mp4'), '-t', '4'];
  await run(programs, 'ffmpeg', [...input, ...args, path]);
  return path;
}

const x265 = (params: string) => [
  ...['-c:v', 'libx265', '-preset', 'ultrafast', '-x265-params', `log-level=none:keyint=30:${params}`],
];

/** Two streams one after the other under the sets of the first, those of the second in band. */
async function changing(): Promise<string> {
  const first = await encode('first.hevc', ...x265('ref=3'), '-pix_fmt', 'yuv420p');
  const second = await encode('second.hevc', ...x265('ref=1:ctu=16'), '-pix_fmt', 'yuv420p');
  const [joined, path] = [join(directory, 'joined.hevc'), join(directory, 'changing.mp4')];
  await writeFile(joined, Buffer.concat([await readFile(first), await readFile(second)]));
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-r', '30', '-i', joined, '-c', 'copy', '-tag:v', 'hev1', path],
  ]);
  return path;
}

/** The same file under the tag of Dolby Vision. */
async function tagged(): Promise<string> {
  const path = await encode('tagged.mp4', ...x265(''), '-pix_fmt', 'yuv420p10le', '-tag:v', 'hvc1');
  const bytes = await readFile(path);
  bytes.write('dvh1', bytes.indexOf('hvc1', bytes.indexOf('stsd')), 'latin1');
  await writeFile(path, bytes);
  return path;
}

/** Why frames of ours cannot stand in a source, as libav says. */
async function unfitOf(path: string): Promise<string | null> {
  const source = await completeSource({ path, format: 'mov' });
  const { video } = await probeMedia(ctx, source);
  if (!libav || !video || !isSpliced(video.codec)) throw new Error('nothing can be surveyed');
  const about = { codec: video.codec, stream: video.index, ranges: [[0, 1e6]] as [number, number][] };
  const found = await libav.ask({ kind: 'survey', source: source.parts(), ...about }, { sources: [source] });
  return found.unfit;
}

describe('sources that nothing can be spliced into', () => {
  test.each<[string, string, () => Promise<string>]>([
    ['4:2:2', 'profile', () => encode('422.mp4', ...x265(''), '-pix_fmt', 'yuv422p10le')],
    ['grey HEVC', 'profile', () => encode('gray.mp4', ...x265(''), '-pix_fmt', 'gray')],
    ['parameter sets that change', 'parameter_sets_change', changing],
    ['Dolby Vision', 'dolby_vision', tagged],
    ['4:4:4 in AV1', 'profile', () => av1('yuv444p')],
    ['grey AV1', 'chroma_format', () => av1('gray')],
  ])('are rendered: %s', async (_, why, make) => {
    const path = await make();
    expect(await unfitOf(path)).toBe(why);
    const done = await operate('cut', path, { start: 0.5, end: 3.5 });
    expect(done.data.copied_seconds).toBe(0);
    expect(await readNumbers(done.path)).toEqual(range(15, 105));
  });
});

const av1 = (format: string) =>
  encode(
    `av1-${format}.mp4`,
    ...['-c:v', 'libaom-av1', '-usage', 'realtime', '-cpu-used', '8', '-b:v', '2M'],
    '-pix_fmt',
    format,
  );
