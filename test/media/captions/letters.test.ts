import { describe, expect, test } from 'vitest';
import {
  type CaptionPreset,
  captionPresetNames,
  PUNCH_SIZE,
  PUNCH_WORDS,
  punchPresets,
} from '../../../schema/media/caption-presets.ts';
import { parseSubtitles } from '../../../schema/media/subtitles.ts';
import { sampled } from '../../sampled.ts';
import { marginsOf, outsideMiddle, textsOf } from './drawn.ts';
import { expectAllInside, said, shapes } from './every-script.ts';

/** The document that captions are drawn from. */
const documentOf = (preset: CaptionPreset, width: number, height: number, captions = said) =>
  textsOf({ captions, preset, outputs: [] }, { width, height, duration: said.length })[0] ?? '';

const numbered = shapes.map(([width, height], index) => [width, height, index] as const);

describe.each(sampled(numbered, 3))('in a picture of %i × %i', (width, height, index) => {
  const margins = marginsOf(width, height);
  test.each(sampled(captionPresetNames, 4, index))('%s draws every script inside the margins', (preset) => {
    const punch = height > width && punchPresets.includes(preset);
    const outer = punch ? [...margins, ...outsideMiddle(width, height)] : margins;
    expectAllInside(documentOf(preset, width, height), width, height, outer);
  });
});

test.each(
  sampled(
    [
      ['word_pop', 640, 360],
      ['bold_box', 480, 480],
    ] as const,
    3,
  ),
)('punch captions of %s at %i × %i are in the middle third', (preset, width, height) => {
  const request = { captions: said, preset, layout: 'punch', outputs: [] };
  const [document = ''] = textsOf(request, { width, height, duration: said.length });
  const outer = [...marginsOf(width, height), ...outsideMiddle(width, height)];
  expectAllInside(document, width, height, outer);
});

describe.each(sampled(captionPresetNames, 3))('punch captions of %s', (preset) => {
  const request = { captions: said, preset, layout: 'punch', outputs: ['srt'] };
  test.each(sampled(shapes, 3))(
    'show every word once, 1 to 4 at a time and large, at %i × %i',
    (width, height) => {
      const [document = '', srt = ''] = textsOf(request, { width, height, duration: said.length });
      const font = /^Style: Caption,([^,]*)/m.exec(document)?.[1] ?? '';
      const sizes = [...document.matchAll(new RegExp(`\\\\fn${font}\\\\fs([\\d.]+)`, 'g'))].map(
        ([, size]) => (100 * Number(size)) / Math.min(width, height),
      );
      expect(sizes.length).toBeGreaterThan(20);
      expect(Math.min(...sizes)).toBeGreaterThanOrEqual(PUNCH_SIZE.least - 0.01);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(PUNCH_SIZE.most + 0.01);
      const shown = parseSubtitles(srt) ?? [];
      expect(Math.max(...shown.map(({ text }) => text.split(' ').length))).toBeLessThanOrEqual(PUNCH_WORDS);
      const letters = (list: readonly { text: string }[]) =>
        list.map(({ text }) => text.replace(/\s/g, '')).join('');
      expect(letters(shown)).toBe(letters(said));
      for (const [index, { start }] of shown.slice(1).entries())
        expect(start).toBeGreaterThanOrEqual((shown[index]?.end ?? 0) - 0.001);
    },
  );
});
