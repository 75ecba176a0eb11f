import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers, readPulses } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { failureOf, operate, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

const made = async (name: string, ...args: string[]): Promise<string> => {
  const path = join(scratch(), name);
  await run(programs, 'ffmpeg', ['-v', 'error', '-y', ...args, path]);
  return path;
};

const source = ['-i', fixture('plain.mp4')];

test.each(sampled(['adpcm_ima_wav', 'adpcm_yamaha'], 3))(
  'a wav of %s, whose header states other bytes per second, is cut where it is heard',
  async (codec) => {
    const path = await made(`${codec}.wav`, ...source, '-vn', '-c:a', codec);
    const stated = (await readFile(path)).readUInt32LE(28);
    const audio_url = 'https://media.example.com/sound.wav';
    const segments = [
      { start: 4.5, end: 5.5 },
      { start: 0.5, end: 1.5 },
    ];
    const cut = await operate('cut', path, { audio_url, segments });
    const [first = 0, second = 0, ...others] = await readPulses(cut.path);
    expect([first, second]).toEqual([expect.closeTo(0.5, 2), expect.closeTo(1.5, 2)]);
    expect(others).toEqual([]);
    const probed = await operate('probe', path, {});
    expect((probed.data as { duration: number }).duration).toBeCloseTo(6, 1);
    expect(stated).toBe(16_000);
  },
);

test('recordings that were joined, whose sounds overlap, are remuxed', async () => {
  const x264 = ['-c:v', 'libx264', '-preset', 'veryfast', '-bf', '0', '-c:a', 'aac', '-muxdelay', '0'];
  const parts = await Promise.all(
    [0, 2].map((from) =>
      made(
        `part-${from}.ts`,
        '-ss',
        `${from}`,
        '-t',
        '2',
        ...source,
        ...x264,
        '-output_ts_offset',
        `${from}`,
      ),
    ),
  );
  const path = join(scratch(), 'joined.ts');
  await writeFile(path, Buffer.concat(await Promise.all(parts.map((part) => readFile(part)))));
  for (const format of ['mp4', 'mkv']) {
    const copy = await operate('remux', path, { format });
    expect(await readNumbers(copy.path)).toEqual(range(0, 120));
  }
});

test('a remux that no container allows advises none', async () => {
  const path = await made('adpcm.avi', ...source, '-c:v', 'mpeg4', '-c:a', 'adpcm_ima_wav');
  for (const format of ['mp4', 'mkv']) {
    const { code, detail } = await failureOf(operate('remux', path, { format }));
    expect([code, detail]).toEqual(['codec_unsupported', expect.stringContaining('. Leave the track out')]);
  }
});
