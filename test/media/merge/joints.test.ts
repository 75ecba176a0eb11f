import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { programs } from '../../fixtures/make.ts';
import { likeness } from '../../fixtures/packets.ts';
import { sampled } from '../../sampled.ts';
import { operateOn } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-joints-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const path = (name: string) => join(directory, `${name}.mp4`);
const bt709 = ['-colorspace', 'bt709', '-color_trc', 'bt709', '-color_primaries', 'bt709'];

/** Three seconds in which everything moves, at a quality that leaves nothing to be seen of the coding. */
async function make(name: string, picture: string, filters: string, ...more: string[]): Promise<void> {
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', picture, '-t', '3', '-vf', filters],
    ...['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '6', '-g', '30', ...more, path(name)],
  ]);
}

const moving = 'testsrc2=s=320x180:r=30';
const other = 'testsrc2=s=320x180:r=30,negate,hflip';
const eight = 'format=yuv420p';

beforeAll(async () => {
  const full = 'scale=out_range=full,format=yuvj420p';
  await Promise.all([
    make('plain-a', moving, eight),
    make('plain-b', other, eight),
    make('bt709-a', moving, eight, ...bt709, '-color_range', 'tv'),
    make('bt709-b', other, eight, ...bt709, '-color_range', 'tv'),
    make('full-a', moving, full, '-color_range', 'pc'),
    make('full-b', other, full, '-color_range', 'pc'),
    make('deep-a', moving, 'format=yuv420p10le'),
    make('deep-b', other, 'format=yuv420p10le'),
    make('wide', 'mandelbrot=s=480x180:r=25', eight),
  ]);
  const turned = ['-i', path('plain-b'), '-c', 'copy', '-metadata:s:v', 'rotate=90', path('turned')];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...turned]);
}, 120_000);

const url = 'https://media.example.com/clip';

/** The same merge by libav, which copies the bodies and draws the joint, and by the program. */
async function both(files: string[], transition: string) {
  const request = { urls: files.map(() => url), transition, duration: 1 };
  const warnings: string[] = [];
  const paths = files.map(path);
  const ours = await operateOn('merge_urls', paths, request, {
    onWarning: (message) => void warnings.push(message),
  });
  expect(warnings).toEqual([]);
  expect(ours.data.copied_seconds).toBeGreaterThan(1);
  return { ours, theirs: await operateOn('merge_urls', paths, request, { libav: null }) };
}

/** The joint lasts from second 2 to second 3. */
const JOINT = [60, 90] as const;
/** Decibels that a frame reaches where it is drawn alike, and not where it is the one before or behind. */
const ALIKE = 36;

describe('a joint that libav draws is that of the program, frame by frame', () => {
  test.each<[string, string, number?]>(
    sampled(
      [
        ['fade', 'plain'],
        ['clock', 'plain'],
        ['fade', 'bt709'],
        ['keyhole', 'full'],
        ['slideleft', 'bt709'],
        ['clouds', 'full'],
        ['zoomin', 'deep'],
        ['blindsh', 'deep'],
        // Its way through RGB rounds saturated chroma.
        ['glitch', 'bt709', 33],
        ['glitch', 'full', 33],
        ['whipleft', 'full'],
        ['whipright', 'plain'],
        ['whipup', 'bt709'],
        ['whipdown', 'deep'],
        ['spin', 'full'],
        ['spinccw', 'deep'],
        ['zoomblurin', 'full'],
        ['zoomblurout', 'deep'],
        ['flash', 'full'],
        ['lightleak', 'deep'],
      ],
      4,
    ),
  )('%s of clips (%s)', async (transition, kind, alike = ALIKE) => {
    const { ours, theirs } = await both([`${kind}-a`, `${kind}-b`], transition);
    const psnr = (await likeness(ours.path, theirs.path)).slice(...JOINT);
    expect(psnr).toHaveLength(30);
    expect(Math.min(...psnr)).toBeGreaterThan(alike);
  });

  test.each(['wide', 'turned'])('into a clip that is brought to the first (%s)', async (second) => {
    const { ours, theirs } = await both(['plain-a', second], 'wiperight');
    const psnr = (await likeness(ours.path, theirs.path)).slice(...JOINT);
    expect(psnr).toHaveLength(30);
    expect(Math.min(...psnr)).toBeGreaterThan(ALIKE);
  });

  test('and not that of a frame beside it', async () => {
    const { ours, theirs } = await both(['plain-a', 'plain-b'], 'fade');
    const late = join(directory, 'late.mp4');
    const filters = ['-vf', 'trim=start_frame=1', '-crf', '6', '-preset', 'veryfast'];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', theirs.path, ...filters, late]);
    const psnr = (await likeness(ours.path, late)).slice(...JOINT);
    expect(Math.max(...psnr.slice(0, 29))).toBeLessThan(ALIKE);
  });
});
