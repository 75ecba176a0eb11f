import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { operations } from '../../schema/operations/index.ts';
import { Engines } from '../../transcoder/engines/engines.ts';
import { likenessOf, thinned } from '../../transcoder/engines/hosts/voice-likeness.ts';
import { byFlite } from '../../transcoder/engines/speech/programs.ts';
import { type Sound, waveBytes } from '../../transcoder/engines/speech/wave.ts';
import { run } from '../../transcoder/ffmpeg/run.ts';
import { jsonLog } from '../../transcoder/log.ts';
import { lagOf, pulsesIn, readSound, streamOf } from '../fixtures/barcode.ts';
import { fixture, programs } from '../fixtures/make.ts';
import { packetHashes } from '../fixtures/packets.ts';
import { type Done, failureOf, operate, operateOn } from './engine.ts';

const RATE = 48_000;
const url = 'https://media.example.com/source';
const directory = mkdtempSync(join(tmpdir(), 'spool-test-vc-'));
const at = (name: string) => join(directory, name);
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-y', ...args]);
const consent = { consent: true, video_url: url };

const redub = (source: string, request: object = {}, options = {}, sample?: string): Promise<Done> =>
  operateOn(
    'redub_vc',
    [source, ...(sample ? [sample] : [])],
    { ...consent, ...(sample ? { voice_sample_url: url } : {}), ...request },
    options,
  );

const speak = (text: string, voice: string) => byFlite({ text, voice, speed: 1 }, { programs, directory });

/** Sample by sample at 48 kHz. */
async function likeness(path: string) {
  const thin = thinned(await readSound(path), RATE);
  return likenessOf([thin.samples], thin.sampleRate);
}

beforeAll(async () => {
  const text = 'She had been waiting for the answer. Then the letter came on Friday.';
  await writeFile(at('slow.wav'), waveBytes(await speak(text, 'rms')));
  await writeFile(at('other.wav'), waveBytes(await speak('Good morning, everyone. We are open.', 'slt')));
  const film = ['-i', fixture('plain.mp4'), '-map', '1:v', '-map', '0:a', '-c:v', 'copy', '-c:a', 'aac'];
  const voice = ['-i', at('slow.wav')];
  await ffmpeg(...voice, ...film, '-af', 'apad=whole_dur=6,atrim=end=6', '-ar', '44100', at('speech.mp4'));
  const music = 'aevalsrc=0.05*sin(2*PI*3000*t)|0.05*sin(2*PI*3700*t):s=48000:d=6';
  await ffmpeg(
    ...['-f', 'lavfi', '-i', music, '-i', at('speech.mp4'), '-filter_complex'],
    '[1:a]aresample=48000,pan=stereo|c0=c0|c1=c0[v];[0:a][v]amix=inputs=2:normalize=0[a]',
    ...['-map', '1:v', '-map', '[a]', '-c:v', 'copy', '-c:a', 'aac', '-b:a', '192k', at('scene.mp4')],
  );
}, 60_000);

describe('a preset', () => {
  test('moves the pitch, keeps the time to the sample, the loudness and every packet of the picture', async () => {
    const done = await redub(at('speech.mp4'), { voice_id: 'deep' });
    console.log(JSON.stringify(done.data));
    const [before, after] = [await likeness(at('speech.mp4')), await likeness(done.path)];
    const semitones = 12 * Math.log2((after.pitch ?? 0) / (before.pitch ?? 1));
    console.log('pitch', before, after, semitones);
  });
});
