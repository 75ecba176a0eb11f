import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { aiRequest } from '../../../schema/task/wire.ts';
import { Engines } from '../../../transcoder/engines/engines.ts';
import type { ModelManifest } from '../../../transcoder/engines/models.ts';
import { operatorSpeechApi } from '../../../transcoder/engines/operator-speech-api.ts';
import { trustedPost } from '../../../transcoder/engines/speech/cloud/trusted-post.ts';
import { jsonLog } from '../../../transcoder/log.ts';
import { speak } from '../../../transcoder/media/analyses/synthesize-speech.ts';
import type { SpeechLine } from '../../../transcoder/model/plan.ts';
import type { SpeechEndpoint } from '../../../transcoder/model/speech-endpoint.ts';
import { workersAi } from '../../../worker/lib/workers-ai.ts';
import { aiBinding } from '../../fixtures/engines/ai-binding.ts';
import {
  API_KEY,
  LOW_VOICE,
  SPEECH,
  type SpeechApi,
  startSpeechApi,
} from '../../fixtures/engines/speech-api.ts';
import { bytesOf, kokoro, MAX_TOKENS, tokensText } from '../../fixtures/engines/tiny-models.ts';
import { programs } from '../../fixtures/make.ts';
import { ctx, failureOf, operateOn } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-test-voices-'));
const log = jsonLog({}, () => {});
const silent = { sound: { samples: new Float32Array(16_000), sampleRate: 16_000 }, words: [], sentences: [] };

let api: SpeechApi;
let worker: Server;
let route: { url: string; secret: string };
const binding = aiBinding(silent);

beforeAll(async () => {
  api = await startSpeechApi(silent);
  const ai = workersAi(binding);
  worker = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    response.end(JSON.stringify(await ai(aiRequest.parse(JSON.parse(body)))));
  });
  await new Promise<void>((resolve) => worker.listen(0, '127.0.0.1', resolve));
  route = { url: `http://127.0.0.1:${(worker.address() as AddressInfo).port}/ai`, secret: 's'.repeat(32) };
});
afterAll(async () => {
  await api.close();
  worker.close();
  rmSync(directory, { recursive: true, force: true });
});
beforeEach(() => {
  api.requests.length = 0;
  binding.calls.length = 0;
});

const redub = (request: object, options: object) =>
  operateOn(
    'redub_tts',
    ['plain.mp4'],
    { video_url: 'https://media.example.com/source', ...request },
    options,
  );
const secondsOf = ({ data }: { data: Record<string, unknown> }) => {
  const [first] = data.segments as { spoken: [number, number] }[];
  return (first?.spoken[1] ?? 0) - (first?.spoken[0] ?? 0);
};

describe('a voice of an OpenAI-compatible API', () => {
  const endpoint = (): SpeechEndpoint => ({
    ...{ whose: 'caller', url: api.url, key: API_KEY, voice: 'alloy', post: trustedPost },
    models: { transcription: null, speech: SPEECH },
  });

  test('speaks what the caller asks, with the voice and speed of the request', async () => {
    const text = 'Thirty characters of a script.';
    const done = await redub({ script: text, speed: 1.25 }, { speechApi: endpoint() });
    expect(api.requests.map(({ fields }) => Object.fromEntries(fields))).toEqual([
      { model: SPEECH, input: text, voice: 'alloy', response_format: 'wav', speed: '1.25' },
    ]);
    expect(done.data.engine).toEqual({
      ...{ id: 'speech_api_tts', tier: 'cloud', quality: 'high', model_id: SPEECH },
    });
    expect(secondsOf(done)).toBeCloseTo(text.length / 15 / 1.25, 1);
    await redub(
      { script: text, voice_id: 'af_heart', provider: 'speech_api_tts' },
      { speechApi: endpoint() },
    );
    expect(api.requests.at(-1)?.fields).toContainEqual(['voice', 'af_heart']);
  });

  test('and another one of its voices may have different sample rates', async () => {
    const segments = [
      { start: 0, end: 2, text: 'Thirty letters are spoken here', voice_id: 'alloy' },
      { start: 3, end: 5, text: 'Thirty letters are spoken here', voice_id: LOW_VOICE },
    ];
    const { data } = await redub({ segments }, { speechApi: endpoint() });
    const spoken = (data.segments as { spoken: [number, number] }[]).map((each) => each.spoken);
    expect(spoken.map(([start, end]) => end - start)).toEqual([expect.closeTo(2, 1), expect.closeTo(2, 1)]);
  });

  test('that it does not have ends the task with what to do, and without the words of the API', async () => {
    const failed = await failureOf(redub({ script: 'One.', voice_id: 'missing' }, { speechApi: endpoint() }));
    expect(failed.code).toBe('engine_unavailable');
    expect(failed.detail).toMatch(/status 422.*the voice/);
    expect(failed.detail).not.toMatch(/sk-caller|10\.0\.0\.7/);
  });

  test('of the operator is used by default, and the next engine speaks where it has no such model', async () => {
    const settings = { speechApiUrl: `${api.url}/v1/`, speechApiKey: API_KEY, speechApiVoice: 'alloy' };
    const probed = (model: string) =>
      Engines.probe({
        ...{ programs, modelsDir: '/nonexistent', log },
        speechApi: operatorSpeechApi({ ...settings, speechApiTranscription: '', speechApiSpeech: model }),
      });
    const engines = await probed(SPEECH);
    expect([...engines.present]).toContain('speech_api_tts');
    expect([...engines.present]).not.toContain('speech_api');
    expect((await redub({ script: 'One.' }, { engines })).data.engine).toMatchObject({
      id: 'speech_api_tts',
    });
    expect(api.requests).toHaveLength(1);
    const wrong = await probed('missing');
    expect((await redub({ script: 'One.' }, { engines: wrong })).data.engine).toMatchObject({ id: 'flite' });
    const named = await failureOf(redub({ script: 'One.', provider: 'speech_api_tts' }, { engines: wrong }));
    expect(named.detail).toContain('The speech API of this service has no /v1/audio/speech');
  });
});

test('a voice of Workers AI speaks the language of the script with its model', async () => {
  for (const [language, model] of [
    ['en', '@cf/deepgram/aura-2-en'],
    ['es-MX', '@cf/deepgram/aura-2-es'],
  ]) {
    const done = await redub({ script: 'Uno.', language, provider: 'workers_ai_tts' }, { workersAi: route });
    expect(secondsOf(done)).toBeCloseTo(1, 1);
    expect(binding.calls.at(-1)?.model).toBe(model);
  }
  const failed = await failureOf(
    redub({ script: 'Ein.', language: 'de', provider: 'workers_ai_tts' }, { workersAi: route }),
  );
  expect(failed.code).toBe('engine_unavailable');
});

test('a service that speaks at one speed is asked once for each line, and its sound is stretched', async () => {
  const to = { workersAi: route };
  const request = { language: 'en', provider: 'workers_ai_tts' };
  const fast = await redub({ ...request, script: 'One.', speed: 2 }, to);
  expect(secondsOf(fast)).toBeCloseTo(0.5, 1);
  expect(binding.calls).toHaveLength(1);
  const slow = await redub({ ...request, script: 'One.', speed: 0.5 }, to);
  expect(secondsOf(slow)).toBeCloseTo(2, 1);
  binding.calls.length = 0;
  const segments = [
    { start: 0, end: 0.6, text: 'One.' },
    { start: 0.6, end: 6, text: 'Two.' },
  ];
  const hurried = await redub({ ...request, segments, max_stretch_percent: 10 }, to);
  expect(secondsOf(hurried)).toBeLessThan(0.8);
  expect(binding.calls).toHaveLength(2);
});

describe('Kokoro', () => {
  const at = (name: string) => join(directory, name);
  const SPEAKERS = 46;
  let engines: Engines;

  beforeAll(async () => {
    const model = { ...kokoro, metadata: { ...kokoro.metadata, n_speakers: SPEAKERS } };
    await writeFile(at('model.onnx'), bytesOf(model));
    await writeFile(at('voices.bin'), new Uint8Array(4 * SPEAKERS * MAX_TOKENS * 4));
    await writeFile(at('tokens.txt'), tokensText([' ', ...'abcdefghijklmnopqrstuvwxyzəɛɪʊˈˌːɹɑɒ.']));
    await writeFile(at('words.txt'), 'hello h ə l o\n');
    const paths = { model: 'model.onnx', voices: 'voices.bin', tokens: 'tokens.txt', lexicon: 'words.txt' };
    const files = await Promise.all(
      Object.entries(paths).map(async ([role, path]) => ({
        ...{ role, path, url: `https://models.example.com/${path}`, sha256: '0'.repeat(64) },
        bytes: (await readFile(at(path))).length,
      })),
    );
    const manifest: ModelManifest = {
      hashes_verified: false,
      models: [
        {
          ...{ id: 'tiny', engine: 'kokoro', set: 'tts', dir: '.', memory_mb: 1, files },
          license: { spdx: 'Apache-2.0', attribution: 'us', commercial: true },
        },
      ],
    };
    engines = await Engines.probe({ programs, modelsDir: directory, log, manifest });
  });
  afterAll(() => engines.close());

  test('reads words as the accent of the voice has them, and other languages by their own rules', async () => {
    const lasts = async (voice_id: string, script: string) =>
      secondsOf(await redub({ script, voice_id }, { engines }));
    // The vowel of “lot” is long in American English, and short in British.
    const lot = 'Lot lot lot lot lot lot.';
    expect((await lasts('af_alloy', lot)) - (await lasts('bf_emma', lot))).toBeGreaterThan(0.4);
    // The h of “hola” is silent in Spanish.
    const hola = 'Hola hola hola hola.';
    expect((await lasts('bf_emma', hola)) - (await lasts('ef_dora', hola))).toBeGreaterThan(0.3);
  });

  test('speaks a language that it has before eSpeak NG does', async () => {
    const done = await redub({ script: 'Bonjour.', language: 'fr' }, { engines });
    expect(done.data.engine).toMatchObject({ id: 'kokoro' });
    const german = await redub({ script: 'Guten Tag.', language: 'de' }, { engines });
    expect(german.data.engine).toMatchObject({ id: 'espeak_ng' });
  });
});

async function byEspeak(lines: Pick<SpeechLine, 'id' | 'text' | 'speed'>[]) {
  const spoken = lines.map((line) => ({ ...line, voiceId: null, voices: { espeak_ng: 'espeak_en-us' } }));
  const asked = { kind: 'speech' as const, engines: ['espeak_ng' as const], language: 'en', lines: spoken };
  return (await speak(ctx, asked, undefined, { directory })).files;
}

test('eSpeak NG is as fast as is asked, beyond its highest speed too', async () => {
  const text = 'A sentence of some length, which is spoken fast.';
  const lines = [1, 2, 3].map((speed) => ({ text, speed, id: `at${speed}` }));
  const files = await byEspeak(lines);
  const [one = 0, two = 0, three = 0] = lines.map(({ id }) => files[id]?.samples ?? 0);
  expect(one / two).toBeGreaterThan(1.8);
  // Its own highest speed is 1.29 times the second one.
  expect(two / three).toBeGreaterThan(1.35);
});

test('eSpeak NG reads words in double brackets, which are phonemes to it', async () => {
  const lines = [
    { speed: 1, id: 'plain', text: 'Leave the conference room and the garden.' },
    { speed: 1, id: 'bracketed', text: 'Leave the [[conference room]] and the [[garden]].' },
  ];
  const files = await byEspeak(lines);
  expect(files.bracketed?.samples).toBe(files.plain?.samples);
});
