import { expect, test } from 'vitest';
import { outputName } from '../../../worker/lib/text/output-name.ts';

test.each([
  ['my.mp4', 'my'],
  ['my.MP4', 'my'],
  ['my', 'my'],
  ['my.mp3', 'my'],
  ['my.jpeg', 'my'],
  ['my.srt', 'my'],
  ['My Talk.final.mov', 'My Talk.final'],
  ['v1.2', 'v1.2'],
  ['talk.2026-11-22', 'talk.2026-11-22'],
  ['talk.mp4 ', 'talk'],
  ['talk.mp4.', 'talk'],
  ['talk.mp4.mp4', 'talk.mp4'],
  ['talk.mp4.backup', 'talk.mp4.backup'],
  ['mp4', 'mp4'],
  ['.mp4', 'mp4'],
  ['../a/b.webm', 'a_b'],
  ['con.mp4', '_con'],
  ['é.flac', 'é'],
])('a download called %j is %j and the extension of the result', (given, expected) => {
  expect(outputName(given)).toBe(expected);
});
