import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readSound } from '../../fixtures/barcode.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

const make = (args: string[], path: string) =>
  run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args, path]);
const picture = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=25:d=4'];
const noise = ['-f', 'lavfi', '-i', 'anoisesrc=d=4:r=44100:seed=4:a=0.3'];

test.each(sampled(['ts', 'mkv', 'mp4'], 3))(
  'a rendered range that ends where packets of sound are missing is silent there: %s',
  async (extension) => {
    const [whole, path] = ['whole', 'gap'].map((name) => join(scratch(), `${name}.${extension}`));
    if (!whole || !path) throw new Error('unreachable');
    // 4:4:4 is not copied.
    const codecs = ['-c:v', 'libx264', '-pix_fmt', 'yuv444p', '-c:a', 'aac', '-pes_payload_size', '0'];
    await make([...picture, ...noise, ...codecs], whole);
    const missing = 'noise=drop=between(n\\,70\\,90)';
    await make(['-i', whole, '-c', 'copy', '-bsf:a', missing, '-pes_payload_size', '0'], path);
    const cut = await operate('cut', path, { start: 0.4, end: 2 });
    const sound = await readSound(cut.path);
    const rate = 48_000;
    expect(Math.abs(sound.length / rate - 1.6)).toBeLessThan(0.06);
    expect(sound.subarray(0.8 * rate, 1.1 * rate).some((sample) => Math.abs(sample) > 0.1)).toBe(true);
    expect(sound.subarray(1.4 * rate, 1.55 * rate).every((sample) => Math.abs(sample) < 0.01)).toBe(true);
  },
);
