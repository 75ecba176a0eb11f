import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readNumbers } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { type Speech, speak } from '../../fixtures/speech.ts';
import { sampled } from '../../sampled.ts';
import { type Done, failureOf, operateOn, range } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-test-words-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const RATE = 16_000;
const audio_url = 'https://media.example.com/talk.wav';
const video_url = 'https://media.example.com/talk.mp4';

let speech: Speech;
let samples: Float32Array;
beforeAll(async () => {
  const texts = ['We walked along the long old river every morning.', 'Then we went back home again.'];
  speech = await speak(texts, join(directory, 'talk.wav'));
  samples = await soundOf(speech.file);
}, 60_000);

async function soundOf(path: string): Promise<Float32Array> {
  const file = join(directory, 'heard.raw');
  const format = ['-ac', '1', '-ar', `${RATE}`, '-f', 'f32le'];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', path, ...format, file]);
  const bytes = readFileSync(file);
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length));
}

const edited = (request: object) =>
  operateOn('edit_by_text', [speech.file], { audio_url, words: speech.words, format: 'mkv', ...request });

interface Cut {
  start: number;
  end: number;
  action: 'keep' | 'silent';
}
const cutsOf = ({ data }: Done) => (data.segments as Cut[]).filter(({ action }) => action === 'silent');

const rmsOf = (sound: Float32Array, from: number, to: number) => {
  const part = sound.subarray(Math.round(from * RATE), Math.round(to * RATE));
  return Math.sqrt(part.reduce((sum, value) => sum + value * value, 0) / part.length);
};

/** The result is coded with AAC. */
const ALIKE = 0.2;

/** RMS of the difference of two sounds, in proportion to that of the first. */
function unlike(one: Float32Array, other: Float32Array): number {
  let [off, all] = [0, 0];
  for (const [index, value] of one.entries()) {
    off += (value - (other[index] ?? 0)) ** 2;
    all += value ** 2;
  }
  return Math.sqrt(off / all);
}

/** Share of the power of a span that a frequency has. */
function shareOf(hertz: number, sound: Float32Array, from: number, to: number): number {
  const part = sound.subarray(Math.round(from * RATE), Math.round(to * RATE));
  let [real, imaginary] = [0, 0];
  for (const [index, value] of part.entries()) {
    real += value * Math.cos((2 * Math.PI * hertz * index) / RATE);
    imaginary += value * Math.sin((2 * Math.PI * hertz * index) / RATE);
  }
  return (
    (2 * (real * real + imaginary * imaginary)) / (part.length * part.length) / rmsOf(sound, from, to) ** 2
  );
}

describe('the sound of a talk', () => {
  test('loses the named words alone: every other word is heard whole, at its place', async () => {
    const done = await edited({ remove: { words: ['long', 'we'], phrases: ['every morning'] } });
    const gone = ['we', 'long', 'every', 'morning', 'we'];
    expect((done.data.removed as { text: string }[]).map(({ text }) => text)).toEqual(gone);
    expect(done.data).toMatchObject({ removed_count: 5, word_count: speech.words.length, engine: null });
    const cuts = cutsOf(done);
    const sound = await soundOf(done.path);
    expect(sound.length / RATE).toBeCloseTo(samples.length / RATE - Number(done.data.saved_seconds), 2);
    for (const { text, start, end } of speech.words.filter((word) => !gone.includes(word.text))) {
      expect(cuts.some((cut) => cut.start < end - 1e-6 && cut.end > start + 1e-6)).toBe(false);
      const earlier = cuts.filter((cut) => cut.end <= start + 1e-6);
      const moved = earlier.reduce((sum, cut) => sum + cut.end - cut.start, 0);
      // Without the fades at joints, which words without a gap share.
      const [from, to] = [Math.round((start + 0.012) * RATE), Math.round((end - 0.012) * RATE)];
      const shift = Math.round(moved * RATE);
      const off = unlike(samples.subarray(from, to), sound.subarray(from - shift, to - shift));
      expect([text, off < ALIKE]).toEqual([text, true]);
    }
  });

  test('keeps what is left of its text', async () => {
    const done = await edited({ keep_text: 'Along the river. We went home again!', padding: 0 });
    const gone = (done.data.removed as { text: string }[]).map(({ text }) => text).join(' ');
    expect(gone).toBe('we walked long old every morning then back');
    expect(cutsOf(done)).toHaveLength(4);
  });

  test.each(sampled(['mute', 'bleep'] as const, 3))(
    'has a word under a %s, and is the same elsewhere',
    async (profanity) => {
      const done = await edited({ profanity, mask_words: ['River'] });
      const [word] = done.data.masked as Speech['words'];
      if (!word) return expect.unreachable('no word is masked');
      expect(word.text).toBe('river');
      const sound = await soundOf(done.path);
      expect(Math.abs(sound.length - samples.length)).toBeLessThan(0.05 * RATE);
      const [from, to] = [word.start + 0.02, word.end - 0.02];
      expect(rmsOf(samples, from, to)).toBeGreaterThan(0.02);
      if (profanity === 'mute') expect(rmsOf(sound, from, to)).toBeLessThan(0.05 * rmsOf(samples, from, to));
      else {
        expect(shareOf(1000, sound, from, to)).toBeGreaterThan(0.98);
        expect(rmsOf(sound, from, to)).toBeCloseTo(0.089, 2);
      }
      const before = Math.round((word.start - 0.02) * RATE);
      expect(unlike(samples.subarray(0, before), sound.subarray(0, before))).toBeLessThan(ALIKE);
      const after = Math.round((word.end + 0.02) * RATE);
      expect(unlike(samples.subarray(after), sound.subarray(after))).toBeLessThan(ALIKE);
    },
  );
});

describe('a video', () => {
  /** One word a second, half a second long. */
  const words = ['so', 'um', 'here', 'damn', 'it'].map((text, index) => ({
    ...{ text, start: index + 0.5, end: index + 1 },
  }));
  const film = (request: object) =>
    operateOn('edit_by_text', ['plain.mp4'], { video_url, words, ...request });

  test('is cut at frames between words, with packets copied, as its decision list is by /silence_process', async () => {
    const done = await film({ remove: { fillers: true } });
    const [cut] = cutsOf(done);
    expect(cut).toMatchObject({ start: 1.1, end: 2.4 });
    const all = await readNumbers(fixture('plain.mp4'));
    const numbers = await readNumbers(done.path);
    expect(numbers).toEqual([...all.slice(0, 33), ...all.slice(72)]);
    expect(done.data.copied_seconds).toBeGreaterThan(3);
    expect(done.time_map).toEqual([
      { source: 0, in: [0, 1.1], out: [0, 1.1] },
      { source: 0, in: [2.4, 6], out: [1.1, 4.7] },
    ]);
    const applied = await operateOn('silence_process', ['plain.mp4'], {
      video_url,
      segments: done.data.segments,
    });
    expect(await readNumbers(applied.path)).toEqual(numbers);
  });

  test('keeps every packet of its picture where words are masked alone', async () => {
    const done = await film({ profanity: 'bleep' });
    expect((done.data.masked as { text: string }[]).map(({ text }) => text)).toEqual(['damn']);
    expect(done.data).toMatchObject({ removed_count: 0, saved_seconds: 0, rendered_seconds: 0 });
    expect(await readNumbers(done.path)).toEqual(range(0, 180));
    const sound = await soundOf(done.path);
    expect(shareOf(1000, sound, 3.55, 3.95)).toBeGreaterThan(0.95);
  });

  test('has its cuts listed before anything is made', async () => {
    const done = await film({ mode: 'detect', remove: { fillers: true }, export: ['edl'] });
    expect(done.files.map(({ role }) => role)).toEqual(['document', 'edl']);
    expect(JSON.parse(readFileSync(done.path, 'utf8'))).toEqual(done.data);
  });

  test('without sound is refused', async () => {
    const mute = operateOn('edit_by_text', ['no-sound.mp4'], { video_url, words, profanity: 'mute' });
    expect((await failureOf(mute)).code).toBe('source_no_audio');
  });
});
