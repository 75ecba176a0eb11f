import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../../schema/operations/index.ts';
import { Engines } from '../../../transcoder/engines/engines.ts';
import { lagsOf } from '../../../transcoder/engines/hosts/envelope-lag.ts';
import { downsample, likenessOf } from '../../../transcoder/engines/hosts/voice-likeness.ts';
import { pocketsphinxModel } from '../../../transcoder/engines/registry.ts';
import { byFlite } from '../../../transcoder/engines/speech/programs.ts';
import { waveBytes } from '../../../transcoder/engines/speech/wave.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { jsonLog } from '../../../transcoder/log.ts';
import { pulsesIn, readSound, streamOf } from '../../fixtures/barcode.ts';
import { tinyManifest } from '../../fixtures/engines/model-files.ts';
import { bytesOf, openvoice } from '../../fixtures/engines/tiny-models.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { packetHashes } from '../../fixtures/packets.ts';
import { wordErrors } from '../../fixtures/word-errors.ts';
import { sampled, thorough } from '../../sampled.ts';
import { confinement, type Done, failureOf, operate, operateOn } from '../operate.ts';

const RATE = 48_000;
const url = 'https://media.example.com/source';
const directory = mkdtempSync(join(tmpdir(), 'spool-test-vc-'));
const at = (name: string) => join(directory, name);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-y', ...args]);

const redub = (source: string, request: object, options = {}, sample?: string): Promise<Done> =>
  operateOn(
    'redub_vc',
    [source, ...(sample ? [sample] : [])],
    {
      ...{ consent: true },
      ...('audio_url' in request ? {} : { video_url: url }),
      ...(sample ? { voice_sample_url: url } : {}),
      ...request,
    },
    options,
  );

const words =
  'The people of the city were waiting for the next train. It was late in the evening and there was no more work to do. ' +
  'He said that the water in the river was very high this year.';

async function likeness(path: string) {
  const thin = downsample(await readSound(path), RATE);
  return likenessOf([thin.samples], thin.sampleRate);
}

const loudnessOf = async (path: string) => {
  const { data } = await operate('probe', path, { loudness: true });
  return Number((data.loudness as Record<string, number>).integrated_lufs);
};

/** Milliseconds by which the sound of a file is off at its start, middle and end. */
async function offOf(path: string, source: string): Promise<number[]> {
  const [found, wanted] = [await readSound(path), await readSound(source)];
  return lagsOf(found, wanted, RATE, 0.06).map((lag) => lag * 1000);
}

beforeAll(async () => {
  const say = (text: string, voice: string) => byFlite({ text, voice, speed: 1 }, { programs, directory });
  await writeFile(at('said.wav'), waveBytes(await say(words, 'rms')));
  await writeFile(at('other.wav'), waveBytes(await say('Good morning. We are open all day.', 'slt')));
  const text = 'She had been waiting for the answer. Then the letter came on Friday.';
  await writeFile(at('short.wav'), waveBytes(await say(text, 'rms')));
  const film = ['-i', fixture('plain.mp4'), '-map', '1:v', '-map', '0:a', '-c:v', 'copy', '-c:a', 'aac'];
  const length = ['-af', 'apad=whole_dur=6,atrim=end=6', '-ar', '44100'];
  await ffmpeg('-i', at('short.wav'), ...film, ...length, at('speech.mp4'));
  const music =
    'aevalsrc=0.05*sin(2*PI*3000*t)+0.8*lt(mod(t+2\\,2.5)\\,0.002)|0.05*sin(2*PI*3700*t):s=48000:d=6';
  await ffmpeg(
    ...['-f', 'lavfi', '-i', music, '-i', at('speech.mp4'), '-filter_complex'],
    '[1:a]aresample=48000,pan=stereo|c0=0.6*c0|c1=0.6*c0[v];[0:a][v]amix=inputs=2:normalize=0[a]',
    ...['-map', '1:v', '-map', '[a]', '-c:v', 'copy', '-c:a', 'aac', '-b:a', '192k', at('scene.mp4')],
  );
}, 60_000);

describe('a preset', () => {
  test('moves the pitch; time, loudness and the packets of the picture stay, and the consent is in the file', async () => {
    const done = await redub(at('speech.mp4'), { voice_id: 'deep' });
    expect(await packetHashes(done.path)).toEqual(await packetHashes(fixture('plain.mp4')));
    expect(done.data).toMatchObject({
      ...{ consent: true, copied_seconds: 6, rendered_seconds: 0, drift_ms: 0, separation: null },
      ...{ pitch_semitones: -4, formant_semitones: -1 },
      engine: { id: 'rubberband', tier: 'embedded', quality: 'basic' },
    });
    const [before, after] = [await likeness(at('speech.mp4')), await likeness(done.path)];
    const semitones = 12 * Math.log2((after.pitch ?? 0) / (before.pitch ?? 1));
    const off = await offOf(done.path, at('speech.mp4'));
    const [was, is] = [await loudnessOf(at('speech.mp4')), await loudnessOf(done.path)];
    console.log(
      `redub_vc: pitch by ${semitones.toFixed(2)} semitones of −4; off by ${off} ms, it says ${done.data.max_drift_ms}; ${was} LUFS became ${is}`,
    );
    expect(Math.abs(semitones + 4)).toBeLessThan(0.5);
    for (const ms of [...off, Number(done.data.max_drift_ms)]) expect(Math.abs(ms)).toBeLessThanOrEqual(4);
    expect(Math.abs(is - was)).toBeLessThanOrEqual(0.5);
    const { stdout } = await run(programs, 'ffprobe', ['-v', 'error', '-show_format', done.path]);
    expect(stdout).toContain('TAG:comment=The voice was converted');
    expect(stdout).toContain('consent');
  });

  test('leaves what is not voice where it is, to 10 ms at start, middle and end', async () => {
    const done = await redub(at('scene.mp4'), { voice_id: 'bright' });
    expect(done.data.separation).toMatchObject({ id: 'centre_mask' });
    const clicks = pulsesIn(await readSound(done.path));
    const wanted = pulsesIn(await readSound(at('scene.mp4')));
    const off = clicks.map((time, index) => (time - (wanted[index] ?? 0)) * 1000);
    console.log(`redub_vc: clicks off by ${off.map((ms) => ms.toFixed(2)).join(', ')} ms`);
    expect(off.length).toBe(wanted.length);
    expect(wanted).toHaveLength(3);
    for (const ms of off) expect(Math.abs(ms)).toBeLessThanOrEqual(10);
    const whole = await redub(at('scene.mp4'), { voice_id: 'bright', preserve_background: false });
    expect(whole.data.separation).toBeNull();
    const tone = async (path: string) => toneOf(await readSound(path, 1), 3700);
    expect(await tone(done.path)).toBeGreaterThan((await tone(at('scene.mp4'))) - 3);
    expect(await tone(whole.path)).toBeLessThan((await tone(at('scene.mp4'))) - 12);
  });

  test.each([
    ['is 6 dB off the center', 'c0=0.8*c0|c1=0.4*c0', true],
    ['has channels of opposite polarity', 'c0=0.6*c0|c1=-0.6*c0', true],
    ['is on the left', 'c0=0.9*c0|c1=0*c0', true],
    ['is all of the left channel, and nothing on the right', 'c0=0.9*c0|c1=0*c0', false],
    ['is all that two channels of opposite polarity have', 'c0=0.6*c0|c1=-0.6*c0', false],
  ])('moves a voice that %s', async (_, place, background) => {
    const path = at('placed.wav');
    const music = 'aevalsrc=0.02*sin(2*PI*3000*t)|0.02*sin(2*PI*3700*t):s=48000:d=6';
    const voice = `[0:a]aresample=48000,pan=mono|c0=c0,pan=stereo|${place}`;
    const mixed = `${voice}[v];[1:a][v]amix=inputs=2:normalize=0[a]`;
    await ffmpeg(
      ...['-i', at('speech.mp4'), '-f', 'lavfi', '-i', music],
      ...['-filter_complex', background ? mixed : `${voice}[a]`, '-map', '[a]', path],
    );
    const done = await redub(path, { audio_url: url, voice_id: 'deep' });
    expect(done.data.separation).toEqual(background ? expect.objectContaining({ id: 'centre_mask' }) : null);
    // Without the music, which has no pitch of a voice.
    await ffmpeg('-i', done.path, '-af', 'lowpass=1200,lowpass=1200,lowpass=1200', at('low.wav'));
    const [before, after] = [await likeness(at('speech.mp4')), await likeness(at('low.wav'))];
    expect(Math.abs(12 * Math.log2((after.pitch ?? 0) / (before.pitch ?? 1)) + 4)).toBeLessThan(0.5);
    if (!background) return;
    const tone = async (file: string) => toneOf(await readSound(file, 1), 3700);
    expect(await tone(done.path)).toBeGreaterThan((await tone(path)) - 4);
  });

  test('of a recording without a picture gives a recording of its length', async () => {
    const done = await redub(at('said.wav'), { audio_url: url, pitch_semitones: 3, formant: 0.5 });
    const [was, is] = [await streamOf(at('said.wav'), 'a'), await streamOf(done.path, 'a')];
    expect([is.codec_name, done.files[0].extension]).toEqual(['aac', 'm4a']);
    expect(Math.abs(Number(was.duration) - Number(is.duration))).toBeLessThan(0.03);
    expect((await readFile(done.path)).includes('The voice was converted')).toBe(true);
  });
});

/** Amplitude of a frequency, in decibels of full scale. */
function toneOf(sound: Float32Array, hertz: number): number {
  let [re, im] = [0, 0];
  for (const [index, value] of sound.entries()) {
    const angle = (2 * Math.PI * hertz * index) / RATE;
    re += value * Math.cos(angle);
    im += value * Math.sin(angle);
  }
  return 20 * Math.log10((2 * Math.hypot(re, im)) / sound.length);
}

test('a sample is matched by its pitch and the slope of its spectrum', async () => {
  const done = await redub(at('said.wav'), { audio_url: url }, {}, at('other.wav'));
  const [from, to, made] = [
    await likeness(at('said.wav')),
    await likeness(at('other.wav')),
    await likeness(done.path),
  ];
  const apart = (a: number | null, b: number | null) => 12 * Math.log2((a ?? 1) / (b ?? 1));
  console.log(
    `redub_vc: pitch ${from.pitch?.toFixed(1)} Hz to ${to.pitch?.toFixed(1)}, made ${made.pitch?.toFixed(1)}; slope ${from.tilt.toFixed(2)} dB to ${to.tilt.toFixed(2)}, made ${made.tilt.toFixed(2)}`,
  );
  expect(Math.abs(apart(made.pitch, to.pitch))).toBeLessThan(1);
  expect(Math.abs(made.tilt - to.tilt)).toBeLessThan(Math.abs(from.tilt - to.tilt));
  expect(done.data.max_drift_ms).toBeLessThanOrEqual(20);
});

/** What is understood of each. */
async function heard(paths: readonly string[]): Promise<string[][]> {
  for (const [index, path] of paths.entries()) {
    await ffmpeg('-i', path, '-ac', '1', '-ar', '16000', '-f', 's16le', at(`heard${index}.raw`));
  }
  await writeFile(at('ctl'), paths.map((_, index) => `heard${index}\n`).join(''));
  await run(
    programs,
    'pocketsphinx_batch',
    [
      ...['-hmm', `${pocketsphinxModel}/en-us`, '-lm', `${pocketsphinxModel}/en-us.lm.bin`],
      ...['-dict', `${pocketsphinxModel}/cmudict-en-us.dict`, '-remove_silence', 'no', '-adcin', 'yes'],
      ...[
        '-cepdir',
        directory,
        '-cepext',
        '.raw',
        '-ctl',
        at('ctl'),
        '-hyp',
        at('hyp'),
        '-logfn',
        '/dev/null',
      ],
    ],
    { cwd: directory, timeoutSeconds: 100 },
  );
  const lines = (await readFile(at('hyp'), 'utf8')).trim().split('\n');
  return lines.map((line) => line.slice(0, line.lastIndexOf('(')).trim().split(/\s+/));
}

thorough('the words are understood about as well as before', async () => {
  const said = words
    .toLowerCase()
    .replace(/[^a-z ]/g, '')
    .split(/\s+/);
  const presets = ['deep', 'bright'];
  const made: string[] = [];
  for (const voice_id of presets) made.push((await redub(at('said.wav'), { audio_url: url, voice_id })).path);
  const [before = 1, ...after] = (await heard([at('said.wav'), ...made])).map(
    (each) => wordErrors(said, each) / said.length,
  );
  const percent = (share: number) => `${(100 * share).toFixed(1)} %`;
  console.log(
    `redub_vc: word error rate ${percent(before)}, as ${presets.map((name, index) => `${name} ${percent(after[index] ?? 1)}`)}`,
  );
  expect(after).toHaveLength(2);
  for (const share of after) expect(share - before).toBeLessThanOrEqual(0.08);
});

describe('what cannot be', () => {
  test.each<[object, string]>(
    sampled(
      [
        [{ voice_id: 'deep', consent: undefined }, 'consent'],
        [{ voice_id: 'deep', consent: false }, 'consent'],
        [{}, 'voice_id'],
        [{ voice_id: 'deep', voice_sample_url: url }, 'voice_sample_url'],
        [{ voice_id: 'Abc123Def456', provider: 'builtin' }, 'voice_id'],
        [{ voice_id: 'Abc123Def456', pitch_semitones: 2 }, 'provider'],
        [{ voice_id: 'deep', audio_url: url }, 'video_url'],
      ],
      3,
    ),
  )('%j is refused, and %s is named', (request, field) => {
    const input = { video_url: url, consent: true, ...request };
    const parsed = operations.redub_vc.input.safeParse(input);
    expect(parsed.error?.issues.map(({ path }) => path.join('.'))).toContain(field);
  });

  test('ends with the reason', async () => {
    const theirs = redub(at('speech.mp4'), { voice_id: 'Abc123Def456' });
    expect(await failureOf(theirs)).toMatchObject({
      code: 'engine_unavailable',
      detail: expect.stringContaining('X-ElevenLabs-Key'),
    });
    const local = redub(at('speech.mp4'), { provider: 'local' }, {}, at('other.wav'));
    expect(await failureOf(local)).toMatchObject({
      code: 'engine_unavailable',
      detail: expect.stringContaining('is not available'),
    });
    const silent = redub('mute.mp4', { voice_id: 'deep' });
    expect((await failureOf(silent)).code).toBe('no_speech_found');
    const mute = redub(at('speech.mp4'), { provider: 'builtin' }, {}, fixture('mute.mp4'));
    expect(await failureOf(mute)).toMatchObject({
      code: 'no_speech_found',
      detail: expect.stringContaining('The voice sample'),
    });
    expect((await failureOf(redub('no-sound.mp4', { voice_id: 'deep' }))).code).toBe('source_no_audio');
  });
});

test('a model of the operator gives the voice of the sample, frame by frame', async () => {
  const nets = {
    converter: bytesOf(openvoice.converter),
    reference_encoder: bytesOf(openvoice.reference_encoder),
  };
  const manifest = await tinyManifest(directory, 'openvoice', 'voice', nets);
  const engines = await Engines.probe({
    ...{ programs, modelsDir: directory, log: jsonLog({}, () => {}), manifest, confinement },
  });
  try {
    const done = await redub(at('speech.mp4'), {}, { engines }, at('other.wav'));
    expect(done.data.engine).toMatchObject({ id: 'openvoice', tier: 'model', quality: 'high' });
    expect(done.data.max_drift_ms).toBeLessThanOrEqual(20);
    expect(done.data.pitch_semitones).toBeNull();
    expect(await packetHashes(done.path)).toEqual(await packetHashes(fixture('plain.mp4')));
    console.log(`redub_vc: OpenVoice off by ${done.data.max_drift_ms} ms`);
    await writeFile(at('converter.onnx'), new Uint8Array(nets.converter.length));
    engines.close();
    const other = await redub(at('speech.mp4'), {}, { engines }, at('other.wav'));
    expect(other.data.engine).toMatchObject({ id: 'rubberband' });
    expect(engines.present).not.toContain('openvoice');
  } finally {
    engines.close();
  }
});

describe('the provider', () => {
  const KEY = 'sk_caller_0123456789abcdef';
  interface Asked {
    method: string | undefined;
    url: string | undefined;
    key: unknown;
    fields: Record<string, unknown>;
    samples: number;
  }
  const asked: Asked[] = [];
  let server: Server;
  let engines: Engines;
  let status = 200;
  /** How many times as long what comes back is, and how much later it begins, in samples. */
  let answer = { slower: 1, late: 0 };

  beforeAll(async () => {
    server = createServer(async (request, response) => {
      const parts: Buffer[] = [];
      for await (const part of request) parts.push(part);
      const type = String(request.headers['content-type']);
      const form = await new Response(Buffer.concat(parts), { headers: { 'content-type': type } }).formData();
      const audio = form.get('audio');
      const pcm = audio instanceof Blob ? Buffer.from(await audio.arrayBuffer()) : Buffer.alloc(0);
      const { audio: _, ...fields } = Object.fromEntries(form);
      const { method, headers } = request;
      asked.push({ method, url: request.url, key: headers['xi-api-key'], fields, samples: pcm.length / 2 });
      if (status !== 200) {
        response
          .writeHead(status, { 'content-type': 'application/json' })
          .end(JSON.stringify({ detail: KEY }));
        return;
      }
      const times = (22_050 / 16_000) * answer.slower;
      const made = Buffer.alloc(2 * (Math.floor((pcm.length / 2) * times) + answer.late));
      for (let index = answer.late; index * 2 < made.length; index++) {
        const from = Math.min(pcm.length / 2 - 1, Math.floor((index - answer.late) / times));
        made.writeInt16LE(pcm.readInt16LE(2 * from), 2 * index);
      }
      response.writeHead(200, { 'content-type': 'application/octet-stream' }).end(made);
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const elevenLabsUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const probing = { programs, modelsDir: '/nonexistent', log: jsonLog({}, () => {}), elevenLabsUrl };
    engines = await Engines.probe(probing);
  });
  afterAll(() => {
    engines.close();
    server.close();
  });

  const theirs = () => redub(at('speech.mp4'), { voice_id: 'Abc123Def456' }, { engines, providerKey: KEY });

  test.each(
    sampled(
      [
        ['as it was', { slower: 1, late: 0 }],
        ['later', { slower: 1, late: 2500 }],
        ['slower', { slower: 1.04, late: 600 }],
      ],
      3,
    ),
  )('is asked as its documentation says, and what comes back %s is laid back in time', async (_, back) => {
    asked.length = 0;
    answer = back;
    const done = await theirs();
    const segments = done.data.segments as [number, number][];
    expect(asked).toHaveLength(segments.length);
    expect(asked[0]).toMatchObject({
      ...{ method: 'POST', key: KEY },
      url: '/v1/speech-to-speech/Abc123Def456?output_format=pcm_22050',
      fields: { model_id: 'eleven_multilingual_sts_v2', file_format: 'pcm_s16le_16' },
    });
    const [[from, to] = [0, 0]] = segments;
    expect(asked[0]?.samples).toBe(Math.round((to - from) * 16_000));
    expect(done.data.engine).toMatchObject({
      ...{ id: 'elevenlabs', tier: 'cloud', model_id: 'eleven_multilingual_sts_v2' },
    });
    const off = await offOf(done.path, at('speech.mp4'));
    console.log(
      `redub_vc: provider ${JSON.stringify(back)}, off by ${off} ms, it says ${done.data.max_drift_ms}`,
    );
    for (const ms of off) expect(Math.abs(ms)).toBeLessThanOrEqual(20);
  });

  test('that gives something of another length is refused; its words and the key are never said', async () => {
    answer = { slower: 1.6, late: 0 };
    expect((await failureOf(theirs())).code).toBe('engine_failed');
    status = 401;
    const failed = await failureOf(theirs());
    status = 200;
    expect(failed.code).toBe('provider_rejected_key');
    expect(JSON.stringify(failed)).not.toContain(KEY);
  });
});
