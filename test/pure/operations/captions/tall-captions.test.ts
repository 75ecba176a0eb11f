import { expect, test } from 'vitest';
import { operations } from '../../../../schema/operations/index.ts';
import { captionsIn } from '../../../../transcoder/operations/plan/captions/captioned.ts';
import { laidOut } from '../../../../transcoder/operations/plan/captions/layout.ts';
import { letters } from '../../letters/letters.ts';

test.each([
  ['clean', 'bottom'],
  ['clean', 'top'],
  ['clean', 'center'],
  ['podcast', 'bottom'],
  ['word_pop', 'bottom'],
])('captions of large lines shrink until they stay between the margins: %s, %s', (preset, position) => {
  const text = 'Jumping quickly over all of the lazy dogs by the old quay';
  const input = operations.captions_auto.input.parse({
    ...{ video_url: 'https://media.example.com/a.mp4', preset, position, layout: 'phrase' },
    ...{ captions: [{ start: 0, end: 5, text }], safe_area: 'shorts' },
    ...{ max_lines: 4, max_chars_per_line: 18, style: { font_size_percent: 20 } },
  });
  const picture = { width: 1920, height: 1080 };
  const { cues, drawn } = captionsIn(
    { input, facts: { letters } },
    { duration: 10, step: 1 / 30, canvas: picture, laidOutFor: picture, draws: true },
    [],
  );
  const laid = cues.map((cue) => laidOut(cue, drawn));
  expect(Math.max(...laid.map(({ rows }) => rows.length))).toBe(4);
  for (const { rows, scale } of laid) {
    expect(scale).toBeGreaterThan(0.3);
    for (const { box } of rows) {
      expect(box.y).toBeGreaterThanOrEqual(drawn.place.top);
      expect(box.y + box.height).toBeLessThanOrEqual(picture.height - drawn.place.bottom);
    }
  }
});
