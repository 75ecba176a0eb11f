import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operate, operateOn } from '../operate.ts';
import { scratch } from '../scratch.ts';

const at = (name: string) => join(scratch(), name);
const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);

async function samplesOf(path: string): Promise<Int16Array> {
  await ffmpeg('-i', path, '-ac', '1', '-ar', '44100', '-f', 's16le', at('samples.raw'));
  const bytes = await readFile(at('samples.raw'));
  return new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2).slice();
}

/** Packets of these are too early by 12 ms. */
const sometimes = 'between(mod(N\\,40)\\,20\\,23)';
/** Everything from there on is late by 25 ms: something is missing. */
const forGood = 'gt(N\\,60)';

async function source(name: string, times: string): Promise<string> {
  const sweep = 'aevalsrc=0.3*sin(2*PI*(300*t+200*t*t)):s=44100:d=4';
  await ffmpeg('-f', 'lavfi', '-i', sweep, '-c:a', 'libvorbis', '-bsf:a', `setts=ts=${times}`, at(name));
  return at(name);
}

test('frames of Vorbis whose times are astray follow one another', async () => {
  const straight = await source('straight.mka', 'TS');
  const astray = await source('astray.mka', `TS-if(${sometimes}\\,12\\,0)`);
  const wanted = await operate('transcode', straight, { audio_only: true, format: 'wav' });
  const done = await operate('transcode', astray, { audio_only: true, format: 'wav' });
  const [heard, whole] = [await samplesOf(done.path), await samplesOf(wanted.path)];
  // The container rounds the end to a millisecond.
  expect(Math.abs(heard.length - whole.length)).toBeLessThan(45);
  expect(heard.findIndex((sample, n) => n < whole.length && sample !== whole[n])).toBe(-1);
}, 120_000);

test('a gap in Vorbis that stays is filled with silence', async () => {
  const straight = await source('whole.mka', 'TS');
  const gap = await source('gap.mka', `TS+if(${forGood}\\,25\\,0)`);
  const wanted = await operate('transcode', straight, { audio_only: true, format: 'wav' });
  const done = await operate('transcode', gap, { audio_only: true, format: 'wav' });
  const late = Math.round(0.025 * 44_100);
  const [heard, whole] = [await samplesOf(done.path), await samplesOf(wanted.path)];
  const [from, to] = [3 * 44_100, 3.5 * 44_100];
  const best = Array.from({ length: 9 }, (_, step) => late + (step - 4) * 11).map((lag) => ({
    lag,
    error: whole
      .subarray(from, to)
      .reduce((sum, one, n) => sum + Math.abs(one - (heard[from + n + lag] ?? 0)), 0),
  }));
  const nearest = best.reduce((least, one) => (one.error < least.error ? one : least));
  expect(Math.abs(nearest.lag - late)).toBeLessThanOrEqual(44);
}, 120_000);

/** Each block states where it ends, as libavformat wrote it before version 54; bursts make blocks short. */
async function pair(): Promise<[straight: string, ends: string]> {
  const bursts = "volume='if(lt(mod(t,0.37),0.01),3,0.6)':eval=frame";
  const sweep = `aevalsrc=0.3*sin(2*PI*(300*t+200*t*t)):s=44100:d=4,${bursts}`;
  const made = async (name: string, times: string) => {
    const args = ['-c:a', 'libvorbis', '-bsf:a', `setts=ts=${times}`, at(name)];
    await ffmpeg('-f', 'lavfi', '-i', sweep, ...args);
    return at(name);
  };
  return [await made('starts.mka', 'TS'), await made('ends.mka', 'TS+DURATION')];
}

/** How many samples one is later than the other around a time: where they differ least. */
function lag(one: Int16Array, other: Int16Array, seconds: number): number {
  const [from, to] = [seconds * 44_100, (seconds + 0.15) * 44_100];
  const wanted = other.subarray(from, to);
  const lags = Array.from({ length: 481 }, (_, step) => (step - 240) * 5);
  const errors = lags.map((by) =>
    wanted.reduce((sum, sample, n) => sum + Math.abs(sample - (one[from + n + by] ?? 0)), 0),
  );
  return lags[errors.indexOf(Math.min(...errors))] ?? Number.NaN;
}

/** 2 ms: Matroska rounds the times of both files, and the lengths from which the ends are made. */
const ROUNDING = 90;
const url = 'https://media.example.com/source';

test('wherever it begins, a cut of Vorbis whose blocks state their ends has the sound asked for', async () => {
  const [straight, ends] = await pair();
  for (const start of [0.21, 0.75, 1.49, 2.6]) {
    const asked = { audio_url: url, start, end: start + 1 };
    const wanted = await samplesOf((await operate('cut', straight, asked)).path);
    const heard = await samplesOf((await operate('cut', ends, asked)).path);
    expect(Math.abs(lag(heard, wanted, 0.3)), `from ${start} s`).toBeLessThanOrEqual(ROUNDING);
  }
}, 240_000);

test('as the voice of a redub it is heard when it is due', async () => {
  const [straight, ends] = await pair();
  const redubbed = async (voice: string) => {
    const asked = { video_url: url, voice_url: url, length_policy: 'video' };
    return samplesOf((await operateOn('redub', [fixture('plain.mp4'), voice], asked)).path);
  };
  const [wanted, heard] = [await redubbed(straight), await redubbed(ends)];
  for (const seconds of [0.4, 0.9, 1.4]) {
    expect(Math.abs(lag(heard, wanted, seconds)), `at ${seconds} s`).toBeLessThanOrEqual(ROUNDING);
  }
}, 240_000);

test.each(sampled(['ogg', 'webm'], 3))(
  'a sound that sets in after 55 ms becomes Vorbis in %s',
  async (format) => {
    const late = "aevalsrc='if(gte(t,0.055),0.4*sin(2*PI*(300*t+200*t*t)),0)':s=48000:d=3";
    const args = ['-f', 'lavfi', '-i', 'color=s=64x48:r=25:d=3', '-f', 'lavfi', '-i', late];
    await ffmpeg(...args, '-c:v', 'libx264', '-c:a', 'pcm_s16le', at('late.mov'));
    const request = { format, audio_codec: 'vorbis', audio_only: format === 'ogg' };
    const done = await operate('transcode', at('late.mov'), request);
    const heard = await samplesOf(done.path);
    const first = heard.findIndex((sample) => Math.abs(sample) > 2000) / 44_100;
    expect(Math.abs(first - 0.055)).toBeLessThan(0.004);
  },
);
