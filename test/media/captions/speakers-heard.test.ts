import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engines } from '../../../transcoder/engines/engines.ts';
import { parseWave, waveBytes } from '../../../transcoder/engines/speech/wave.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { jsonLog } from '../../../transcoder/log.ts';
import { tinyManifest } from '../../fixtures/engines/model-files.ts';
import { bytesOf } from '../../fixtures/engines/tiny-models.ts';
import { embedding, segmentation } from '../../fixtures/engines/tiny-speakers.ts';
import { programs } from '../../fixtures/make.ts';
import { sentences, speakSentences } from '../../fixtures/speech.ts';
import { failureOf, operateOn } from '../operate.ts';

const RATE = 16_000;
const directory = mkdtempSync(join(tmpdir(), 'spool-test-speakers-'));
const log = jsonLog({}, () => {});
const talk = join(directory, 'talk.wav');
/** One voice. */
const alone = join(directory, 'alone.wav');
/** Two voices, a sentence each. */
const few = join(directory, 'few.wav');

interface Said {
  speaker: string;
  start: number;
  end: number;
}
interface Word extends Said {
  text: string;
}

let engines: Engines;
/** Who speaks when in the talk. */
let truth: Said[];

const nets = { segmentation: bytesOf(segmentation), embedding: bytesOf(embedding) };
const withModels = async (name: string, files: Record<string, Uint8Array>) => {
  const modelsDir = join(directory, name);
  mkdirSync(modelsDir);
  const manifest = await tinyManifest(modelsDir, 'pyannote', 'speakers', files);
  return { manifest, modelsDir };
};

beforeAll(async () => {
  engines = await Engines.probe({ programs, log, ...(await withModels('models', nets)) });
  const sounds: Float32Array[] = [];
  truth = [];
  let at = 0;
  for (const [turn, voice] of ['rms', 'slt', 'rms', 'slt', 'rms'].entries()) {
    const spans = await speakSentences(sentences.slice(2 * turn, 2 * turn + 2), alone, voice);
    const { samples } = parseWave(await readFile(alone));
    truth.push({ speaker: voice, start: at, end: at + (spans.at(-1)?.end ?? 0) });
    sounds.push(samples);
    at += samples.length / RATE;
  }
  const samples = new Float32Array(Math.round(at * RATE));
  for (const [turn, sound] of sounds.entries())
    samples.set(sound, Math.round((truth[turn]?.start ?? 0) * RATE));
  await writeFile(talk, waveBytes({ samples, sampleRate: RATE }));
  const [first, second] = truth;
  const turn = (second?.start ?? 0) - (first?.start ?? 0);
  const middle = { at: Math.round((turn / 2) * RATE), samples: Math.round(turn * RATE) };
  const short = samples.slice(middle.at, middle.at + middle.samples);
  await writeFile(few, waveBytes({ samples: short, sampleRate: RATE }));
  await speakSentences(sentences.slice(0, 1), alone);
}, 120_000);
afterAll(() => {
  engines?.close();
  rmSync(directory, { recursive: true, force: true });
});

const names: Record<string, string> = { rms: 'Speaker 1', slt: 'Speaker 2' };
const speakerAt = (seconds: number) =>
  names[truth.find(({ start, end }) => seconds > start - 0.3 && seconds < end + 0.3)?.speaker ?? ''];

const transcribed = (request: object, source = talk, by = engines) =>
  operateOn(
    'transcribe',
    [source],
    { audio_url: 'https://media.example.com/talk.wav', language: 'en', ...request },
    { engines: by },
  );
const captioned = (request: object) =>
  operateOn(
    'captions_auto',
    [talk],
    { audio_url: 'https://media.example.com/talk.wav', language: 'en', ...request },
    { engines },
  );
const fileOf = async (done: Awaited<ReturnType<typeof transcribed>>, role: string) => {
  const file = done.files.find((each) => each.role === role);
  return readFile(file?.path ?? '', 'utf8');
};

describe('two voices in turn', () => {
  test('are distinguished, and every word, caption and paragraph has its speaker', async () => {
    const done = await transcribed({});
    const words = done.data.words as Word[];
    expect(words.length).toBeGreaterThan(60);
    for (const { text, start, end, speaker } of words)
      expect([text, speaker]).toEqual([text, speakerAt((start + end) / 2)]);
    const { engine, count, turns } = done.data.speakers as { engine: object; count: number; turns: Word[] };
    expect(engine).toMatchObject({ id: 'pyannote', tier: 'model' });
    expect(count).toBe(2);
    expect(turns.map(({ speaker }) => speaker)).toEqual(truth.map(({ speaker }) => names[speaker]));
    for (const [index, { start, end, text }] of turns.entries()) {
      expect(Math.abs(start - (truth[index]?.start ?? 0))).toBeLessThan(0.5);
      expect(Math.abs(end - (truth[index]?.end ?? 0))).toBeLessThan(0.5);
      expect(text).toMatch(/^[A-Z].*\.$/);
    }
    expect(turns.map(({ text }) => text).join(' ')).toBe(words.map(({ text }) => text).join(' '));
    expect((done.data.text as string).split('\n\n')).toEqual(
      turns.map(({ speaker, text }) => `${speaker}: ${text}`),
    );

    const vtt = (await fileOf(done, 'transcript_vtt')).split('\n\n').slice(1);
    for (const cue of vtt) {
      const [, from = '', to = ''] = /^00:00:([\d.]+) --> 00:00:([\d.]+)/.exec(cue) ?? [];
      const speaker = speakerAt((Number(from) + Number(to)) / 2);
      expect([...cue.matchAll(/<v ([^>]+)>/g)].map(([, name]) => name)).toEqual([speaker]);
    }
    const json = JSON.parse(await fileOf(done, 'transcript_words_json'));
    expect(json.turns).toEqual(turns);
    expect(json.words).toEqual(words);
    expect(done.warnings.map(({ code }) => code)).toEqual(['basic_engine']);
  });

  test('have a color each in captions, with no captions that name them', async () => {
    const done = await captioned({ speaker_colors: ['#ff0000', '#00ff00'], outputs: ['ass', 'vtt'] });
    const ass = await fileOf(done, 'captions_ass');
    const colors = ass
      .split('\n')
      .filter((line) => line.startsWith('Dialogue'))
      .map((line) => [...new Set([...line.matchAll(/1c&H(0000FF|00FF00)&/g)].map(([, color]) => color))]);
    expect(colors.every((each) => each.length === 1)).toBe(true);
    const inTurn = colors.flat().filter((color, index, all) => color !== all[index - 1]);
    expect(inTurn).toEqual(['0000FF', '00FF00', '0000FF', '00FF00', '0000FF']);
    expect((done.data.speakers as { count: number }).count).toBe(2);
  });

  test('are heard for captions with times if the request asks for it, which keep the speakers that they name', async () => {
    const [first, second] = truth;
    const captions = [
      { start: 1, end: 2, text: 'One' },
      { start: (first?.end ?? 0) - 1, end: first?.end ?? 0, text: 'two', speaker: 'Ann' },
      { start: (second?.start ?? 0) + 1, end: (second?.start ?? 0) + 2, text: 'three.' },
    ];
    const speakersOf = (done: { data: Record<string, unknown> }) =>
      (done.data.words as Word[]).map(({ speaker }) => speaker);
    const asked = await captioned({ captions, speakers: 2, outputs: ['vtt'] });
    expect(speakersOf(asked)).toEqual(['Speaker 1', 'Ann', 'Speaker 2']);
    const left = await captioned({ captions, outputs: ['vtt'] });
    expect(speakersOf(left)).toEqual([undefined, 'Ann', undefined]);
    expect(left.data.speakers).toMatchObject({ engine: null, count: 1 });
  });

  test('are the same person if only one speaks, and have no name if the request wants none', async () => {
    const captions = truth.map(({ start }) => ({ start: start + 1, end: start + 2, text: 'Well.' }));
    const one = await captioned({ captions, speakers: 1, outputs: ['vtt'] });
    expect(one.data.speakers).toMatchObject({ count: 1, turns: [{ speaker: 'Speaker 1' }] });
    const none = await transcribed({ speakers: 'none', outputs: ['vtt'] }, few);
    expect(none.data.speakers).toBeNull();
    expect(await fileOf(none, 'transcript_vtt')).not.toContain('<v');
  });
});

test('a voice alone has a name if the request asks for it, and otherwise none', async () => {
  const left = await transcribed({ outputs: ['vtt'] }, alone);
  expect(left.data.speakers).toBeNull();
  const asked = await transcribed({ outputs: ['vtt'], speakers: 'detect' }, alone);
  expect(asked.data.speakers).toMatchObject({ count: 1, turns: [{ speaker: 'Speaker 1' }] });
  expect(asked.data.text).not.toContain('Speaker 1');
});

test('without the engine a request that depends on it is refused, and others have no speakers', async () => {
  const bare = await Engines.probe({ programs, modelsDir: '/nonexistent', log });
  try {
    const failure = await failureOf(transcribed({ speakers: 2 }, talk, bare));
    expect(failure).toMatchObject({
      code: 'engine_unavailable',
      detail: expect.stringMatching(
        /^`speakers: 2` needs an engine that tells voices apart.*self-hosting#engines/,
      ),
    });
    const left = await transcribed({ outputs: ['vtt'] }, few, bare);
    expect(left.data.speakers).toBeNull();
    expect(left.warnings.map(({ code }) => code)).toEqual(['basic_engine']);
  } finally {
    bare.close();
  }
});

test.each([
  ['a segmentation that was cut off', { segmentation: nets.segmentation.subarray(0, 2000) }],
  ['a segmentation without metadata', { segmentation: bytesOf({ ...segmentation, metadata: {} }) }],
  [
    'a segmentation for another sample rate',
    { segmentation: bytesOf({ ...segmentation, metadata: { ...segmentation.metadata, sample_rate: 8000 } }) },
  ],
  ['voices of noise', { embedding: new TextEncoder().encode('noise '.repeat(100)) }],
])(
  '%s ends as engine_unavailable where speakers are needed, and goes unnoticed elsewhere',
  async (name, bad) => {
    const models = await withModels(name.replaceAll(' ', '-'), { ...nets, ...bad });
    const damaged = await Engines.probe({ programs, log, ...models });
    try {
      expect(damaged.present).toContain('pyannote');
      const left = await transcribed({ outputs: ['vtt'] }, alone, damaged);
      expect(left.data).toMatchObject({ speakers: null, engine: { id: 'pocketsphinx' } });
      expect(damaged.present).not.toContain('pyannote');
    } finally {
      damaged.close();
    }
    const again = await Engines.probe({ programs, log, ...models });
    try {
      const failure = await failureOf(transcribed({ speakers: 'detect' }, alone, again));
      expect(failure.code).toBe('engine_unavailable');
      expect(failure.detail).toContain('its model could not be loaded');
    } finally {
      again.close();
    }
  },
);

test('speech in many pieces has the same speakers as in one', async () => {
  const file = join(directory, 'talk.f32');
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-i', talk, '-f', 'f32le', file]);
  const samples = (await readFile(file)).length / 4;
  const ask = (size: number, count: number | null) => {
    const pieces = Array.from({ length: Math.ceil(samples / size) }, (_, index) => ({
      ...{ at: index * size, samples: Math.min(size, samples - index * size) },
    }));
    const { segmentation = '', embedding = '' } = engines.modelOf('pyannote');
    const sound = { file, sampleRate: RATE };
    return engines.diarize('pyannote', { model: { segmentation, embedding }, sound, pieces, count });
  };
  const whole = await ask(samples, null);
  for (const [size, count] of [
    [11 * RATE, null],
    [11 * RATE, 2],
    [4 * RATE, 2],
  ] as const) {
    const { turns } = await ask(size, count);
    expect(new Set(turns.map(({ speaker }) => speaker)).size).toBe(2);
    for (let at = 0.25; at < samples / RATE; at += 0.5) {
      const speaking = (list: typeof turns) =>
        list.flatMap(({ start, end, speaker }) => (start <= at && end > at ? [speaker] : []));
      const [own, others] = [speaking(turns), speaking(whole.turns)];
      if (own.length === 1 && others.length === 1) {
        const same = turns[0]?.speaker === whole.turns[0]?.speaker;
        expect([at, own[0]]).toEqual([at, same ? others[0] : 1 - (others[0] ?? 0)]);
      }
    }
  }
});
