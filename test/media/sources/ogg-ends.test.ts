import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readSound } from '../../fixtures/barcode.ts';
import { programs } from '../../fixtures/make.ts';
import { oggChecksum } from '../../fixtures/ogg-checksum.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

const SECONDS = 2;
const RATE = 16_000;
const [GRANULE, CHECKSUM] = [6, 22];

/** A sound whose last page states its end that much later. */
async function ending(codec: 'vorbis' | 'speex', samples: number): Promise<string> {
  const path = join(scratch(), `${codec}${samples}.ogg`);
  const noise = ['-f', 'lavfi', '-i', `anoisesrc=d=${SECONDS}:r=${RATE}:seed=4:a=0.3`];
  const encoded = ['-page_duration', '200000', '-c:a', `lib${codec}`, path];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...noise, ...encoded]);
  const bytes = await readFile(path);
  const page = bytes.subarray(bytes.lastIndexOf('OggS'));
  page.writeBigInt64LE(page.readBigInt64LE(GRANULE) + BigInt(samples), GRANULE);
  page.writeUInt32LE(0, CHECKSUM);
  page.writeUInt32LE(oggChecksum(page), CHECKSUM);
  await writeFile(path, bytes);
  return path;
}

/** Packets of Speex have 320 samples. */
test.each(
  sampled(
    [
      ['vorbis', RATE],
      ['speex', RATE],
      ['speex', -400],
    ] as const,
    3,
  ),
)('%s whose last granule is %i samples late ends with its packets', async (codec, samples) => {
  const source = await ending(codec, samples);
  const probed = await operate('probe', source, {});
  const { duration } = JSON.parse(await readFile(probed.path, 'utf8'));
  expect(Math.abs(duration - SECONDS)).toBeLessThan(0.05);
  const cut = await operate('cut', source, { audio_url: '', start: 0, end: SECONDS });
  expect(Math.abs((await readSound(cut.path)).length / 48_000 - SECONDS)).toBeLessThan(0.06);
  const copy = await operate('remux', source, { audio_url: '', format: 'mkv' });
  const copied = await operate('probe', copy.path, {});
  const stated = JSON.parse(await readFile(copied.path, 'utf8'));
  expect(Math.abs(stated.duration - SECONDS)).toBeLessThan(0.05);
});
