import { expect, test } from 'vitest';
import { parseCaptions } from '../../../../schema/media/captions.ts';

test.each([
  [
    'SubRip',
    [
      '1\n00:00:01,000 --> 00:00:02,000\nOne\n',
      '2\n#2 --> #2\nTwo\n',
      '3\n#2 --> #2\nThree\n',
      '4\n#3 --> #3\nFour\n',
    ],
  ],
  [
    'ASS',
    [
      '[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,,,0,0,0,,One',
      ...[
        'Dialogue: 0,0:00:02.00,0:00:02.00,,,0,0,0,,Two',
        'Dialogue: 0,0:00:02.00,0:00:02.00,,,0,0,0,,Three',
      ],
      'Dialogue: 0,0:00:03.00,0:00:03.00,,,0,0,0,,Four',
    ],
  ],
])('captions have a duration where %s states none', (_, lines) => {
  const parsed = parseCaptions(lines.join('\n').replace(/#(\d)/g, '00:00:0$1,000'));
  if (!('cues' in parsed)) return expect.unreachable();
  expect(parsed.cues.map(({ start, end, text }) => [start, end, text])).toEqual([
    [1, 2, 'One'],
    [2, 3, 'Two'],
    [2, 3, 'Three'],
    [3, 4, 'Four'],
  ]);
});
