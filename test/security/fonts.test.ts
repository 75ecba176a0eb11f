import { readFileSync } from 'node:fs';
import type { RequestListener } from 'node:http';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { packagedFontPath } from '../../transcoder/letters/packaged-fonts.ts';
import { hostileFonts, mutatedFont, trueType } from '../fixtures/fonts.ts';
import { fixture } from '../fixtures/make.ts';
import { sampled } from '../sampled.ts';
import { type Ending, serve } from './case.ts';
import { type Stand, startStand } from './stand.ts';

const video = readFileSync(fixture('plain.mp4'));
const bangers = readFileSync(packagedFontPath('Bangers', true));
let stand: Stand;
beforeAll(async () => {
  stand = await startStand({}, 2);
}, 120_000);
afterAll(() => stand.close());

const captions = '1\n00:00:00,000 --> 00:00:02,000\nHello there\n';
const served =
  (font: RequestListener): RequestListener =>
  (request, response) =>
    (request.url?.endsWith('/font') ? font : serve(video))(request, response);

const attempt = (name: string, font: RequestListener, ends: readonly Ending[] = [], fontUrl?: string) =>
  stand.attempt({
    ...{ name: `font ${name}`, answer: () => served(font), ends, within: 90, plan: 'boost' },
    request: (url) => ({
      operation: 'captions_auto',
      input: { video_url: url, captions, style: { font_url: fontUrl ?? url.replace(/a$/, 'font') } },
    }),
  });

const large = Buffer.concat([trueType(), Buffer.alloc(64e6)]);
const endless: RequestListener = (_, response) => {
  response.writeHead(200);
  response.write(trueType().subarray(0, 1000));
  const more = setInterval(() => response.write(Buffer.alloc(400_000)), 2);
  response.on('close', () => clearInterval(more));
};

describe('a font', () => {
  test.each(sampled([...Object.entries(hostileFonts()), ['a font of 64 MB', large] as const], 2))(
    'at a URL is refused by name: %s',
    { timeout: 120_000 },
    async (name, bytes) => {
      const { ending, detail } = await attempt(name, serve(bytes));
      const empty = bytes.length === 0;
      expect([empty ? 'source_not_media' : 'font_invalid', 'font_invalid', 'source_truncated']).toContain(
        ending,
      );
      if (ending === 'font_invalid') expect(detail).toMatch(/^style\.font_url: /);
    },
  );

  test('without an end is refused', { timeout: 120_000 }, async () => {
    const { ending, detail } = await attempt('without an end', endless);
    expect([ending, detail]).toEqual(['font_invalid', expect.stringContaining('more than 32 MB')]);
  });

  test.each([
    'https://127.0.0.1/font.ttf',
    'https://169.254.169.254/font.ttf',
    'http://media.example.com/f.ttf',
    'file:///etc/passwd',
  ])('at %s is refused before the task', async (url) => {
    const { ending, detail } = await attempt(url, serve(bangers), [], url);
    expect(['source_forbidden', 'source_not_https', 'validation_failed']).toContain(ending);
    expect(detail).toContain('/style/font_url');
  });

  test('that is a film is called one', { timeout: 120_000 }, async () => {
    const { ending, detail } = await attempt('film', serve(video));
    expect([ending, detail]).toEqual([
      'font_invalid',
      expect.stringContaining('The URL returns a media file (video/mp4), not a font.'),
    ]);
  });

  test('that is missing is named', { timeout: 120_000 }, async () => {
    const { ending } = await attempt('missing', (_, response) => response.writeHead(404).end());
    expect(ending).toBe('source_http_error');
  });

  test('with random changes ends its task alone', { timeout: 240_000 }, async () => {
    const endings = await Promise.all(
      Array.from({ length: 6 }, (_, seed) =>
        attempt(`mutated ${seed}`, serve(mutatedFont(bangers, seed, 300))),
      ),
    );
    for (const { ending } of endings)
      expect(['completed', 'font_invalid', 'render_failed']).toContain(ending);
  });

  test('draws captions', { timeout: 120_000 }, async () => {
    expect(await attempt('good', serve(bangers))).toMatchObject({ ending: 'completed' });
  });

  test('stops nothing: the same transcoder does the next task and holds nothing', async () => {
    expect(await stand.goodTask()).toMatchObject({ ending: 'completed' });
    await expect.poll(() => stand.leftovers(), { timeout: 10_000 }).toEqual([]);
    expect(stand.transcoder.child.exitCode).toBeNull();
  });
});
