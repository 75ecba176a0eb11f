import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readSound } from '../../fixtures/barcode.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate } from '../operate.ts';
import { scratch } from '../scratch.ts';

const RATE = 44_100;
/** Of a packet of AAC, in ticks of 90 kHz. */
const PACKET = Math.round((1024 * 90_000) / RATE);

const made = join(scratch(), 'noise.mp4');
await run(programs, 'ffmpeg', [
  ...['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', 'testsrc2=s=64x48:r=25:d=4'],
  ...['-f', 'lavfi', '-i', `anoisesrc=d=4:r=${RATE}:seed=4:a=0.3`, '-c:v', 'libx264', '-c:a', 'aac', made],
]);

/** A transport stream with a packet of sound in each unit, whose times are changed by an expression of ffmpeg's setts. */
async function streamOf(name: string, times: string): Promise<string> {
  const path = join(scratch(), `${name}.ts`);
  await run(programs, 'ffmpeg', [
    ...['-v', 'error', '-nostdin', '-y', '-i', made, '-c', 'copy', '-pes_payload_size', '0'],
    ...['-bsf:a', `setts=ts=${times}`, path],
  ]);
  return path;
}

/** The sound of a cut, and of the whole as WAV. */
async function heard(source: string): Promise<Float32Array[]> {
  const cut = await operate('cut', source, { start: 0.5, end: 3.5 });
  const whole = await operate('transcode', source, { audio_only: true, format: 'wav' });
  return [await readSound(cut.path), await readSound(whole.path)];
}

const straight = await heard(await streamOf('straight', 'PTS'));

test.each(
  sampled(
    [
      ['each fifth one, by a packet', `PTS+eq(mod(N\\,5)\\,4)*${PACKET}`],
      ['one, by half a second', 'PTS+eq(N\\,60)*45000'],
      ['three in a row, each by more', `PTS+between(N\\,50\\,52)*(N-49)*${PACKET / 2}`],
    ],
    3,
  ),
)('packets that are said to be late stay behind the ones before them: %s', async (name, times) => {
  const found = await heard(await streamOf(name.replaceAll(/\W/g, '-'), times));
  for (const [at, sound] of found.entries()) {
    const wanted = straight[at] ?? new Float32Array();
    expect(sound.length).toBe(wanted.length);
    expect(sound.findIndex((sample, index) => sample !== wanted[index])).toBe(-1);
  }
});

test('sound is silent for as long as its packets are away without coming back', async () => {
  const gap = 20;
  const [cut = new Float32Array()] = await heard(await streamOf('gap', `PTS+gte(N\\,60)*${gap * PACKET}`));
  const [wanted = new Float32Array()] = straight;
  const loudest = (from: number, to: number) =>
    cut.subarray(from, to).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
  const rate = wanted.length / 3;
  const begin = Math.round(((60 * 1024) / RATE - 0.5) * rate);
  const long = Math.round(((gap * 1024) / RATE) * rate);
  expect(loudest(begin - 4000, begin - 2000)).toBeGreaterThan(0.1);
  expect(loudest(begin + 3000, begin + long - 3000)).toBeLessThan(0.01);
  expect(loudest(begin + long + 2000, begin + long + 4000)).toBeGreaterThan(0.1);
});
