import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, streamOf } from '../../fixtures/barcode.ts';
import { ebml, elementsOf } from '../../fixtures/ebml.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { operateOn, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

/** RFC 9559, sections 5.1.4.1.28.8 and 9. */
const cropping = { top: 0x54bb, bottom: 0x54aa };
const containing: readonly number[] = [0x18538067, 0x1654ae6b, 0xae];
const VIDEO = 0xe0;
/** Rows at either end that are not to be shown. */
const ROWS = 40;

const file = () => join(scratch(), 'cropped.mkv');

/** Cropping, which ffmpeg applies by itself since 7.1, and libav does not. */
beforeAll(async () => {
  const whole = join(scratch(), 'whole.mkv');
  await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-i', fixture('plain.mp4'), '-c', 'copy', whole]);
  await writeFile(file(), cropped(await readFile(whole)));
});

/** Seek positions no longer hold; they are left out with the elements that state them. */
const positions: readonly number[] = [0x114d9b74, 0x1c53bb6b];

function cropped(bytes: Buffer): Buffer {
  return Buffer.concat(
    elementsOf(bytes)
      .filter(({ id }) => !positions.includes(id))
      .map(({ id, content }) => {
        if (containing.includes(id)) return ebml(id, cropped(content));
        if (id !== VIDEO) return ebml(id, content);
        const rows = Object.values(cropping).map((side) => ebml(side, Buffer.from([ROWS])));
        return ebml(id, content, ...rows);
      }),
  );
}

const video_url = 'https://media.example.com/cropped.mkv';

test.each([
  ['transcode', {}],
  ['cut', { start: 1.5, duration: 1 }],
  ['crop', { aspect_ratio: '16:9', fill: 'pad' }],
] as const)('/%s keeps the shape of pictures whose container crops them', async (operation, request) => {
  const { path } = await operateOn(operation, [file()], { video_url, ...request });
  const { width, height } = await streamOf(fixture('plain.mp4'), 'v');
  expect(await streamOf(path, 'v')).toMatchObject({ width, height });
  expect(await readNumbers(path)).toEqual(operation === 'cut' ? range(44, 74) : range(0, 180));
});
