import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseSubtitles } from '../../../schema/media/subtitles.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { programs } from '../../fixtures/make.ts';
import { type Speech, sentences, speak } from '../../fixtures/speech.ts';
import { failureOf, operateOn } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-test-transcribe-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const audio_url = 'https://media.example.com/podcast.mp3';
/** With a cover, which is no video. */
const podcast = join(directory, 'podcast.mp3');
const said = sentences.slice(0, 5);
let speech: Speech;

beforeAll(async () => {
  speech = await speak(said, join(directory, 'said.wav'));
  const cover = ['-f', 'lavfi', '-i', 'color=c=red:s=64x64:d=1:r=1'];
  const tracks = ['-map', '0:a', '-map', '1:v', '-c:v', 'mjpeg', '-disposition:v', 'attached_pic'];
  const args = ['-v', 'error', '-nostdin', '-i', speech.file, ...cover, ...tracks, '-b:a', '96k', podcast];
  await run(programs, 'ffmpeg', args);
}, 60_000);

interface Word {
  start: number;
  end: number;
  text: string;
  confidence: number | null;
}

const plain = (text: string) => text.toLowerCase().replace(/[^a-z' ]/g, '');

test('a podcast becomes text with sentences, captions, and words with times and confidence', async () => {
  const done = await operateOn('transcribe', [podcast], { audio_url, language: 'en' });
  const { data, warnings, files, duration, time_map } = done;
  expect(files.map(({ role, media_type }) => [role, media_type])).toEqual([
    ['transcript_txt', 'text/plain'],
    ['transcript_srt', 'application/x-subrip'],
    ['transcript_vtt', 'text/vtt'],
    ['transcript_words_json', 'application/json'],
  ]);
  expect([duration, time_map]).toEqual([null, []]);
  expect(warnings.map(({ code }) => code)).toEqual(['basic_engine']);
  expect(data).toMatchObject({ language: 'en', times: 'heard', engine: { id: 'pocketsphinx' } });

  const [txt, srt, vtt, json] = await Promise.all(files.map(({ path }) => readFile(path, 'utf8')));
  expect(txt).toBe(`${data.text}\n`);
  // Every sentence is followed by a pause of 0.7 s.
  const found = String(data.text).split(/(?<=\.)\s+/);
  expect(found).toHaveLength(said.length);
  for (const sentence of found) expect(sentence).toMatch(/^[A-Z][^A-Z.]*( I [^A-Z.]*)*\.$/);
  const right = said.filter((sentence) => found.some((one) => plain(one) === plain(sentence)));
  console.log(`transcribe: ${right.length} of ${said.length} sentences as they are written`);
  expect(right.length).toBeGreaterThanOrEqual(3);

  const words = data.words as Word[];
  expect(JSON.parse(json ?? '')).toEqual({ language: 'en', words });
  for (const { confidence } of words) expect(confidence).toBeGreaterThanOrEqual(0);
  for (const text of [srt, vtt]) {
    const cues = parseSubtitles(text ?? '') ?? [];
    expect(cues.map((cue) => cue.text.replace(/\n/g, ' ')).join(' ')).toBe(data.text);
    expect(Math.abs((cues[0]?.start ?? 9) - (speech.words[0]?.start ?? 0))).toBeLessThan(0.1);
  }
});

test('speech of a balanced microphone, whose channels cancel each other, is heard in the louder one', async () => {
  const { file, words } = await speak(said.slice(0, 1), join(directory, 'sentence.wav'));
  const opposite = join(directory, 'opposite.wav');
  const channels = 'pan=stereo|c0=c0|c1=-1*c0';
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-i', file, '-af', channels, opposite]);
  const { data } = await operateOn('transcribe', [opposite], { audio_url, language: 'en' });
  expect(Math.abs((data.words as Word[]).length - words.length)).toBeLessThanOrEqual(2);
});

test('a script gets the times of its words, and keeps its spelling', async () => {
  const script = said.join(' ').toUpperCase();
  const request = { audio_url, script, outputs: ['words_json'] };
  const { data, warnings, path } = await operateOn('transcribe', [podcast], request);
  const words = data.words as Word[];
  expect(words.map(({ text }) => text).join(' ')).toBe(script);
  const late = words.map(({ start }, index) => Math.abs(start - (speech.words[index]?.start ?? 0)));
  expect(late.toSorted((a, b) => a - b)[Math.floor(late.length / 2)]).toBeLessThan(0.03);
  expect(warnings.map(({ code }) => code)).toEqual(['language_assumed']);
  expect(JSON.parse(await readFile(path, 'utf8')).words).toHaveLength(words.length);
});

test('captions of the podcast come as files, also where it is given in place of a video', async () => {
  const request = { language: 'en', outputs: ['srt', 'ass'] };
  const heard = await operateOn('captions_auto', [podcast], { ...request, audio_url });
  expect(heard.files.map(({ role }) => role)).toEqual(['captions_srt', 'captions_ass']);
  expect(heard.data).toMatchObject({ copied_seconds: 0, rendered_seconds: 0, times: 'heard' });
  const [, ass] = await Promise.all(heard.files.map(({ path }) => readFile(path, 'utf8')));
  expect(ass).toContain('PlayResX: 1920');
  expect(heard.warnings.map(({ code }) => code)).toEqual(['basic_engine']);

  const captions = [{ start: 0.1, end: 0.4, text: 'Hello' }];
  const given = await operateOn('captions_auto', [podcast], { video_url: audio_url, captions });
  expect(given.files.map(({ role }) => role)).toEqual(['captions_srt']);
  expect(given.warnings.map(({ code }) => code)).toEqual(['video_missing']);
  const drawn = operateOn('captions_auto', [podcast], { video_url: audio_url, captions, burn: true });
  expect(await failureOf(drawn)).toMatchObject({ code: 'source_no_video' });
});

test('a picture given as sound has no audio, whatever is asked of it', async () => {
  const audio_url = 'https://media.example.com/cover.png';
  const captions = [{ start: 0.1, end: 0.4, text: 'Hello' }];
  for (const [name, request] of [
    ['transcribe', {}],
    ['captions_auto', {}],
    ['captions_auto', { captions }],
    ['speed', { rate: 2 }],
  ] as const)
    expect(await failureOf(operateOn(name, ['still.png'], { audio_url, ...request }))).toEqual({
      code: 'source_no_audio',
      detail: 'The source has no audio.',
    });
});

test('a script that is not said is named as what it is', async () => {
  const request = {
    audio_url: 'https://media.example.com/a.mp4',
    script: 'Something else that is not said in it.',
  };
  expect(await failureOf(operateOn('transcribe', ['speech.mp4'], request))).toEqual({
    code: 'no_speech_found',
    detail: 'The speech does not match the script of the request.',
  });
});

test('what has no speech, or no sound, is refused', async () => {
  const video_url = 'https://media.example.com/film.mp4';
  for (const [source, code] of [
    ['mute.mp4', 'no_speech_found'],
    ['no-sound.mp4', 'source_no_audio'],
    ['still.png', 'source_no_video'],
  ] as const)
    expect([source, (await failureOf(operateOn('transcribe', [source], { video_url }))).code]).toEqual([
      source,
      code,
    ]);
});
