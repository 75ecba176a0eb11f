import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { failureOf, operateOn } from '../operate.ts';
import { scratch } from '../scratch.ts';

const url = 'https://media.example.com/sound.m4a';
const requests = [
  ['probe', { url }],
  ['cut', { audio_url: url, start: 0.5, end: 0.9 }],
] as const;

test.each(sampled(['mha1', 'dtsx'], 3))(
  'sound in a codec without a decoder is refused by its name: %s',
  async (tag) => {
    const file = join(scratch(), `${tag}.m4a`);
    const tone = ['-f', 'lavfi', '-i', 'sine=440:d=1', '-c:a', 'alac', file];
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...tone]);
    const bytes = await readFile(file);
    // The sample entry, which comes before the configuration of the same name.
    bytes.write(tag, bytes.indexOf('alac', bytes.indexOf('stsd')), 'latin1');
    await writeFile(file, bytes);

    for (const [operation, request] of requests) {
      const { code, detail } = await failureOf(operateOn(operation, [file], request));
      expect([operation, code, detail]).toEqual([
        ...[operation, 'source_not_media'],
        `Nothing in the source can be decoded: its audio (${tag}) is damaged or coded in a way that is not supported.`,
      ]);
    }
  },
);

test('a picture that cannot be decoded is named, though the sound can', async () => {
  const [made, file] = [join(scratch(), 'made.ts'), join(scratch(), 'without-parameters.ts')];
  const ffmpeg = (args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);
  const inputs = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=25:d=1', '-f', 'lavfi', '-i', 'sine=440:d=1'];
  await ffmpeg([...inputs, '-c:v', 'libx264', '-c:a', 'aac', made]);
  await ffmpeg(['-i', made, '-c', 'copy', '-bsf:v', 'filter_units=remove_types=7-8', file]);
  const request = { video_url: 'https://media.example.com/made.ts', start: 0, end: 0.5 };
  const { code, detail } = await failureOf(operateOn('cut', [file], request));
  expect([code, detail]).toEqual([
    'source_no_video',
    'The video of the source is damaged or coded in a way that is not supported (codec: h264).',
  ]);
});
