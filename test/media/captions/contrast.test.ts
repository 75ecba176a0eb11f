import { expect, test } from 'vitest';
import { captionPresetNames } from '../../../schema/media/caption-presets.ts';
import { sampled } from '../../sampled.ts';
import { drawnOverAll, textsOf } from './drawn.ts';

/** Relative luminance of WCAG 2, of levels of sRGB. https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: ArrayLike<number>, at = 0): number {
  const linear = (offset: number) => {
    const share = (color[at + offset] ?? 0) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(0) + 0.7152 * linear(1) + 0.0722 * linear(2);
}

const contrast = (one: number, other: number) =>
  (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);

const backgrounds = {
  ...{ black: '0x000000', white: '0xffffff', grey: '0x808080', bright: '0xd8d8d0', red: '0xd02020' },
  ...{ green: '0x30c040', blue: '0x2040d0', yellow: '0xf0e040', cyan: '0x40e0f0', skin: '0xe0b090' },
};

/** Pixels between a letter and what is compared with it: half the outline of the thinnest preset. */
const AWAY = 2;

const [width, height] = [1280, 720];
const picture = { width, height, second: 1 };

/** The pixels of letters, and those that are `AWAY` pixels from one. @param mask A picture with the letters alone, in white. */
function pixelsOf(mask: Buffer): { letters: number[]; around: number[] } {
  const letter = (pixel: number) => (mask[3 * pixel] ?? 0) > 200;
  const [letters, around]: [number[], number[]] = [[], []];
  for (let y = AWAY; y < height - AWAY; y++) {
    for (let x = AWAY; x < width - AWAY; x++) {
      const pixel = y * width + x;
      const near = (reach: number) =>
        [reach, -reach, reach * width, -reach * width].some((offset) => letter(pixel + offset));
      if (letter(pixel)) letters.push(pixel);
      else if (!near(1) && near(AWAY)) around.push(pixel);
    }
  }
  if (letters.length === 0 || around.length === 0) throw new Error('there are no letters');
  return { letters, around };
}

const mean = (frame: Buffer, pixels: readonly number[]) =>
  pixels.reduce((sum, pixel) => sum + luminance(frame, 3 * pixel), 0) / pixels.length;

/** Contrast between the letters of a document and what surrounds them, over each color. */
function contrasts(document: string, colors: readonly string[]): number[] {
  // Letters alone: without outline, shadow, box, glow and mark.
  const bare = document
    .split('\n')
    .filter((line) => !line.includes('\\p1') && !line.includes('\\1a&HFF&'))
    .join('\n')
    .replace(/^(Style: Caption(?:,[^,]*){15}),[^,]*,[^,]*,/m, '$1,0,0,')
    .replace(/\\(?:blur|bord|shad)[\d.]+/g, '')
    .replace(/\\[1-4]?c&H[0-9A-F]{6}&/g, '')
    .replace(/^(Style: Caption,[^,]*,[^,]*),[^,]*,[^,]*,/m, '$1,&H00FFFFFF,&H00FFFFFF,');
  const [mask] = drawnOverAll(bare, picture, ['0x000000']);
  if (!mask) throw new Error('nothing is drawn');
  const { letters, around } = pixelsOf(mask);
  return drawnOverAll(document, picture, colors).map((frame) =>
    contrast(mean(frame, letters), mean(frame, around)),
  );
}

const documentOf = (request: object) =>
  textsOf(
    { captions: [{ start: 0, end: 2, text: 'Hamburg' }], outputs: [], ...request },
    { width, height, duration: 2 },
  )[0] ?? '';

test.each(sampled(captionPresetNames, 3))('%s can be read over ten colors', (preset) => {
  const found = contrasts(documentOf({ preset }), Object.values(backgrounds));
  for (const [index, name] of Object.keys(backgrounds).entries())
    expect(found[index], `contrast over ${name}`).toBeGreaterThanOrEqual(4.5);
});

test.each(
  sampled(
    [
      ['clean', { color: '#101010' }],
      ['clean', { outline_color: '#ffffff' }],
      ['neon', { color: '#0000ff' }],
      ['podcast', { color: '#101010' }],
      ['podcast', { background_color: '#ffffff' }],
      ['podcast', { background_opacity: 0 }],
      ['bold_box', { color: '#ffffff' }],
    ],
    3,
  ),
)('%s can be read with %j over ten colors', (preset, style) => {
  const found = contrasts(documentOf({ preset, style }), Object.values(backgrounds));
  for (const each of found) expect(each).toBeGreaterThanOrEqual(4.5);
});

test.each(sampled(['clean', 'highlight', 'bold_box', 'pill', 'neon', 'broadcast'], 3))(
  'keywords of %s can be read in any color',
  (preset) => {
    for (const color of ['#000000', '#ffe14d', '#808080', '#2040d0']) {
      const document = documentOf({ preset, keywords: [{ text: 'HAMBURG', color }] });
      const found = contrasts(document, [backgrounds.black, backgrounds.white, backgrounds.grey]);
      for (const each of found) expect(each, `contrast of ${color}`).toBeGreaterThanOrEqual(4.5);
    }
  },
);
