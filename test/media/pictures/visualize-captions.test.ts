import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { packagedFontPath } from '../../../transcoder/letters/packaged-fonts.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sentences, speak } from '../../fixtures/speech.ts';
import { sampled } from '../../sampled.ts';
import { failureOf, operateOn } from '../operate.ts';
import { scratch } from '../scratch.ts';

const url = 'https://media.example.com/a';
const captions = '1\n00:00:01,000 --> 00:00:02,000\nThese are the words\n';
const made = (request: Record<string, unknown>, options = {}) =>
  operateOn('visualize', [fixture('tone.wav')], { audio_url: url, fps: 10, ...request }, options);

/** The grey picture at a second. */
const pictureAt = (path: string, second: number): Buffer =>
  execFileSync(programs.ffmpeg, [
    ...['-v', 'error', '-ss', `${second}`, '-i', path, '-frames:v', '1'],
    ...['-f', 'rawvideo', '-pix_fmt', 'gray', '-'],
  ]);

/** Rows in which two pictures differ. */
function rowsBetween(one: Buffer, other: Buffer, width: number): number[] {
  const rows = new Set<number>();
  for (const [at, value] of one.entries())
    if (Math.abs(value - (other[at] ?? 0)) > 60) rows.add(Math.floor(at / width));
  return [...rows];
}

describe('captions over a visualizer', () => {
  test.each(
    sampled(
      [
        [320, 180],
        [180, 320],
        [240, 240],
      ],
      3,
    ),
  )(
    'are drawn at their time, inside the margins and away from the bars, at %i × %i',
    async (width, height) => {
      const size = { width, height, style: 'bars' };
      const plain = await made(size);
      const done = await made({ ...size, captions: { captions } });
      expect(done.data).toMatchObject({
        captions: { word_count: 4, cue_count: 1, engine: null, times: 'given' },
      });
      const at = (second: number) =>
        rowsBetween(pictureAt(done.path, second), pictureAt(plain.path, second), width);
      expect(at(0.5)).toEqual([]);
      expect(at(2.5)).toEqual([]);
      const rows = at(1.5);
      expect(rows.length).toBeGreaterThan(4);
      expect(Math.min(...rows)).toBeGreaterThanOrEqual(Math.floor(0.05 * height));
      expect(Math.max(...rows)).toBeLessThan(height / 2);
    },
  );

  test('take the place, preset and font of the request', async () => {
    const style = { font_url: 'https://media.example.com/brand.ttf' };
    const asked = { captions, position: 'bottom', preset: 'word_pop', layout: 'phrase', style };
    const [plain, done] = [
      await made({ width: 320, height: 180 }),
      await made(
        { width: 320, height: 180, captions: asked },
        { font: readFileSync(packagedFontPath('Bangers', true)) },
      ),
    ];
    const rows = rowsBetween(pictureAt(done.path, 1.5), pictureAt(plain.path, 1.5), 320);
    expect(rows.some((row) => row > 130)).toBe(true);
    expect(done.warnings).toEqual([]);
  });

  test('are heard if the request has no text', async () => {
    const directory = await mkdtemp(join(scratch(), 'heard-'));
    const file = join(directory, 'talk.wav');
    await speak(sentences.slice(0, 1), file);
    const size = { width: 320, height: 180, fps: 5 };
    const captions = { language: 'en' };
    const done = await operateOn('visualize', [file], { audio_url: url, ...size, captions });
    expect(done.data).toMatchObject({ captions: { language: 'en', times: 'heard' } });
    const { word_count } = (done.data as { captions: { word_count: number } }).captions;
    expect(word_count).toBeGreaterThan(1);
    expect(done.warnings.map(({ code }) => code)).toContain('basic_engine');
  }, 60_000);

  test('need a font that is one', async () => {
    const asked = { captions, style: { font_url: 'https://media.example.com/brand.ttf' } };
    const failure = await failureOf(made({ captions: asked }, { font: Buffer.from('<html>') }));
    expect(failure).toMatchObject({ code: 'font_invalid', detail: expect.stringContaining('font_url') });
  });
});
