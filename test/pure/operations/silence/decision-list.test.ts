import { expect, test } from 'vitest';
import { operations } from '../../../../schema/operations/index.ts';
import type { Segment } from '../../../../transcoder/operations/silence/detect.ts';
import { editByText } from '../../../../transcoder/operations/silence/edit-by-text.ts';
import { silenceProcess } from '../../../../transcoder/operations/silence/silence-process.ts';
import { like, means } from '../sources.ts';

const video_url = 'https://media.example.com/a.mp4';

test('a decision list that is longer than /silence_process takes means the same there without what is kept', () => {
  const words = Array.from({ length: 4000 }, (_, index) => ({
    ...{ text: index % 2 ? 'um' : 'oh', start: 0.5 + index * 0.5, end: 0.8 + index * 0.5 },
  }));
  const long = like({ duration: 2100, frames: 63_000 }, { duration: 2100 });
  const known = { probes: [long], facts: { survey: null }, ...means };
  const request = operations.edit_by_text.input.parse({ video_url, words, remove: { fillers: true } });
  const { data, time_map } = editByText.plan({ input: request, ...known });
  const segments = (data as { segments: Segment[] }).segments;
  const { input } = operations.silence_process;
  const refused = input.safeParse({ video_url, segments });
  expect(segments.length).toBe(4000);
  expect(refused.error?.issues[0]?.message).toMatch(/^has 4000 items; .*Leave out those with `keep`/);
  const silent = segments.filter(({ action }) => action === 'silent');
  const applied = input.parse({ video_url, segments: silent });
  const plan = silenceProcess.plan({ input: applied, ...known });
  expect(plan.data.segments).toEqual(segments);
  expect(plan.time_map).toEqual(time_map);
});

test('more silent segments than /silence_process takes are refused with what helps', () => {
  const segments = Array.from({ length: 3001 }, (_, at) => ({ start: at, end: at + 0.5, action: 'silent' }));
  const refused = operations.silence_process.input.safeParse({ video_url, segments });
  expect(refused.error?.issues[0]?.message).toBe(
    'has 3001 items; at most 3000 are allowed. 3001 of them are `silent`: divide the source into several tasks',
  );
});
