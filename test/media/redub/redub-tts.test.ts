import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseSubtitles } from '../../../schema/media/subtitles.ts';
import { defaultVoice, voices } from '../../../schema/media/voices.ts';
import { Engines } from '../../../transcoder/engines/engines.ts';
import { readFloats } from '../../../transcoder/engines/hosts/floats.ts';
import type { ModelManifest } from '../../../transcoder/engines/models.ts';
import { byEspeak, byFlite } from '../../../transcoder/engines/speech/programs.ts';
import { stretch } from '../../../transcoder/engines/speech/stretch.ts';
import { type Sound, trimSilence } from '../../../transcoder/engines/speech/wave.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { jsonLog } from '../../../transcoder/log.ts';
import { lagOf, readNumbers, readSound, streamOf } from '../../fixtures/barcode.ts';
import { bytesOf, kokoro, tokensText, voicesBytes } from '../../fixtures/engines/tiny-models.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { packetHashes } from '../../fixtures/packets.ts';
import { ctx, failureOf, operate, operateOn, range } from '../operate.ts';

const RATE = 48_000;
const directory = mkdtempSync(join(tmpdir(), 'spool-test-tts-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

interface Segment {
  text: string;
  slot: [number, number] | null;
  spoken: [number, number];
  stretch: number;
  overrun: number;
}

const redub = (request: object, options = {}, source = 'plain.mp4') =>
  operateOn('redub_tts', [source], { video_url: 'https://media.example.com/source', ...request }, options);

const segmentsOf = (data: Record<string, unknown>) => data.segments as Segment[];

/** What flite says, as 48 kHz would have it. */
async function spoken(text: string, speed = 1): Promise<Float32Array> {
  const { samples, sampleRate } = trimSilence(
    await byFlite({ text, voice: 'rms', speed }, { programs, directory }),
  );
  const times = RATE / sampleRate;
  return Float32Array.from({ length: Math.floor(samples.length * times) }, (_, index) => {
    const at = index / times;
    const [low, share] = [Math.floor(at), at - Math.floor(at)];
    return (samples[low] ?? 0) * (1 - share) + (samples[low + 1] ?? 0) * share;
  });
}

describe('timed segments', () => {
  const said = [
    { start: 0.5, text: 'Hello world.' },
    { start: 2.25, text: 'This is the second line.' },
    { start: 4.2, text: 'The third one.' },
  ];

  test('begin at their moments, at a loudness, under a picture whose packets are copied', async () => {
    const done = await redub({ segments: said, provider: 'builtin' });
    expect(await packetHashes(done.path)).toEqual(await packetHashes(fixture('plain.mp4')));
    const sound = await readSound(done.path);
    const errors: number[] = [];
    for (const { start, text } of said) {
      const from = Math.round(start * RATE);
      const wanted = await spoken(text);
      errors.push(
        (lagOf(sound.subarray(from - 200, from + wanted.length), prepended(wanted, 200)) * 1000) / RATE,
      );
    }
    console.log(`redub_tts: lines begin off by ${errors.map((ms) => ms.toFixed(3)).join(', ')} ms`);
    for (const ms of errors) expect(Math.abs(ms)).toBeLessThanOrEqual(1);

    const segments = segmentsOf(done.data);
    expect(segments.map(({ text }) => text)).toEqual(said.map(({ text }) => text));
    for (const [
      index,
      {
        spoken: [start, end],
        stretch,
        overrun,
      },
    ] of segments.entries()) {
      expect(start).toBe(said[index]?.start);
      expect(end).toBeLessThanOrEqual(segments[index + 1]?.spoken[0] ?? 6);
      expect([stretch, overrun]).toEqual([1, 0]);
    }
    expect(done.data).toMatchObject({
      ...{ copied_seconds: 6, rendered_seconds: 0, drift_ms: 0, separation: null },
      engine: { id: 'flite', tier: 'embedded', quality: 'basic', model_id: 'cmu-us' },
    });
    const { loudness } = (await operate('probe', done.path, { loudness: true })).data as {
      loudness: { integrated_lufs: number; true_peak_db: number };
    };
    const [video, audio] = [await streamOf(done.path, 'v'), await streamOf(done.path, 'a')];
    const apart = (Number(audio.duration) - Number(video.duration)) * 1000;
    console.log(
      `redub_tts: ${loudness.integrated_lufs} LUFS, true peak ${loudness.true_peak_db} dB, sound ends ${apart.toFixed(1)} ms after the picture`,
    );
    expect(Math.abs(loudness.integrated_lufs + 16)).toBeLessThanOrEqual(0.5);
    expect(loudness.true_peak_db).toBeLessThanOrEqual(-1.4);
    expect(Math.abs(apart)).toBeLessThanOrEqual(1000 / 30);
  });

  test('come with captions of what is heard', async () => {
    const pronunciations = { second: 'fifth' };
    const done = await redub({ segments: said, pronunciations, voice_id: 'slt' });
    expect(done.files.map(({ role }) => role)).toEqual(['video', 'captions_srt', 'captions_vtt']);
    for (const { path } of done.files.slice(1)) {
      const cues = parseSubtitles(await readFile(path, 'utf8')) ?? [];
      expect(cues.map(({ text }) => text)).toEqual(said.map(({ text }) => text));
      for (const [index, cue] of cues.entries()) {
        const [start = 0, end = 0] = segmentsOf(done.data)[index]?.spoken ?? [];
        expect(cue.start).toBeCloseTo(start, 2);
        expect(cue.end).toBeCloseTo(end, 2);
      }
    }
    expect((await redub({ segments: said, return_captions: false })).files).toHaveLength(1);
  });

  test('that are too long are stretched, then spoken faster, then shift the next', async () => {
    const text = 'This sentence takes about three seconds to be spoken by the voice.';
    const natural = (await spoken(text)).length / RATE;
    const lines = (room: number) => [
      { start: 0, end: room - 0.08, text },
      { start: room, text: 'Over.' },
    ];
    const segment = async (times: number, more = {}) => {
      const done = await redub({ segments: lines(natural / times + 0.08), return_captions: false, ...more });
      return segmentsOf(done.data);
    };
    const [stretched] = await segment(1.15);
    expect(stretched?.stretch).toBeCloseTo(1.15, 2);
    expect(stretched?.overrun).toBeLessThan(0.002);
    const [faster] = await segment(1.4);
    expect(faster?.stretch).toBeGreaterThan(1.3);
    expect(faster?.stretch).toBeLessThan(1.6);
    expect(faster?.overrun).toBeLessThan(0.03);
    const [over, next] = await segment(3);
    expect(over?.overrun).toBeGreaterThan(0.3);
    expect(next?.spoken[0]).toBeCloseTo(over?.spoken[1] ?? 0, 5);
    const [cut, kept] = await segment(3, { fit: 'trim' });
    expect([cut?.overrun, cut?.stretch]).toEqual([0, 1]);
    expect(kept?.spoken[0]).toBe(kept?.slot?.[0]);
  });
});

const prepended = (sound: Float32Array, samples: number) => {
  const longer = new Float32Array(sound.length + samples);
  longer.set(sound, samples);
  return longer;
};

test('a plain text in another language outlasts the video on its last picture', async () => {
  const script =
    'Guten Tag. Dies ist ein längerer Satz auf Deutsch, der eine Weile dauert. Und noch einer dazu.';
  const done = await redub({ script, language: 'de', fit: 'none' }, {}, 'short-sound.mp4');
  expect(done.data.engine).toMatchObject({ id: 'espeak_ng' });
  expect(segmentsOf(done.data).map(({ slot }) => slot)).toEqual([null, null, null]);
  const numbers = await readNumbers(done.path);
  const frames = (await readNumbers(fixture('short-sound.mp4'))).length;
  if (numbers.length > frames) expect(done.warnings.map(({ code }) => code)).toContain('speech_overran');
  expect(numbers.slice(0, frames)).toEqual(range(0, frames));
});

test('what one engine has no sound for is said by the next, or is the error of who asked for that voice', async () => {
  const request = { segments: [{ start: 0, text: '日本' }], fit: 'none', return_captions: false };
  expect((await redub(request)).data.engine).toMatchObject({ id: 'espeak_ng' });
  expect(await failureOf(redub({ ...request, voice_id: 'rms' }))).toMatchObject({
    code: 'engine_unavailable',
    detail: expect.stringContaining('“日本”'),
  });
});

test('every language of eSpeak NG has a voice, but for scripts of another and those that were invented for a story', async () => {
  const { stdout } = await run(programs, 'espeak-ng', ['--voices']);
  const [, ...rows] = stdout.trim().split('\n');
  const tags = rows.map((row) => row.trim().split(/\s+/)[1]?.toLowerCase() ?? '');
  const told = new Set(voices.filter(({ engine }) => engine === 'espeak_ng').map(({ id }) => id));
  const variants = /-(x|latn|scotland|nyc)\b|^(en-029|ru-lv)$/;
  const invented = ['piqd', 'py', 'qdb', 'qya', 'sjn'];
  const wanted = tags
    .filter((tag) => !variants.test(tag) && !invented.includes(tag))
    .map((tag) => `espeak_${tag === 'fr-fr' ? 'fr' : tag}`);
  expect([...told].sort()).toEqual([...new Set(wanted)].sort());
  for (const [language, text] of [
    ['no', 'God morgen'],
    ['zh-CN', '你好，世界'],
    ['zh-HK', '你好，世界'],
    ['iw', 'שלום עולם'],
  ] as const) {
    const voice = defaultVoice('espeak_ng', language)?.id ?? '';
    const said = trimSilence(await byEspeak({ text, voice, speed: 1 }, { programs, directory }));
    expect(said.samples.length / said.sampleRate).toBeGreaterThan(0.5);
  }
});

test('captions with nothing to say are left out, and said to be', async () => {
  const cue = (at: number, text: string) => `00:0${at}.000 --> 00:0${at}.900\n${text}\n\n`;
  const done = await redub({ script: `WEBVTT\n\n${cue(1, '♪♪')}${cue(2, 'Hello.')}${cue(3, '...')}` });
  expect(segmentsOf(done.data).map(({ text }) => text)).toEqual(['Hello.']);
  expect(done.warnings).toEqual([
    {
      code: 'captions_dropped',
      detail: '2 captions have no letter or digit and cannot be spoken; the first is at 1 s.',
    },
  ]);
});

test('lines for which no time is left are said not to be spoken, and the video is not longer for them', async () => {
  const done = await redub({
    script: `${'One two three four five six seven eight. '.repeat(4)}`,
    fit: 'trim',
  });
  expect(done.duration).toBeCloseTo(6, 3);
  expect(done.warnings).toEqual([
    { code: 'captions_dropped', detail: expect.stringMatching(/^\d lines? (is|are) not spoken, because/) },
  ]);
});

test('a script before the end of the video only, and voices that are here only', async () => {
  const late = redub({ segments: [{ start: 7, text: 'Late.' }] });
  expect(await failureOf(late)).toMatchObject({ code: 'time_out_of_range' });
  expect(await failureOf(redub({ script: 'Hello.', provider: 'local' }))).toMatchObject({
    code: 'engine_unavailable',
    detail: expect.stringContaining('is available'),
  });
  expect(await failureOf(redub({ script: 'Hello.', provider: 'elevenlabs' }))).toMatchObject({
    code: 'engine_unavailable',
    detail: expect.stringContaining('X-ElevenLabs-Key'),
  });
});

test('stretching is exact to the sample from 0.85 to 1.5 times the speed', async () => {
  const sound: Sound = trimSilence(
    await byFlite(
      { text: 'This is a sentence of some length, to be stretched.', voice: 'rms', speed: 1 },
      { programs, directory },
    ),
  );
  await writeFile(join(directory, 'natural.raw'), new Uint8Array(sound.samples.buffer));
  const off: number[] = [];
  for (const rate of [0.85, 0.95, 1.1, 1.25, 1.37, 1.5]) {
    const samples = Math.round(sound.samples.length / rate);
    const step = {
      from: 'natural.raw',
      file: 'stretched.raw',
      sampleRate: sound.sampleRate,
      channels: 1,
      samples,
    };
    off.push(await stretch(ctx, { kind: 'stretch', ...step }, { directory }));
    const made = await readFloats(join(directory, 'stretched.raw'));
    const heard = trimSilence({ samples: made, sampleRate: sound.sampleRate }).samples.length;
    expect(made.length).toBe(samples);
    expect(Math.abs(heard - samples) / sound.sampleRate).toBeLessThan(0.08);
  }
  console.log(`stretch: ${off.join(', ')} samples off`);
  expect(off.every((samples) => Math.abs(samples) <= 1)).toBe(true);
});

describe('a model of the operator', () => {
  const at = (name: string) => join(directory, name);
  const manifestOf = async (): Promise<ModelManifest> => {
    await writeFile(at('model.onnx'), bytesOf(kokoro));
    await writeFile(at('voices.bin'), voicesBytes);
    await writeFile(at('tokens.txt'), tokensText([' ', ...'abcdefghijklmnopqrstuvwxyzəɛɪʊˈˌːɹ.']));
    await writeFile(at('lexicon.txt'), 'hello h ə l o\nworld w ɛ l d\n');
    const paths = { model: 'model.onnx', voices: 'voices.bin', tokens: 'tokens.txt', lexicon: 'lexicon.txt' };
    const files = await Promise.all(
      Object.entries(paths).map(async ([role, path]) => ({
        ...{ role, path, url: `https://models.example.com/${path}`, sha256: '0'.repeat(64) },
        bytes: (await readFile(at(path))).length,
      })),
    );
    const license = { spdx: 'Apache-2.0', attribution: 'us', commercial: true };
    const model = {
      id: 'tiny',
      engine: 'kokoro' as const,
      set: 'tts' as const,
      dir: '.',
      license,
      memory_mb: 1,
      files,
    };
    return { hashes_verified: false, models: [model] };
  };

  test('speaks where it is complete; where it does not load, the next engine does, and both are said', async () => {
    const probing = {
      programs,
      modelsDir: directory,
      log: jsonLog({}, () => {}),
      manifest: await manifestOf(),
    };
    const engines = await Engines.probe(probing);
    try {
      const request = { script: 'Hello world.', voice_id: 'af_alloy' };
      const done = await redub(request, { engines });
      expect(done.data.engine).toMatchObject({ id: 'kokoro', tier: 'model', quality: 'high' });
      expect(Number(segmentsOf(done.data)[0]?.spoken[1])).toBeGreaterThan(0.3);
      await writeFile(at('voices.bin'), new Uint8Array(voicesBytes.length - 4));
      engines.close();
      expect((await failureOf(redub(request, { engines }))).code).toBe('engine_unavailable');
    } finally {
      engines.close();
    }
    await manifestOf();
    const others = await Engines.probe(probing);
    await writeFile(at('voices.bin'), new Uint8Array(voicesBytes.length - 4));
    try {
      const done = await redub({ script: 'Hello world.' }, { engines: others });
      expect(done.data.engine).toMatchObject({ id: 'flite' });
      expect(others.present).not.toContain('kokoro');
    } finally {
      others.close();
    }
  });
});

describe('the provider', () => {
  const KEY = 'sk_caller_0123456789abcdef';
  const requests: { method: string; url: string; headers: Record<string, unknown>; body: unknown }[] = [];
  let server: Server;
  let status = 200;
  let engines: Engines;

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      let body = '';
      for await (const chunk of request) body += chunk;
      const { method = '', url = '', headers } = request;
      requests.push({ method, url, headers, body: JSON.parse(body) });
      const second = Buffer.alloc(2 * 22_050);
      for (let at = 0; at < 22_050; at++) second.writeInt16LE(Math.round(9000 * Math.sin(at / 9)), 2 * at);
      const audio_base64 = second.toString('base64');
      const answer =
        status === 200 ? { audio_base64, alignment: null } : { detail: { message: `no ${KEY}` } };
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const elevenLabsUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    engines = await Engines.probe({
      programs,
      modelsDir: directory,
      log: jsonLog({}, () => {}),
      elevenLabsUrl,
    });
  });
  afterAll(() => {
    engines.close();
    server.close();
  });

  test('is asked as its documentation says, with the caller’s key', async () => {
    requests.length = 0;
    const script = 'One. Two.';
    const done = await redub({ script, voice_id: 'Abc123Def456', speed: 1.1 }, { engines, providerKey: KEY });
    expect(requests).toHaveLength(2);
    expect(requests[0]).toMatchObject({
      method: 'POST',
      url: '/v1/text-to-speech/Abc123Def456/with-timestamps?output_format=pcm_22050',
      headers: { 'xi-api-key': KEY, 'content-type': 'application/json' },
      body: { text: 'One.', model_id: 'eleven_multilingual_v2', voice_settings: { speed: 1.1 } },
    });
    expect(done.data.engine).toEqual({
      ...{ id: 'elevenlabs', tier: 'cloud', quality: 'high' },
      model_id: 'eleven_multilingual_v2',
    });
    expect(segmentsOf(done.data)[0]?.spoken[1]).toBeCloseTo(1, 1);
  });

  test.each([
    [401, 'provider_rejected_key'],
    [404, 'engine_unavailable'],
    [429, 'engine_failed'],
    [500, 'engine_failed'],
  ])(
    'that answers %i ends the task with %s, and neither its words nor the key are said',
    async (code, expected) => {
      status = code;
      const warnings: string[] = [];
      const failed = await failureOf(
        redub(
          { script: 'One.' },
          { engines, providerKey: KEY, onWarning: (text: string) => warnings.push(text) },
        ),
      );
      status = 200;
      expect(failed.code).toBe(expected);
      expect(JSON.stringify([failed, warnings])).not.toContain(KEY);
    },
  );
});
