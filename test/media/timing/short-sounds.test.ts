import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { OperationName } from '../../../schema/operations/index.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readSound } from '../../fixtures/barcode.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { failureOf, operate } from '../operate.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-short-sounds-'));
});
afterAll(() => rm(directory, { recursive: true }));

const rates = [8000, 11_025, 16_000, 22_050, 32_000, 44_100, 48_000];
const channels = [1, 2];
const targets = [
  { format: 'mp3' },
  { format: 'm4a' },
  { format: 'wav' },
  { format: 'flac' },
  { format: 'ogg', audio_codec: 'opus' },
  { format: 'ogg', audio_codec: 'vorbis' },
  { format: 'ogg', audio_codec: 'flac' },
] as const;

/** A tone of which one moment, at 0.2 s, is loud: an encoder of speech keeps it where it is. */
function speech(rate: number, count: number, seconds: number): Promise<string> {
  const name = `${rate}-${count}-${seconds}.wav`;
  const known = speeches.get(name) ?? makeSpeech(join(directory, name), rate, count, seconds);
  speeches.set(name, known);
  return known;
}

const speeches = new Map<string, Promise<string>>();

async function makeSpeech(path: string, rate: number, count: number, seconds: number): Promise<string> {
  const tone = `0.05*sin(2*PI*440*t)+0.8*sin(2*PI*1000*t)*exp(-pow((t-${MOMENT})/0.01,2))`;
  const source = `aevalsrc='${Array(count).fill(tone).join('|')}':s=${rate}:d=${seconds}`;
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-f', 'lavfi', '-i', source, path]);
  return path;
}

const MOMENT = 0.2;

async function asked(path: string, entries: string): Promise<number> {
  const args = ['-v', 'error', '-show_entries', entries, '-read_intervals', '%+#2', '-of', 'csv=p=0', path];
  const { stdout } = await run(programs, 'ffprobe', args);
  return Number.parseFloat(stdout);
}

/** When its first sample is heard. */
const firstAt = (path: string) => asked(path, 'frame=pts_time');
const startOf = (path: string) => asked(path, 'format=start_time');

/** Where the loud moment is, by the center of its energy, in seconds. */
function momentOf(sound: Float32Array): number {
  let [weight, sum] = [0, 0];
  for (const [at, value] of sound.entries()) {
    if (Math.abs(value) < 0.2) continue;
    weight += value * value;
    sum += value * value * at;
  }
  return sum / weight / 48_000;
}

for (const rate of rates) {
  test.each(sampled(targets, 3))(
    `${rate} Hz becomes $format $audio_codec that lasts as long and has its sound in place`,
    {
      timeout: 120_000,
    },
    async (target) => {
      for (const count of channels) {
        const seconds = count === 1 ? 0.354 : 1.25;
        const source = await speech(rate, count, seconds);
        const { path } = await operate('transcode', source, { audio_only: true, ...target });
        const sound = await readSound(path);
        // A codec that cannot be cut off within a frame goes on in silence up to its end.
        const frame =
          target.format === 'm4a' || ('audio_codec' in target && target.audio_codec === 'vorbis') ? 2048 : 2;
        expect(sound.length / 48_000, `${count} channels`).toBeGreaterThan(seconds - 0.001);
        expect(sound.length / 48_000, `${count} channels`).toBeLessThan(
          seconds + 0.001 + frame / Math.min(rate, 24_000),
        );
        // A decoder of Vorbis gives nothing for the first block, and versions of ffmpeg differ in whether they count it.
        const late =
          path.endsWith('ogg') && 'audio_codec' in target && target.audio_codec === 'vorbis'
            ? await firstAt(path)
            : 0;
        expect(Math.abs(momentOf(sound) - late - MOMENT), `${count} channels`).toBeLessThan(0.001);
      }
    },
  );
}

test.each(sampled([0.03, 0.05, 0.1, 3], 3))(
  '%f s of sound become an mp3 of that length',
  { timeout: 60_000 },
  async (seconds) => {
    for (const rate of [8000, 44_100]) {
      const { path } = await operate('transcode', await speech(rate, 1, seconds), { audio_only: true });
      expect((await readSound(path)).length / 48_000).toBeCloseTo(seconds, 3);
    }
  },
);

test.each(sampled(['mp4', 'webm'], 3))(
  'a cut of 16 kHz sound to %s is in place',
  { timeout: 60_000 },
  async (format) => {
    const source = await speech(16_000, 1, 1);
    const { path } = await operate('cut', source, { audio_url: 'yes', start: 0.1, end: 0.6, format });
    // From 0, before which the encoder of Opus begins.
    const before = format === 'webm' ? -(await startOf(path)) : 0;
    expect(Math.abs(momentOf(await readSound(path)) - before - 0.1)).toBeLessThan(0.0015);
  },
);

test('Opus that begins before 0 is read from its first sample on', { timeout: 60_000 }, async () => {
  const source = await speech(16_000, 1, 0.354);
  const webm = join(directory, 'negative.webm');
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', source, '-c:a', 'libopus', webm]);
  for (const format of ['mp3', 'wav', 'm4a', 'flac']) {
    const { path } = await operate('transcode', webm, { audio_only: true, format });
    expect(Math.abs(momentOf(await readSound(path)) - MOMENT), format).toBeLessThan(0.001);
  }
});

/** An edit list that keeps one span. */
const keeping = (start: number, end: number) => [
  { start: 0, end: start, action: 'silent' },
  { start, end, action: 'keep' },
  { start: end, end: 1, action: 'silent' },
];

test.each<[OperationName, object, object]>([
  ['cut', { start: 0.1, end: 0.100_005 }, { start: 0.1, end: 0.101 }],
  ['cut', { segments: [{ start: 0.1, end: 0.100_005 }] }, { segments: [{ start: 0.1, end: 0.101 }] }],
  ['silence_process', { segments: keeping(0.1, 0.100_005) }, { segments: keeping(0.1, 0.101) }],
])('%s of sound needs half a sample: %j', { timeout: 60_000 }, async (name, request, longer) => {
  const source = await speech(48_000, 1, 1);
  const aac = join(directory, 'speech.m4a');
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', source, '-c:a', 'aac', aac]);
  for (const [file, format] of [
    [source, 'mkv'],
    [aac, 'mp4'],
  ] as const) {
    const asked = { audio_url: 'yes', format };
    const { code } = await failureOf(operate(name, file, { ...asked, ...request }));
    expect(code).toBe('time_out_of_range');
    const { path } = await operate(name, file, { ...asked, ...longer });
    expect((await readSound(path)).length).toBeGreaterThan(0);
  }
});
