import { describe, expect, test } from 'vitest';
import { operations } from '../../../../schema/operations/index.ts';
import { captionsIn } from '../../../../transcoder/operations/plan/captions/captioned.ts';
import { typefaceOf } from '../../../../transcoder/operations/plan/captions/layout.ts';
import { readCaptions } from '../../../../transcoder/operations/plan/captions/parse-input.ts';
import { letters } from '../../letters/letters.ts';

/** Captions of a second each. */
const srtOf = (texts: readonly string[]) =>
  texts
    .map((text, at) => {
      const [minutes, seconds] = [Math.floor(at / 60), at % 60].map((part) => String(part).padStart(2, '0'));
      return `${at + 1}\n00:${minutes}:${seconds},000 --> 00:${minutes}:${seconds},900\n${text}\n`;
    })
    .join('\n');

const captioned = (texts: readonly string[], request: object) => {
  const captions = srtOf(texts);
  const input = operations.captions_auto.input.parse({
    ...{ video_url: 'https://media.example.com/a.mp4', captions, ...request },
  });
  const read = { as: 'captions' as const, captions: readCaptions(captions, 'captions') };
  const picture = { width: 1920, height: 1080 };
  return captionsIn(
    { input, facts: { letters }, brought: { texts: [], timeMaps: [], read } },
    { duration: 1000, step: 1 / 30, canvas: picture, laidOutFor: picture, draws: true },
    [],
  );
};

describe('captions that are drawn once for each word', () => {
  const texts = Array.from({ length: 83 }, () => 'a '.repeat(156));
  const long = {
    ...{ max_lines: 4, max_chars_per_line: 80, layout: 'phrase', style: { font_size_percent: 1 } },
  };

  test.each([
    ['highlight', {}],
    ['pill', { style: { font_size_percent: 1, color: '#6D4AFF' } }],
  ])('are refused where that takes gigabytes: %s', (preset, style) => {
    expect(() => captioned(texts, { ...long, preset, ...style })).toThrow(
      'The captions have up to 156 words, and each is drawn again for every word that it highlights',
    );
  });

  test('are drawn if they are shorter, or in one piece', () => {
    expect(captioned(texts, { ...long, preset: 'clean' }).cues).toHaveLength(83);
    expect(captioned(texts, { ...long, preset: 'highlight', max_words: 40 }).cues.length).toBeGreaterThan(
      110,
    );
    expect(captioned(texts.slice(0, 82), { ...long, preset: 'highlight' }).cues).toHaveLength(82);
  });
});

test('replacements make at most 60,000 words of all captions together', () => {
  const replacements = [{ from: 'a', to: 'b '.repeat(50) }];
  const texts = Array.from({ length: 700 }, () => 'a a');
  expect(() => captioned(texts, { replacements, preset: 'clean' })).toThrow(
    'The text has 60,100 words; at most 60,000 are allowed.',
  );
});

test.each([
  ['Japanese', ['骨です。', '骨'], 'ja'],
  ['Korean', ['骨', '뼈'], 'ko'],
  ['Chinese', ['骨。', '骨、「骨」'], null],
  ['Chinese with a name in Korean', [...Array.from({ length: 20 }, () => '骨'), '뼈'], null],
])('lines of Han characters are drawn as the other captions are written: %s', (_, texts, expected) => {
  const { drawn, language } = captioned(texts, { preset: 'clean' });
  expect(typefaceOf(drawn).language).toBe(expected);
  expect(language).toBeNull();
});
