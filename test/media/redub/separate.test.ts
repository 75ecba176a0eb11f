import { mkdtempSync, rmSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Engines } from '../../../transcoder/engines/engines.ts';
import type { ModelManifest } from '../../../transcoder/engines/models.ts';
import { byFlite } from '../../../transcoder/engines/speech/programs.ts';
import { waveBytes } from '../../../transcoder/engines/speech/wave.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { jsonLog } from '../../../transcoder/log.ts';
import { pulsesIn, readSound, streamOf } from '../../fixtures/barcode.ts';
import { tinyManifest } from '../../fixtures/engines/model-files.ts';
import { bytesOf, spleeter } from '../../fixtures/engines/tiny-models.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { packetHashes } from '../../fixtures/packets.ts';
import { confinement, type Done, failureOf, operateOn } from '../operate.ts';

const RATE = 48_000;
const url = 'https://media.example.com/source';
const directory = mkdtempSync(join(tmpdir(), 'spool-test-separate-'));
const at = (name: string) => join(directory, name);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-y', ...args]);

const separate = (source: string, request: object = {}, options = {}): Promise<Done> =>
  operateOn('separate', [source], { audio_url: url, ...request }, options);
const separateVideo = (source: string, request: object = {}): Promise<Done> =>
  operateOn('separate', [source], { video_url: url, ...request });

const fileOf = ({ files }: Done, role: string) => {
  const file = files.find((one) => one.role === role);
  if (!file) throw new Error(`no ${role} among ${files.map((one) => one.role)}`);
  return file.path;
};

const both = async (path: string) => {
  const [left, right] = [await readSound(path, 0), await readSound(path, 1)];
  return Float32Array.from({ length: left.length * 2 }, (_, index) =>
    index % 2 === 0 ? (left[index / 2] ?? 0) : (right[(index - 1) / 2] ?? 0),
  );
};
const powerOf = (sound: Float32Array) => sound.reduce((sum, value) => sum + value * value, 0);
const decibels = (ratio: number) => 10 * Math.log10(ratio);
const less = (a: Float32Array, b: Float32Array, share = 1) =>
  a.map((value, index) => value - share * (b[index] ?? 0));

/** Scale-invariant signal to distortion ratio, in dB. */
function siSdr(found: Float32Array, wanted: Float32Array): number {
  const like = found.reduce((sum, value, index) => sum + value * (wanted[index] ?? 0), 0) / powerOf(wanted);
  return decibels((like * like * powerOf(wanted)) / powerOf(less(found, wanted, like)));
}

const text =
  'The harbour was quiet in the morning, and nobody had seen the boats leave. By noon the wind had turned to the west, so they came home one after another.';
/** Notes of two chords and how loud each is on the left and on the right. */
const notes = [
  [196, 0.9, 0.3],
  [247, 0.2, 0.8],
  [294, 0.7, 0.25],
  [392, 0.3, 0.9],
  [523, 0.8, 0.1],
  [659, 0.15, 0.7],
] as const;

beforeAll(async () => {
  const voice = await byFlite({ text, voice: 'rms', speed: 1 }, { programs, directory });
  await writeFile(at('flite.wav'), waveBytes(voice));
  const channel = (side: 1 | 2) =>
    notes
      .map((note) => `${note[side]}*sin(2*PI*${note[0]}*t)*(0.6+0.4*sin(${(note[0] % 7) / 2 + 1}*t))`)
      .join('+');
  const chords = `aevalsrc='0.065*(${channel(1)})|0.065*(${channel(2)})':s=${RATE}:d=8`;
  const whole = ['-ar', `${RATE}`, '-t', '8', '-c:a', 'pcm_f32le'];
  await ffmpeg(
    '-i',
    at('flite.wav'),
    '-af',
    'apad=whole_dur=8,pan=stereo|c0=0.5*c0|c1=0.5*c0',
    ...whole,
    at('voice.wav'),
  );
  await ffmpeg('-f', 'lavfi', '-i', chords, ...whole, at('chords.wav'));
  const mixed = 'amix=inputs=2:normalize=0:dropout_transition=0';
  await ffmpeg(
    '-i',
    at('voice.wav'),
    '-i',
    at('chords.wav'),
    '-filter_complex',
    mixed,
    ...whole,
    at('mix.wav'),
  );
}, 60_000);

async function sumToMix(done: Done, mix: string): Promise<number> {
  const [vocals, music, whole] = [
    await both(fileOf(done, 'vocals')),
    await both(fileOf(done, 'music')),
    await both(mix),
  ];
  expect([vocals.length, music.length]).toEqual([whole.length, whole.length]);
  return decibels(powerOf(whole) / powerOf(less(less(whole, vocals), music)));
}

describe('the stems of a mix', () => {
  test('add up to it, and each is nearer to what it was made of', async () => {
    const done = await separate(at('mix.wav'), { format: 'wav' });
    expect(done.data).toMatchObject({
      ...{ stems: ['vocals', 'music'], gain_db: 0, copied_seconds: 0, rendered_seconds: 0 },
      engine: { id: 'centre_mask', tier: 'embedded', quality: 'basic', model_id: null },
    });
    const sum = await sumToMix(done, at('mix.wav'));
    const mix = await both(at('mix.wav'));
    const gains: number[] = [];
    for (const [role, own] of [
      ['vocals', 'voice.wav'],
      ['music', 'chords.wav'],
    ] as const) {
      const [found, wanted] = [await both(fileOf(done, role)), await both(at(own))];
      gains.push(siSdr(found, wanted) - siSdr(mix, wanted));
      console.log(
        `separate: ${role} SI-SDR ${siSdr(found, wanted).toFixed(2)} dB, of the mix ${siSdr(mix, wanted).toFixed(2)} dB`,
      );
    }
    console.log(`separate: stems add up to the mix within ${sum.toFixed(1)} dB`);
    expect(sum).toBeGreaterThanOrEqual(60);
    for (const gain of gains) expect(gain).toBeGreaterThanOrEqual(3.5);
  });

  test('come in the format, rate and length of what was asked for, alone or both', async () => {
    await ffmpeg('-i', at('mix.wav'), '-ar', '44100', '-t', '3.3', at('short.wav'));
    const codecs = { mp3: 'mp3', m4a: 'aac', flac: 'flac', wav: 'pcm_s24le' } as const;
    for (const [format, codec] of Object.entries(codecs)) {
      const done = await separate(at('short.wav'), { format, stems: ['music'] });
      expect(done.files.map(({ role, extension }) => [role, extension])).toEqual([['music', format]]);
      const stream = await streamOf(done.path, 'a');
      expect([stream.codec_name, stream.sample_rate, stream.channels]).toEqual([codec, '44100', 2]);
      expect(Math.abs(Number(stream.duration) - 3.3)).toBeLessThan(0.06);
    }
  });

  test('are whole but for the samples of the source that are no numbers', async () => {
    const bytes = await readFile(at('mix.wav'));
    const sample = (index: number) => bytes.indexOf('data') + 8 + index * 4;
    bytes.writeFloatLE(Number.NaN, sample(200_000));
    bytes.writeFloatLE(Number.POSITIVE_INFINITY, sample(400_001));
    await writeFile(at('damaged.wav'), bytes);
    const done = await separate(at('damaged.wav'), { format: 'flac' });
    expect(done.data).toMatchObject({ gain_db: 0, engine: { id: 'centre_mask' } });
    expect(await sumToMix(done, at('mix.wav'))).toBeGreaterThan(30);
  });

  test('are lowered alike where one of them would clip', async () => {
    await ffmpeg('-i', at('mix.wav'), '-af', 'volume=18dB', '-c:a', 'pcm_f32le', at('hot.wav'));
    const done = await separate(at('hot.wav'), { format: 'flac' });
    const gain = Number(done.data.gain_db);
    expect(gain).toBeLessThan(0);
    const whole = (await both(at('hot.wav'))).map((value) => value * 10 ** (gain / 20));
    const parts = await both(fileOf(done, 'vocals'));
    const rest = less(less(whole, parts), await both(fileOf(done, 'music')));
    expect(decibels(powerOf(whole) / powerOf(rest))).toBeGreaterThan(50);
  });
});

describe('the video with a stem', () => {
  test('keeps every packet of the picture, and a click its moment', async () => {
    const click = (from: number) => `0.9*between(t\\,${from}\\,${from + 0.002})`;
    const moments = [0.5, 3, 5.5];
    const graph = `aevalsrc=${moments.map(click).join('+')}+0.2*sin(900*t)|0.2*sin(900*t):s=44100:d=6`;
    const keep = ['-map', '1:v', '-map', '0:a', '-c:v', 'copy', '-c:a', 'aac', '-b:a', '192k'];
    await ffmpeg('-f', 'lavfi', '-i', graph, '-i', fixture('plain.mp4'), ...keep, at('clicks.mp4'));
    const done = await separateVideo(at('clicks.mp4'), {
      ...{ return_video: 'instrumental', stems: ['vocals'], format: 'wav' },
    });
    expect(done.files.map(({ role }) => role)).toEqual(['video', 'vocals']);
    expect(await packetHashes(done.path)).toEqual(await packetHashes(fixture('plain.mp4')));
    expect(done.data).toMatchObject({ copied_seconds: 6, rendered_seconds: 0, stems: ['vocals'] });
    const pulses = pulsesIn(await readSound(done.path));
    const off = pulses.map((time, index) => (time - (moments[index] ?? 0)) * 1000);
    console.log(`separate: clicks off by ${off.map((ms) => ms.toFixed(2)).join(', ')} ms`);
    expect(off).toHaveLength(3);
    for (const ms of off) expect(Math.abs(ms)).toBeLessThanOrEqual(10);
    const [video, audio] = [await streamOf(done.path, 'v'), await streamOf(done.path, 'a')];
    expect(Math.abs(Number(video.duration) - Number(audio.duration))).toBeLessThan(0.025);
  });
});

test('silence becomes silent stems', async () => {
  await ffmpeg('-f', 'lavfi', '-i', 'anullsrc=r=48000:cl=stereo', '-t', '1', at('silence.wav'));
  const done = await separate(at('silence.wav'), { format: 'wav' });
  for (const role of ['vocals', 'music']) {
    const sound = await both(fileOf(done, role));
    expect(sound).toHaveLength(2 * RATE);
    expect(powerOf(sound)).toBe(0);
  }
});

test('what cannot be taken apart is refused with the reason', async () => {
  await ffmpeg('-i', at('mix.wav'), '-ac', '1', at('mono.wav'));
  await ffmpeg('-i', at('mono.wav'), '-ac', '2', at('same.wav'));
  await ffmpeg('-i', at('mono.wav'), '-af', 'pan=stereo|c0=c0|c1=0*c0', at('left.wav'));
  await ffmpeg('-i', at('mono.wav'), '-af', 'pan=stereo|c0=c0|c1=-1*c0', at('inverted.wav'));
  for (const name of ['mono.wav', 'same.wav', 'left.wav', 'inverted.wav']) {
    expect(await failureOf(separate(at(name)))).toMatchObject({ code: 'source_not_stereo' });
  }
  expect((await failureOf(separate(at('mono.wav')))).detail).toContain('The audio is mono.');
  expect(await failureOf(separate(at('mix.wav'), { engine: 'spleeter' }))).toMatchObject({
    code: 'engine_unavailable',
    detail: expect.stringContaining('is not available'),
  });
  expect((await failureOf(separate('no-sound.mp4'))).code).toBe('source_no_audio');
  const soundAlone = separateVideo(at('mix.wav'), { return_video: 'vocals' });
  expect((await failureOf(soundAlone)).code).toBe('source_no_video');
});

describe('a model of the operator', () => {
  const probed = (manifest: ModelManifest) =>
    Engines.probe({ programs, modelsDir: directory, log: jsonLog({}, () => {}), manifest, confinement });
  const nets = { vocals: bytesOf(spleeter.vocals), accompaniment: bytesOf(spleeter.accompaniment) };

  test('takes any sound apart by what its two nets say, block by block', async () => {
    const engines = await probed(await tinyManifest(directory, 'spleeter', 'stems', nets));
    const graph = 'aevalsrc=0.3*sin(2*PI*500*t)+0.3*sin(2*PI*5000*t):s=48000:d=14';
    await ffmpeg('-f', 'lavfi', '-i', graph, '-c:a', 'pcm_f32le', at('tones.wav'));
    try {
      const done = await separate(at('tones.wav'), { format: 'wav' }, { engines });
      expect(done.data.engine).toMatchObject({ id: 'spleeter', tier: 'model', quality: 'high' });
      const [vocals, music] = [
        await readSound(fileOf(done, 'vocals')),
        await readSound(fileOf(done, 'music'), 1),
      ];
      const tone = (hertz: number) =>
        Float32Array.from(vocals, (_, index) => Math.sin((2 * Math.PI * hertz * index) / RATE) * 0.3);
      const [low, high] = [siSdr(vocals, tone(500)), siSdr(music, tone(5000))];
      const mono = await readSound(at('tones.wav'));
      const sum = less(less(mono, vocals, 1), music, 1);
      console.log(
        `spleeter: low tone ${low.toFixed(1)} dB, high tone ${high.toFixed(1)} dB, sum ${decibels(powerOf(mono) / powerOf(sum)).toFixed(1)} dB`,
      );
      expect(low).toBeGreaterThan(40);
      expect(high).toBeGreaterThan(40);
      expect(decibels(powerOf(mono) / powerOf(sum))).toBeGreaterThan(60);
      const bytes = await readFile(at('tones.wav'));
      bytes.writeFloatLE(Number.NaN, bytes.indexOf('data') + 8 + 400_000);
      await writeFile(at('damaged-tones.wav'), bytes);
      const damaged = await separate(at('damaged-tones.wav'), { format: 'wav' }, { engines });
      expect(damaged.data.gain_db).toBe(0);
      const left = await readSound(fileOf(damaged, 'music'), 1);
      expect(powerOf(left) / powerOf(music)).toBeCloseTo(1, 2);
    } finally {
      engines.close();
    }
  });

  test('that does not load leaves it to the center mask, and is offered no more', async () => {
    const manifest = await tinyManifest(directory, 'spleeter', 'stems', nets);
    const engines = await probed(manifest);
    await writeFile(at('vocals.onnx'), new Uint8Array(nets.vocals.length));
    try {
      const done = await separate(at('mix.wav'), { format: 'wav' }, { engines });
      expect(done.data.engine).toMatchObject({ id: 'centre_mask' });
      expect(engines.present).not.toContain('spleeter');
    } finally {
      engines.close();
    }
  });
});
