import { expect, test } from 'vitest';
import { type CaptionPreset, captionPresetNames } from '../../../schema/media/caption-presets.ts';
import { sampled } from '../../sampled.ts';
import { drawnOver, expectInside, marginsOf, showsSomething, textsOf } from './drawn.ts';

const texts = [
  '<i>Wafting jiffies</i> of <b>fjord</b> <i>fluff</i>',
  '<c.red>Donau<i>dampfschifffahrt</i></c>',
  '<v Ann><i>Off!</i></v> <v Bob><b>Stuff</b></v>',
  'مرحبا <i>بكم</i> <b>في</b>',
  '<i>今日は街を</i>歩いて',
  '<i>Party 🎉 off</i>',
];
const emoji = { wafting: '🔥', fluff: '👨‍👩‍👧', off: '❤️', stuff: '👍🏽', بكم: '🚀', 街: '🎉', party: '🏳️‍🌈' };
const shapes = [
  [480, 270],
  [270, 480],
  [320, 320],
] as const;

/** Slanted letters reach out of their line, and bold ones are wider. */
test.each(sampled(captionPresetNames, 3))(
  'slanted, bold and colored words of %s stay inside the margins',
  (preset: CaptionPreset) => {
    for (const [width, height] of shapes) {
      const captions = texts.map((text, index) => ({ start: index, end: index + 1, text }));
      const request = {
        captions,
        preset,
        max_lines: 3,
        speaker_colors: ['#7fd4ff', '#402010'],
        emoji,
        outputs: [],
      };
      const [document = ''] = textsOf(request, { width, height, duration: captions.length });
      const bytes = drawnOver(
        document,
        { width, height, rate: 4, color: '0x808080' },
        captions.length,
        'gray',
      );
      const [size, outer] = [width * height, marginsOf(width, height)];
      for (let at = 0; at < bytes.length / size; at++)
        expectInside(
          bytes.subarray(at * size, (at + 1) * size),
          outer,
          width,
          `${width} × ${height}, frame ${at}`,
        );
      for (const [index, text] of texts.entries()) {
        const frame = bytes.subarray((4 * index + 3) * size, (4 * index + 4) * size);
        expect(showsSomething(frame), text).toBe(true);
      }
    }
  },
);

test('an outline in pixels is as wide in every font', () => {
  const captions = [{ start: 0, end: 1, text: 'Hello' }];
  const outlines = (['Inter', 'Poppins', 'Bangers'] as const).map((font_family) => {
    const style = { font_family, outline_px: 10 };
    const [document = ''] = textsOf(
      { captions, preset: 'minimal', style, outputs: [] },
      { width: 1280, height: 720, duration: 1 },
    );
    return /^Style: .*$/m.exec(document)?.[0].split(',').at(16);
  });
  expect(outlines).toEqual(['10', '10', '10']);
});
