import { mkdtempSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aiRequest } from '../../../schema/task/wire.ts';
import { trustedPost } from '../../../transcoder/engines/speech/cloud/trusted-post.ts';
import { parseWave } from '../../../transcoder/engines/speech/wave.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import type { SpeechEndpoint } from '../../../transcoder/model/speech-endpoint.ts';
import { workersAi } from '../../../worker/lib/workers-ai.ts';
import { aiBinding, aiError } from '../../fixtures/engines/ai-binding.ts';
import { API_KEY, type SpeechApi, startSpeechApi, TRANSCRIPTION } from '../../fixtures/engines/speech-api.ts';
import { programs } from '../../fixtures/make.ts';
import type { Make } from '../../fixtures/said.ts';
import { signatureIsValid } from '../../fixtures/signature-is-valid.ts';
import { type Speech, sentences, speak } from '../../fixtures/speech.ts';
import { sampled } from '../../sampled.ts';
import { ctx, failureOf, operateOn } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-test-cloud-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Word {
  start: number;
  end: number;
  text: string;
  confidence: number | null;
}

const texts = sentences.slice(0, 12);
const video = join(directory, 'talk.mp4');
let speech: Speech;
let api: SpeechApi;
let binding: ReturnType<typeof aiBinding>;
let worker: Server;
let route: { url: string; secret: string };

beforeAll(async () => {
  speech = await speak(texts, join(directory, 'talk.wav'));
  const picture = ['-f', 'lavfi', '-i', 'color=c=gray:s=320x180:r=30', '-i', speech.file, '-shortest'];
  const encoded = ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac', '-b:a', '96k', video];
  await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', ...picture, ...encoded]);
  const said = { sound: parseWave(await readFile(speech.file)), words: speech.words, sentences: texts };
  api = await startSpeechApi(said);
  binding = aiBinding(said);
  const secret = 'a secret of one attempt, 0123456789abcdef';
  const ai = workersAi(binding);
  worker = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const header = (name: string) => request.headers[name]?.toString();
    if (request.url !== '/attempt/ai' || !(await signatureIsValid(secret, header, body))) {
      response.writeHead(404).end();
      return;
    }
    response.end(JSON.stringify(await ai(aiRequest.parse(JSON.parse(body)))));
  });
  await new Promise<void>((resolve) => worker.listen(0, '127.0.0.1', resolve));
  route = { url: `http://127.0.0.1:${(worker.address() as AddressInfo).port}/attempt/ai`, secret };
}, 120_000);
afterAll(async () => {
  await api.close();
  worker.close();
});
beforeEach(() => {
  api.requests.length = 0;
  api.instead = null;
  binding.calls.length = 0;
  binding.failing.next = null;
});

const endpoint = (make: Make): SpeechEndpoint => {
  api.make = make;
  const models = { transcription: TRANSCRIPTION, speech: null };
  return { whose: 'caller', url: api.url, key: API_KEY, models, voice: 'alloy', post: trustedPost };
};

const captioned = (request: object, options: object, source = video) =>
  operateOn(
    'captions_auto',
    [source],
    { video_url: 'https://media.example.com/talk.mp4', burn: false, outputs: ['srt'], ...request },
    options,
  );

const plain = (text: string) => text.toLowerCase().replace(/[^a-z']/g, '');
const wordsOf = ({ data }: { data: Record<string, unknown> }) => data.words as Word[];

/** By how many seconds the words begin off, worst first; the words have to be those that were said. */
function startsOff(words: readonly Word[]): number[] {
  expect(words.map(({ text }) => plain(text))).toEqual(speech.words.map(({ text }) => text));
  return words
    .map(({ start }, index) => Math.abs(start - (speech.words[index]?.start ?? 0)))
    .sort((a, b) => b - a);
}

describe('captions by an OpenAI-compatible API', () => {
  test.each(sampled(['openai', 'speaches'] as const, 3))(
    'of the make %s have every word at its time, with the punctuation of the text',
    async (make) => {
      const done = await captioned({ vocabulary: ['Ohio'] }, { speechApi: endpoint(make) });
      const words = wordsOf(done);
      expect(startsOff(words)[0]).toBeLessThan(0.06);
      expect(words.map(({ text }) => text).join(' ')).toBe(texts.join(' '));
      expect(done.data).toMatchObject({ language: 'en', times: 'heard' });
      expect(done.data.engine).toEqual({
        ...{ id: 'speech_api', tier: 'cloud', quality: 'high', model_id: TRANSCRIPTION },
      });
      expect(done.warnings).toEqual([]);
      expect(words[0]?.confidence).toBe(make === 'speaches' ? 0.9 : null);
      // In few pieces, of which none is longer than a model reads at once.
      expect(api.requests.length).toBeGreaterThan(1);
      expect(api.requests.length).toBeLessThan(speech.words.length / 20);
      for (const { fields, seconds } of api.requests) {
        expect(seconds).toBeLessThanOrEqual(28);
        expect(fields).toEqual([
          ['model', TRANSCRIPTION],
          ['temperature', '0'],
          ['prompt', 'Ohio'],
          ['response_format', 'verbose_json'],
          ['timestamp_granularities[]', 'word'],
          ['timestamp_granularities[]', 'segment'],
        ]);
      }
    },
  );

  test('without times of words are aligned with English speech', async () => {
    const done = await captioned({ language: 'en-GB' }, { speechApi: endpoint('vllm') });
    const off = startsOff(wordsOf(done));
    expect(off[0]).toBeLessThan(0.25);
    expect(off[Math.floor(off.length / 10)]).toBeLessThan(0.05);
    expect(done.warnings).toEqual([]);
    // The server is asked only once for what it does not have.
    const asked = api.requests.map(({ fields }) => fields.some(([name]) => name.startsWith('timestamp')));
    expect(asked.filter(Boolean)).toHaveLength(1);
    expect(api.requests.at(-1)?.fields).toContainEqual(['language', 'en']);
  });

  test('without times of words in another language are spread over their sentence, with a warning', async () => {
    const done = await captioned({ language: 'nl' }, { speechApi: endpoint('vllm') });
    expect(startsOff(wordsOf(done))[0]).toBeLessThan(0.6);
    expect(done.warnings).toMatchObject([{ code: 'low_confidence' }]);
    expect(done.warnings[0]?.detail).toContain(`${speech.words.length} of ${speech.words.length} words`);
  });

  test('without any times are spread over the piece, with a warning', async () => {
    const done = await captioned({ language: 'nl' }, { speechApi: endpoint('json') });
    expect(startsOff(wordsOf(done))[0]).toBeLessThan(5);
    expect(done.warnings).toMatchObject([{ code: 'low_confidence' }]);
  });

  test('give a script the times of its words', async () => {
    const done = await captioned({ captions: texts.join(' ') }, { speechApi: endpoint('openai') });
    expect(startsOff(wordsOf(done))[0]).toBeLessThan(0.06);
    expect(done.data).toMatchObject({ times: 'aligned', engine: { id: 'speech_api' } });
  });

  test('end with the first failure of a piece, and with the task', async () => {
    api.instead = (asked, response) => {
      if (asked < 2) return false;
      response.writeHead(500).end();
      return true;
    };
    const failed = await failureOf(captioned({}, { speechApi: endpoint('openai') }));
    expect(failed).toMatchObject({ code: 'engine_failed' });
    const control = new AbortController();
    const reason = new Error('stop');
    api.instead = () => {
      control.abort(reason);
      return true;
    };
    const stopped = captioned({}, { speechApi: endpoint('openai'), signal: control.signal });
    await expect(stopped).rejects.toBe(reason);
  });
});

describe('a transcript by an OpenAI-compatible API', () => {
  test('is the text as it was said, and words at their times, which /edit_by_text takes back', async () => {
    const request = { video_url: 'https://media.example.com/talk.mp4' };
    const done = await operateOn('transcribe', [video], request, { speechApi: endpoint('speaches') });
    const [txt, , , json] = await Promise.all(done.files.map(({ path }) => readFile(path, 'utf8')));
    expect(txt?.split(/\s+/).join(' ').trim()).toBe(texts.join(' '));
    expect(startsOff(wordsOf(done))[0]).toBeLessThan(0.06);
    expect(done.data).toMatchObject({ language: 'en', times: 'heard', engine: { id: 'speech_api' } });
    expect(done.data.engine).toMatchObject({ model_id: TRANSCRIPTION });
    expect(done.warnings).toEqual([]);

    const { words } = JSON.parse(json ?? '');
    const kept = { ...request, words, mode: 'detect', keep_text: texts.slice(1).join(' ') };
    const edit = await operateOn('edit_by_text', [video], kept);
    expect(edit.data).toMatchObject({ removed_count: texts[0]?.split(' ').length, engine: null });
  });

  test('aligns a script', async () => {
    const request = { video_url: 'https://media.example.com/talk.mp4', script: texts.join(' ') };
    const done = await operateOn('transcribe', [video], request, { speechApi: endpoint('openai') });
    expect(startsOff(wordsOf(done))[0]).toBeLessThan(0.06);
    expect(done.data).toMatchObject({ times: 'aligned', engine: { id: 'speech_api' } });
  });
});

describe('an edit by the words of an OpenAI-compatible API', () => {
  const edited = (request: object, make: Make) =>
    operateOn(
      'edit_by_text',
      [video],
      { video_url: 'https://media.example.com/talk.mp4', ...request },
      { speechApi: endpoint(make) },
    );
  interface Removed {
    start: number;
    end: number;
    text: string;
  }

  test('cuts the named words out at their times, and no other word', async () => {
    const gone = speech.words.filter(({ text }) => text === 'the');
    expect(gone.length).toBeGreaterThan(3);
    const { data, duration, warnings } = await edited({ remove: { words: ['the'] } }, 'openai');
    const removed = data.removed as Removed[];
    expect(removed.map(({ text }) => plain(text))).toEqual(gone.map(({ text }) => text));
    for (const [index, { start, end }] of removed.entries()) {
      expect(Math.abs(start - (gone[index]?.start ?? 0))).toBeLessThan(0.06);
      expect(Math.abs(end - (gone[index]?.end ?? 0))).toBeLessThan(0.06);
    }
    const segments = data.segments as (Removed & { action: string })[];
    const cuts = segments.filter(({ action }) => action === 'silent');
    const stay = speech.words.filter(({ text }) => text !== 'the');
    for (const { start, end } of stay)
      expect(cuts.some((cut) => cut.start < end - 0.06 && cut.end > start + 0.06)).toBe(false);
    expect(data.engine).toMatchObject({ id: 'speech_api', model_id: TRANSCRIPTION });
    const left = segments.filter(({ action }) => action === 'keep');
    expect(duration).toBeCloseTo(
      left.reduce((sum, { start, end }) => sum + end - start, 0),
      1,
    );
    expect(warnings).toEqual([]);
  });

  test('says so if the API reports no times of words', async () => {
    const request = { mode: 'detect', language: 'nl', remove: { words: ['the'] } };
    const { warnings } = await edited(request, 'vllm');
    expect(warnings).toMatchObject([{ code: 'low_confidence' }]);
  });
});

describe('captions by Workers AI', () => {
  test('have every word at its time', async () => {
    const done = await captioned({ engine: 'workers_ai' }, { workersAi: route });
    expect(startsOff(wordsOf(done))[0]).toBeLessThan(0.06);
    expect(done.data.language).toBe('en');
    expect(done.data.engine).toMatchObject({
      id: 'workers_ai',
      model_id: '@cf/openai/whisper-large-v3-turbo',
    });
    expect(binding.calls.length).toBeGreaterThan(1);
  });

  test.each(
    sampled(
      [
        [4006, 'you have used up your daily free allocation', 'engine_unavailable'],
        [5006, 'wrong input', 'engine_unavailable'],
        [3040, 'capacity temporarily exceeded', 'engine_failed'],
        [1031, 'secret words of the provider', 'engine_failed'],
      ],
      3,
    ),
  )('that answer with error %i end as they should, and without its words', async (code, text, expected) => {
    binding.failing.next = aiError(code, text);
    const failed = await failureOf(captioned({ engine: 'workers_ai' }, { workersAi: route }));
    expect(failed.code).toBe(expected);
    expect(failed.detail).toContain('Workers AI');
    expect(failed.detail).not.toContain(text);
  });

  test('fall back to what the machine has if the allowance is used up and no engine was named', async () => {
    binding.failing.next = aiError(4006, 'used up');
    const short = join(directory, 'short.mp4');
    await run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-i', video, '-t', '3', short]);
    const done = await captioned({ language: 'en' }, { workersAi: route }, short);
    expect(done.data.engine).toMatchObject({ id: 'pocketsphinx' });
    expect(ctx.engines?.speeds.of('pocketsphinx')).toBeGreaterThan(0);
    // APIs of callers say nothing about the service.
    expect(ctx.engines?.speeds.of('speech_api')).toBeNull();
  });

  test('are refused if the request is not signed for the attempt', async () => {
    const other = { ...route, secret: 'the secret of another attempt, 0123456789' };
    const failed = await failureOf(captioned({ engine: 'workers_ai' }, { workersAi: other }));
    expect(failed).toMatchObject({ code: 'engine_failed' });
    expect(binding.calls).toEqual([]);
  });
});
