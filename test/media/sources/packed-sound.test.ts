import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readPulses, readSound } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { failureOf, operate } from '../operate.ts';

let directory: string;
const at = (name: string) => join(directory, name);
const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-packed-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

/** A pulse a second, in packets whose times are up to 0.12 s later than their first frame, as where packets hold parts of frames. */
async function packed(codec: string): Promise<string> {
  const encode = ['-vn', '-ar', '44100', '-c:a', codec, '-b:a', '128k'];
  const late = ['-bsf:a', "setts=ts='PTS+40*mod(N,4)'"];
  await ffmpeg('-i', fixture('plain.mp4'), ...encode, ...late, at(`${codec}.wma`));
  return at(`${codec}.wma`);
}

test('a sound that is decoded is listed as it is coded', async () => {
  const source = await packed('wmav2');
  const { data } = await operate('probe', source, {});
  expect(data.streams).toEqual([expect.objectContaining({ codec: 'wmav2', bitrate_kbps: 128 })]);
});

test.each(sampled(['wmav1', 'wmav2'], 3))('%s is heard in a row, as ffmpeg decodes it', async (codec) => {
  const source = await packed(codec);
  await ffmpeg('-i', source, at('decoded.wav'));
  const expected = await readPulses(at('decoded.wav'));
  expect(expected.length).toBeGreaterThan(4);
  const made = await operate('transcode', source, { audio_only: true, format: 'wav' });
  const found = await readPulses(made.path);
  expect(found).toHaveLength(expected.length);
  for (const [index, pulse] of found.entries()) expect(pulse).toBeCloseTo(expected[index] ?? 0, 3);
});

test('Windows Media Audio is heard where its later packets say, though the first time is that of a frame later', async () => {
  const encode = ['-t', '3', '-c:v', 'wmv2', '-b:v', '1M', '-ar', '44100', '-c:a', 'wmav2', '-b:a', '128k'];
  await ffmpeg('-i', fixture('plain.mp4'), ...encode, at('plain.wmv'));
  // Decoders leave out two frames, and state the time behind them: encoders of Windows mean the one between.
  await ffmpeg('-i', at('plain.wmv'), '-c', 'copy', '-bsf:a', "setts=ts='PTS+46*eq(N,2)'", at('late.wmv'));
  const pulsesOf = async (name: string) => {
    const made = await operate('transcode', at(name), { format: 'mp4' });
    return readPulses(made.path);
  };
  const expected = await pulsesOf('plain.wmv');
  const found = await pulsesOf('late.wmv');
  expect(found.length).toBeGreaterThan(1);
  expect(found).toHaveLength(expected.length);
  for (const [index, pulse] of found.entries()) expect(pulse).toBeCloseTo(expected[index] ?? 0, 2);
});

test.each(sampled(['wmav1', 'wmav2'], 3))(
  '%s sounds in WAV as it does in ASF, from its first packet to its last',
  async (codec) => {
    const encode = ['-vn', '-ar', '44100', '-c:a', codec, '-b:a', '48k'];
    const sounds: Float32Array[] = [];
    for (const name of [`${codec}-same.wma`, `${codec}-same.wav`]) {
      await ffmpeg('-t', '4', '-i', fixture('plain.mp4'), ...encode, at(name));
      const made = await operate('transcode', at(name), { audio_only: true, format: 'wav' });
      sounds.push(await readSound(made.path));
    }
    const [wanted, found] = sounds;
    expect(found?.length).toBe(wanted?.length);
    expect(found?.findIndex((sample, index) => Math.abs(sample - (wanted?.[index] ?? 0)) > 0.001)).toBe(-1);
  },
);

test('the samples of a DVD are heard in a row, under its pictures', async () => {
  const video = ['-c:v', 'mpeg2video', '-b:v', '1M', '-c:a', 'pcm_dvd', '-ar', '48000', '-ac', '2'];
  await ffmpeg('-i', fixture('plain.mp4'), ...video, '-f', 'vob', at('dvd.mpg'));
  await ffmpeg('-i', fixture('plain.mp4'), '-vn', at('plain.wav'));
  const expected = await readPulses(at('plain.wav'));
  const probed = await operate('probe', at('dvd.mpg'), {});
  expect(probed.data.streams).toContainEqual(expect.objectContaining({ codec: 'pcm_dvd' }));
  const made = await operate('transcode', at('dvd.mpg'), { format: 'mp4' });
  const found = await readPulses(made.path);
  expect(found).toHaveLength(expected.length);
  for (const [index, pulse] of found.entries()) expect(pulse).toBeCloseTo(expected[index] ?? 0, 2);
});

const remuxed = (name: string, request: Record<string, unknown>) => operate('remux', at(name), request);

test('Windows Media Audio is copied into Matroska as it is, and refused by name where it does not fit', async () => {
  const encode = ['-t', '3', '-c:v', 'mpeg4', '-b:v', '1M', '-ar', '44100', '-c:a', 'wmav2', '-b:a', '128k'];
  await ffmpeg('-i', fixture('plain.mp4'), ...encode, at('mpeg4.wmv'));
  const made = await remuxed('mpeg4.wmv', { format: 'mkv' });
  const expected = await readPulses(at('mpeg4.wmv'));
  const found = await readPulses(made.path);
  expect(found).toHaveLength(expected.length);
  for (const [index, pulse] of found.entries()) expect(pulse).toBeCloseTo(expected[index] ?? 0, 2);
  await ffmpeg('-i', at('mpeg4.wmv'), '-vn', '-c', 'copy', at('alone.wma'));
  const alone = await remuxed('alone.wma', { audio_url: 'https://media.example.com/alone.wma' });
  expect(alone.path).toMatch(/\.mkv$/);
  expect(await readPulses(alone.path)).toHaveLength(expected.length);
  for (const [name, field] of [
    ['mpeg4.wmv', 'video_url'],
    ['alone.wma', 'audio_url'],
  ] as const) {
    const request = { [field]: 'https://media.example.com/1', format: field === 'video_url' ? 'mp4' : 'm4a' };
    const { code, detail } = await failureOf(remuxed(name, request));
    expect(code).toBe('codec_unsupported');
    expect(detail).toContain('(audio, wmav2)');
  }
});

test('samples of a DVD, which no container holds as they are, are not called undecodable', async () => {
  const video = ['-c:v', 'mpeg2video', '-b:v', '1M', '-c:a', 'pcm_dvd', '-ar', '48000', '-ac', '2'];
  await ffmpeg('-t', '2', '-i', fixture('plain.mp4'), ...video, '-f', 'vob', at('copied.mpg'));
  const { code, detail } = await failureOf(remuxed('copied.mpg', { format: 'mkv' }));
  expect(code).toBe('codec_unsupported');
  expect(detail).toContain('Re-encode it with /transcode');
});
