import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readSound } from '../../fixtures/barcode.ts';
import { programs } from '../../fixtures/make.ts';
import { VP8 } from '../../fixtures/vp8.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

const RATE = 48_000;
const lavfi = ['-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=25:d=4', '-f', 'lavfi'];
const input = [...lavfi, '-i', `anoisesrc=d=4:r=${RATE}:seed=4:a=0.3`];

/** As recorders write them, and how far their times are off, in ms. */
const recorders: Record<string, { codecs: string[]; off: string }> = {
  'vp8.webm': {
    codecs: [...VP8, '-c:a', 'libopus', '-frame_duration', '60'],
    off: '20*(mod(N\\,3)-1)',
  },
  'vp9.webm': {
    codecs: ['-c:v', 'libvpx-vp9', '-c:a', 'libopus', '-frame_duration', '60'],
    off: '25*mod(N\\,2)',
  },
  'h264.mkv': { codecs: ['-c:v', 'libx264', '-c:a', 'libopus'], off: '11*(mod(N\\,3)-1)' },
  'h264.flv': { codecs: ['-c:v', 'libx264', '-c:a', 'aac'], off: '14*(mod(N\\,3)-1)' },
};

async function recorded(name: string, off: string): Promise<string> {
  const { codecs } = recorders[name] ?? { codecs: [] };
  const [made, path] = ['made', off === '0' ? 'steady' : 'unsteady'].map((of) =>
    join(scratch(), `${of}-${name}`),
  );
  if (!made || !path) throw new Error('unreachable');
  const ffmpeg = (args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);
  await ffmpeg([...input, ...codecs, made]);
  await ffmpeg(['-i', made, '-c', 'copy', '-bsf:a', `setts=ts=PTS+40+${off}`, path]);
  return path;
}

/** The sound of a cut, and of all as WAV. */
async function heard(source: string): Promise<Float32Array[]> {
  const cut = await operate('cut', source, { start: 0.5, end: 3.5 });
  const whole = await operate('transcode', source, { audio_only: true, format: 'wav' });
  return [await readSound(cut.path), await readSound(whole.path)];
}

describe.each(sampled(Object.entries(recorders), 3))(
  '%s whose sound has the times at which it arrived',
  (name, { off }) => {
    test('is heard without a break', async () => {
      const steady = await heard(await recorded(name, '0'));
      const unsteady = await heard(await recorded(name, off));
      for (const [at, found] of unsteady.entries()) {
        const wanted = steady[at] ?? new Float32Array();
        expect(Math.abs(found.length - wanted.length)).toBeLessThan(0.06 * RATE);
        const lags: number[] = [];
        for (let from = 0.3 * RATE; from < wanted.length - 0.4 * RATE; from += 0.2 * RATE) {
          const part = found.subarray(from, from + 0.2 * RATE);
          // Noise is never silent.
          for (let ms = 0; ms < 200; ms += 5)
            expect(part.subarray(ms * 48, (ms + 5) * 48).some((sample) => Math.abs(sample) > 0.02)).toBe(
              true,
            );
          lags.push(shift(found, wanted, from));
        }
        expect(Math.max(...lags) - Math.min(...lags)).toBeLessThanOrEqual(2);
      }
    });
  },
);

/** How many samples later a sound is than another there, up to 30 ms either way. */
function shift(found: Float32Array, wanted: Float32Array, from: number): number {
  let best = { off: 0, value: Number.NEGATIVE_INFINITY };
  for (let off = -1400; off <= 1400; off++) {
    let value = 0;
    for (let at = 0; at < 2000; at += 2) value += (found[from + off + at] ?? 0) * (wanted[from + at] ?? 0);
    if (value > best.value) best = { off, value };
  }
  return best.off;
}
