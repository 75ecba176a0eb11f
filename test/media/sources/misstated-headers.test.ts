import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readSound } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { failureOf, operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

const at = (name: string) => join(scratch(), name);
const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);
const SECONDS = 2;
const noise = ['-f', 'lavfi', '-i', `anoisesrc=d=${SECONDS}:r=48000:seed=4:a=0.3`];

const zeroAt = (bytes: Buffer, where: number, length: number) =>
  Buffer.from(bytes).fill(0, where, where + length);

/** Sounds whose recorder did not write how long they are, and those that it would have finished. */
const unfinished: Record<string, { args: string[]; change: (bytes: Buffer) => Buffer }> = {
  'rf64.wav': { args: ['-rf64', 'always'], change: (bytes) => zeroAt(bytes, 20, 24) },
  'form.aiff': { args: [], change: (bytes) => zeroAt(bytes, 4, 4) },
  'sound.aiff': { args: [], change: (bytes) => zeroAt(bytes, bytes.indexOf('SSND') + 4, 4) },
};

describe.each(sampled(Object.entries(unfinished), 3))('%s whose sizes are 0', (name, { args, change }) => {
  test('is read to its end', async () => {
    await ffmpeg(...noise, ...args, at(`whole-${name}`));
    await writeFile(at(name), change(await readFile(at(`whole-${name}`))));
    const [found, wanted] = await Promise.all(
      [name, `whole-${name}`].map(async (one) => {
        const made = await operate('transcode', at(one), { audio_only: true, format: 'wav' });
        return readSound(made.path);
      }),
    );
    expect(wanted).toHaveLength(SECONDS * 48_000);
    expect(found).toEqual(wanted);
  });
});

test('HEVC in AVI, which ffmpeg calls uncompressed, is decoded', async () => {
  const source = at('hevc.avi');
  const picture = ['-an', '-frames:v', '30', '-c:v', 'libx265', '-preset', 'ultrafast', '-vtag', '0x0'];
  await ffmpeg('-i', fixture('plain.mp4'), ...picture, source);
  const made = await operate('cut', source, { start: 0, end: 1 });
  expect(await readNumbers(made.path)).toEqual(Array.from({ length: 30 }, (_, index) => index));
});

test.each(
  sampled(
    [
      ['aac', ['-c:a', 'aac']],
      ['speex', ['-c:a', 'libspeex', '-ar', '16000']],
    ],
    3,
  ),
)('%s in WAV, of which nothing says where its frames begin, is refused by name', async (codec, args) => {
  await ffmpeg(...noise, ...args, at(`${codec}.wav`));
  const { code, detail } = await failureOf(
    operate('cut', at(`${codec}.wav`), { audio_url: '', start: 0, end: 1 }),
  );
  expect(code).toBe('source_not_media');
  expect(detail).toContain(`its audio (${codec})`);
});
