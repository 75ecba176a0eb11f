import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { readPulses, streamOf } from '../../fixtures/barcode.ts';
import { type Coded, changingSound, coded } from '../../fixtures/changing-sound.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate, operateOn } from '../operate.ts';
import { scratch } from '../scratch.ts';
import { pulsesWithFrames } from './pulses-with-frames.ts';

const nearest = (pulses: readonly number[]) => pulses.map((pulse) => Math.round(pulse));

const film = [coded('ac3', 48_000, 6), coded('ac3', 48_000, 2)];

describe.each<[string, Coded[]]>(
  sampled(
    [
      ['AAC from 44.1 to 48 kHz', [coded('aac', 44_100, 2), coded('aac', 48_000, 2)]],
      ['AAC from stereo to mono of half the rate', [coded('aac', 48_000, 2), coded('aac', 24_000, 1)]],
      ['AC-3 from 5.1 to stereo', film],
      ['AC-3 from stereo to 5.1', [...film].reverse()],
      ['E-AC-3 from stereo to mono', [coded('eac3', 48_000, 2), coded('eac3', 48_000, 1)]],
      ['MP2 from 44.1 to 48 kHz', [coded('mp2', 44_100, 2), coded('mp2', 48_000, 2)]],
      ['MP3 from stereo to mono', [coded('libmp3lame', 48_000, 2), coded('libmp3lame', 48_000, 1)]],
    ],
    3,
  ),
)('a transport stream whose sound changes: %s', (name, sounds) => {
  test('is heard with its pictures throughout', async () => {
    const path = await changingSound(scratch(), name.replaceAll(' ', '-'), '.ts', sounds);
    const whole = await operate('transcode', path, { quality: 'low' });
    expect(nearest(await pulsesWithFrames(whole.path))).toEqual([1, 2, 3, 4, 5]);
    const { sample_rate, channels } = await streamOf(whole.path, 'a');
    expect(Number(sample_rate)).toBe(48_000);
    expect(channels).toBe(Math.max(...sounds.map((sound) => sound.channels)));
    const part = await operate('cut', path, { start: 1.5, end: 4.5 });
    expect((await pulsesWithFrames(part.path)).length).toBe(3);
    expect(Number(part.data.copied_seconds)).toBeGreaterThan(1);
    const copied = await operate('cut', path, { start: 1, end: 5, mode: 'keyframe' });
    expect(nearest(await pulsesWithFrames(copied.path)).slice(0, 4)).toEqual([1, 2, 3, 4]);
  }, 60_000);
});

test('Matroska with AC-3 that changes is copied as it is, and heard with its pictures where it is decoded', async () => {
  const stream = await changingSound(scratch(), 'film', '.ts', film);
  const path = join(scratch(), 'film.mkv');
  await run(programs, 'ffmpeg', ['-v', 'error', '-y', '-i', stream, '-c', 'copy', path]);
  const encoded = await operate('transcode', path, { quality: 'low' });
  expect(nearest(await pulsesWithFrames(encoded.path))).toEqual([1, 2, 3, 4, 5]);
  const url = 'https://media.example.com/source';
  const merged = await operateOn('merge_urls', [path, fixture('plain.mp4')], { video_urls: [url, url] });
  expect(nearest(await pulsesWithFrames(merged.path)).slice(0, 8)).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  const remuxed = await operate('remux', path, { format: 'mp4' });
  expect(await streamOf(remuxed.path, 'a')).toMatchObject({ codec_name: 'ac3' });
}, 60_000);

describe.each<[string, string, Coded[]]>(
  sampled(
    [
      ['ADTS from stereo to mono', '.aac', [coded('aac', 44_100, 2), coded('aac', 44_100, 1)]],
      ['MP3 from 44.1 to 48 kHz', '.mp3', [coded('libmp3lame', 44_100, 2), coded('libmp3lame', 48_000, 2)]],
      ['AC-3 from stereo to 5.1', '.ac3', [...film].reverse()],
    ],
    3,
  ),
)('a file of sound that changes: %s', (name, extension, sounds) => {
  test('is cut where it is heard', async () => {
    const path = await changingSound(scratch(), name.replaceAll(' ', '-'), extension, sounds);
    const whole = await readPulses(
      (await operate('transcode', path, { format: 'wav', audio_only: true })).path,
    );
    expect(nearest(whole)).toEqual([0, 1, 2, 3, 4, 5]);
    const { path: part } = await operate('cut', path, { audio_url: '', start: 1.5, end: 4.5 });
    const pulses = await readPulses(part);
    const wanted = whole.filter((pulse) => pulse > 1.5 && pulse < 4.5).map((pulse) => pulse - 1.5);
    expect(pulses.length).toBe(wanted.length);
    for (const [index, pulse] of pulses.entries()) expect(pulse).toBeCloseTo(wanted[index] ?? 0, 2);
    for (const [index, pulse] of whole.entries()) expect(Math.abs(pulse - index)).toBeLessThan(0.09);
  }, 60_000);
});
