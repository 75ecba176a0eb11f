import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { failureOf, operateOn } from '../operate.ts';
import { scratch } from '../scratch.ts';

const video_url = 'https://media.example.com/film.mp4';
const requests = [
  ['probe', { url: video_url }],
  ['remux', { video_url, strip: 'all' }],
  ['cut', { video_url, start: 0.5, duration: 2 }],
] as const;

/** Common encryption, which libav opens without a key as if nothing were encrypted. */
const scheme = [
  ...['-encryption_scheme', 'cenc-aes-ctr', '-encryption_key', '76a6c65c5ea762046bd749a2e632ccbb'],
  ...['-encryption_kid', 'a7e61c373e219033c21091fa607bf3b8'],
];

test.each([
  ['front', ['-movflags', '+faststart']],
  ['back', []],
])(
  'an encrypted file, its index at the %s, is refused by name before anything is copied',
  async (name, flags) => {
    const file = join(scratch(), `${name}.mp4`);
    const args = ['-v', 'error', '-y', '-i', fixture('plain.mp4'), '-c', 'copy'];
    await run(programs, 'ffmpeg', [...args, ...scheme, ...flags, file]);
    for (const [operation, request] of requests) {
      const { code, detail } = await failureOf(operateOn(operation, [file], request));
      expect([operation, code, detail]).toEqual([
        ...[operation, 'source_not_media'],
        'The source is an encrypted file (DRM). Give a copy without copy protection.',
      ]);
    }
  },
);
