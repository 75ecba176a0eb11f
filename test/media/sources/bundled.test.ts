import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { bundledAmr, plainAmr } from '../../fixtures/amr.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

const ffmpeg = (...args: string[]) =>
  run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args], { cwd: scratch() });

async function samplesOf(path: string): Promise<Int16Array> {
  const raw = join(scratch(), 'samples.raw');
  await ffmpeg('-i', path, '-ac', '1', '-f', 's16le', raw);
  const bytes = await readFile(raw);
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2).slice();
}

test.each(
  sampled(
    [
      { band: 'narrow', bundle: 10, rate: 8000 },
      { band: 'wide', bundle: 4, rate: 16_000 },
    ] as const,
    3,
  ),
)(
  'all $bundle frames in each packet of $band-band AMR are heard',
  async ({ band, bundle, rate }) => {
    const [plain, once, file] = [`${band}.amr`, `${band}.3gp`, `${band}-bundled.3gp`];
    await writeFile(join(scratch(), plain), plainAmr(band, 160));
    await ffmpeg('-i', plain, '-c', 'copy', once);
    await writeFile(join(scratch(), file), bundledAmr(await readFile(join(scratch(), once)), band, bundle));
    const wanted = await samplesOf(join(scratch(), plain));

    const done = await operate('transcode', join(scratch(), file), { audio_only: true, format: 'wav' });
    const all = await samplesOf(done.path);
    expect(all).toHaveLength(wanted.length);
    expect(all.findIndex((sample, n) => sample !== wanted[n])).toBe(-1);

    const cut = await operate('cut', join(scratch(), file), {
      audio_url: 'x',
      start: 1,
      end: 2,
    });
    expect(cut.duration).toBe(1);
    const heard = await samplesOf(cut.path);
    const power = (samples: Int16Array) => samples.reduce((sum, sample) => sum + sample * sample, 0);
    const ratio = power(heard.subarray(0, rate)) / power(wanted.subarray(rate, 2 * rate));
    expect(ratio).toBeGreaterThan(0.5);
  },
  120_000,
);
