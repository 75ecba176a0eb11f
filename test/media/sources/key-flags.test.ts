import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { operate, range } from '../operate.ts';
import { scratch } from '../scratch.ts';

const RATE = 30;

/** Without the table of sync samples, every sample is one (ISO/IEC 14496-12, 8.6.2). */
async function withoutTable(): Promise<Buffer> {
  const file = await readFile(fixture('plain.mp4'));
  file.write('free', file.indexOf('stss'), 'latin1');
  return file;
}

/** The flags of a sample that is no sync sample (8.8.3.1). */
const DEPENDENT = 0x01010000;

/** @param flags Of every sample of the fragments. */
async function fragmented(flags: number): Promise<Buffer> {
  const path = join(scratch(), 'fragments.mp4');
  const args = ['-v', 'error', '-y', '-i', fixture('plain.mp4'), '-map', '0:v', '-c', 'copy'];
  await run(programs, 'ffmpeg', [...args, '-movflags', 'frag_keyframe+empty_moov+default_base_moof', path]);
  const file = await readFile(path);
  for (const [type, flagged, place] of [
    ['tfhd', 0x20, 'last'],
    ['trun', 0x04, 'first'],
  ] as const) {
    for (let at = file.indexOf(type); at >= 0; at = file.indexOf(type, at + 4)) {
      if ((file.readUInt32BE(at + 4) & flagged) === 0) continue;
      // In a run, after the number of samples and the offset of the data.
      file.writeUInt32BE(flags, place === 'first' ? at + 16 : at - 4 + file.readUInt32BE(at - 4) - 4);
    }
  }
  return file;
}

test.each([
  ['an mp4 that flags every sample as a keyframe', withoutTable],
  ['an mp4 whose fragments flag every sample as a keyframe', () => fragmented(0)],
  ['an mp4 whose fragments flag no sample as a keyframe', () => fragmented(DEPENDENT)],
])('%s shows the right frames, and what can be copied is copied', async (name, make) => {
  const path = join(scratch(), `${name}.mp4`);
  await writeFile(path, await make());
  const count = (await readNumbers(fixture('plain.mp4'))).length;

  const shown = [0, 47, 76];
  const still = await operate('frame', path, {
    timestamps: shown.map((n) => (n + 0.5) / RATE),
    format: 'png',
  });
  const numbers = await Promise.all(still.files.map(async (file) => (await readNumbers(file.path))[0]));
  expect(numbers).toEqual(shown);
  const last = await operate('frame_last', path, { format: 'png' });
  expect(await readNumbers(last.path)).toEqual([count - 1]);
  const part = await operate('cut', path, { start: 0.5, end: 3.5 });
  expect(await readNumbers(part.path)).toEqual(range(15, 105));
  expect(part.data.copied_seconds).toBeGreaterThan(1);
  const fromKey = await operate('cut', path, { start: 1.1, end: 2.5, mode: 'keyframe' });
  expect((await readNumbers(fromKey.path))[0]).toBe(30);
});
