import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { captionFonts, packagedFonts } from '../../../schema/media/caption-presets.ts';
import { openBroughtFont } from '../../../transcoder/letters/fonts/brought-letters.ts';
import { installedFonts } from '../../../transcoder/letters/installed-fonts.ts';
import { loadLetters } from '../../../transcoder/letters/load-letters.ts';
import { packagedFontPath } from '../../../transcoder/letters/packaged-fonts.ts';
import { font as writing } from '../../../transcoder/media/steps/write-font.ts';
import { BROUGHT_FONT_FILE, FONTS } from '../../../transcoder/model/letters.ts';
import {
  compressedToWoff,
  compressedToWoff2,
  fontCollection,
  hostileFonts,
  mutatedFont,
  openType,
  trueType,
} from '../../fixtures/fonts.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { ctx, failureOf, operateOn } from '../operate.ts';
import { documentIn, marginsOf, outsideMiddle, textsOf } from './drawn.ts';
import { expectAllInside, said, shapes } from './every-script.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-test-fonts-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const srt = (text: string) => `1\n00:00:00,500 --> 00:00:05,000\n${text}\n`;
const font_url = 'https://media.example.com/brand.ttf';
const captioned = (text: string, style: object, options = {}) =>
  operateOn(
    'captions_auto',
    ['plain.mp4'],
    { video_url: 'https://media.example.com/a.mp4', captions: srt(text), style },
    options,
  );
const bangers = readFileSync(packagedFontPath('Bangers', true));

/** The picture at 2 s. */
const pictureOf = (path: string) =>
  execFileSync(programs.ffmpeg, [
    ...['-v', 'error', '-ss', '2', '-i', path, '-frames:v', '1', '-f', 'rawvideo', '-pix_fmt', 'gray', '-'],
  ]);

/** Mean difference of two pictures in levels. */
function difference(one: Buffer, other: Buffer): number {
  expect(one.length).toBe(other.length);
  return one.reduce((sum, value, at) => sum + Math.abs(value - (other[at] ?? 0)), 0) / one.length;
}

describe('a font of the caller', () => {
  test('draws as the same font does that is installed', async () => {
    const own = await captioned('Hello there', { font_url, font_size_percent: 14 }, { font: bangers });
    const packaged = await captioned('Hello there', { font_family: 'Bangers', font_size_percent: 14 });
    const plain = await captioned('Hello there', { font_size_percent: 14 });
    expect(difference(pictureOf(own.path), pictureOf(packaged.path))).toBeLessThan(0.3);
    expect(difference(pictureOf(own.path), pictureOf(plain.path))).toBeGreaterThan(3);
    expect(own.warnings).toEqual([]);
  });

  test('is drawn by libav and by the ffmpeg program alike', async () => {
    const request = ['Hello there', { font_url, font_size_percent: 14 }] as const;
    const [one, other] = [
      await captioned(...request, { font: bangers }),
      await captioned(...request, { font: bangers, libav: null }),
    ];
    expect(difference(pictureOf(one.path), pictureOf(other.path))).toBeLessThan(2);
  });

  test.each(
    sampled(
      [
        ['WOFF', async () => compressedToWoff(trueType())],
        ['WOFF2', () => compressedToWoff2(bangers)],
        ['OpenType', async () => openType()],
        ['a collection', async () => fontCollection()],
      ],
      3,
    ),
  )('can be %s', async (_, bytes) => {
    const done = await captioned('Hello there', { font_url }, { font: await bytes() });
    expect(done.warnings).toEqual([]);
  });

  test('borrows the letters that it lacks, and a warning says which', async () => {
    const { warnings } = await captioned('Hello Ελληνικά', { font_url }, { font: bangers });
    expect(warnings).toEqual([
      {
        code: 'font_lacks_letters',
        detail:
          'The font in style.font_url lacks 8 of 13 letters, which are drawn with other fonts: Ε λ η ν ι κ ά',
      },
    ]);
  });

  test('draws the letters that it has, of whatever script', async () => {
    const [{ path } = { path: '' }] = (await installedFonts(programs)).get('Noto Serif Hebrew') ?? [];
    const hebrew = readFileSync(path);
    const own = await captioned('שלום לכם', { font_url, font_size_percent: 14 }, { font: hebrew });
    const usual = await captioned('שלום לכם', { font_size_percent: 14 });
    expect(own.warnings).toEqual([]);
    expect(difference(pictureOf(own.path), pictureOf(usual.path))).toBeGreaterThan(0.5);
  });

  test('that lacks a single letter of many is used without a warning', async () => {
    const { warnings } = await captioned(
      `${'Hello there and then '.repeat(4)}Ω`,
      { font_url },
      { font: bangers },
    );
    expect(warnings).toEqual([]);
  });

  test('leaves the files of captions alone', async () => {
    const done = await operateOn(
      'captions_auto',
      ['plain.mp4'],
      {
        ...{ video_url: 'https://media.example.com/a.mp4', captions: srt('Hello there') },
        ...{ burn: false, outputs: ['srt', 'vtt'], style: { font_url } },
      },
      { font: bangers },
    );
    expect(readFileSync(done.files[1]?.path ?? '', 'utf8')).toContain('Hello there');
  });
});

/** Commands of the processes that have a font open. */
const opening = () =>
  execFileSync('ps', ['-eo', 'args', '-ww'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes('letters/fonts/main.') && line.includes('node'));

describe('a font that cannot be used', () => {
  test.each(sampled(Object.entries(hostileFonts()), 3))('ends its task if it is %s', async (_, font) => {
    const failure = await failureOf(captioned('Hello there', { font_url }, { font }));
    expect(failure.code).toBe('font_invalid');
    expect(failure.detail).toMatch(/^style\.font_url: .+\. (?:Export|Give) /);
  });

  test('with random changes is drawn or refused, and the next task completes', async () => {
    const fonts = [trueType(), bangers, openType()];
    const endings = new Set<string>();
    for (let seed = 0; seed < 12; seed++) {
      const font = mutatedFont(fonts[seed % 3] ?? bangers, seed, 400);
      const ending = await captioned('Hello there, fox & dog', { font_url }, { font }).then(
        () => 'completed',
        (error: { code?: string }) => error.code ?? String(error),
      );
      endings.add(ending);
    }
    for (const ending of endings) expect(['completed', 'font_invalid', 'render_failed']).toContain(ending);
    expect((await captioned('Hello there', { font_url }, { font: bangers })).warnings).toEqual([]);
  }, 240_000);

  test.runIf(ctx.programs.sandbox?.level === 'bwrap')(
    'is opened in a process that has no network and sees the directory of its task alone',
    async () => {
      const own = mkdtempSync(join(directory, 'own-'));
      writeFileSync(join(own, BROUGHT_FONT_FILE), bangers);
      const { letters, fonts } = await loadLetters(programs);
      const { sandbox } = ctx.programs;
      const brought = await openBroughtFont({ letters, fonts, directory: own, sandbox, signal: undefined });
      try {
        const command = opening().find((line) => line.includes('bwrap')) ?? '';
        expect(command).toContain('--unshare-net');
        expect(command.match(/--bind \S+/g)).toEqual([`--bind ${own}`]);
      } finally {
        brought.close();
      }
    },
  );

  test('is opened in a process that ends with the plan', async () => {
    await captioned('Hello there', { font_url }, { font: bangers });
    await expect.poll(opening).toEqual([]);
  });
});

const every = { preset: 'highlight', outputs: [] };

describe.each(
  sampled(
    packagedFonts.map((family, index) => [family, index] as const),
    4,
  ),
)('%s', (family, index) => {
  const own = join(directory, family);
  test.each(sampled(shapes, 3, index))(
    'draws every script inside the margins at %i × %i',
    async (width, height) => {
      await writing.run(
        ctx,
        { kind: 'font', file: `${family}/font.ttf`, family, bold: true },
        {
          ...{ directory, sources: [], onProgress: () => {} },
        },
      );
      const request = { ...every, captions: said, style: { font_family: family } };
      const [document = ''] = textsOf(request, { width, height, duration: said.length });
      expect(document).toContain(`\\fn${family}\\`);
      const outer = [...marginsOf(width, height), ...(height > width ? outsideMiddle(width, height) : [])];
      expectAllInside(document, width, height, outer, own);
    },
  );
});

describe.each(
  sampled(
    [
      ['of brush letters', packagedFontPath('Permanent Marker', true)],
      ['with CFF outlines', null],
    ] as const,
    3,
  ),
)('a font of the caller %s', (name, path) => {
  test.each(sampled(shapes, 3))('draws every script inside the margins at %i × %i', async (width, height) => {
    const own = mkdtempSync(join(directory, 'own-'));
    writeFileSync(join(own, BROUGHT_FONT_FILE), path ? readFileSync(path) : openType());
    const canvas = { width, height, duration: said.length };
    const document = await documentIn({ ...every, captions: said }, canvas, own);
    expect(existsSync(join(own, FONTS, BROUGHT_FONT_FILE)), name).toBe(true);
    const outer = [...marginsOf(width, height), ...(height > width ? outsideMiddle(width, height) : [])];
    expectAllInside(document, width, height, outer, join(own, FONTS));
  });
});

test('every family of the schema is installed', () => {
  const listed = execFileSync('fc-list', ['--format', '%{family}\n'], { encoding: 'utf8' }).split(/[\n,]/);
  for (const family of captionFonts)
    expect([
      family,
      listed.includes(family) || (packagedFonts as readonly string[]).includes(family),
    ]).toEqual([family, true]);
});

test('an emoji that no font has is named', async () => {
  const { warnings } = await captioned('Hi 🫩 there 🎉', {});
  expect(warnings).toEqual([
    { code: 'glyphs_missing', detail: 'No font has these emoji, which are left out: 🫩' },
  ]);
});
