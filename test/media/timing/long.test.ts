import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { OperationName } from '../../../schema/operations/index.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { operateOn } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-long-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** Longer than any limit on what runs on past its planned end leaves to a step whose own length was not planned. */
const SECONDS = 130;
const talk = join(directory, 'talk.mp4');
const still = join(directory, 'still.png');

beforeAll(async () => {
  const ffmpeg = (...args: string[]) => run(programs, 'ffmpeg', ['-v', 'error', '-nostdin', ...args]);
  const tones = `aevalsrc='0.3*sin(880*t)*lt(mod(t,20),18)|0.3*sin(1320*t)*lt(mod(t,20),18)':s=48000:d=${SECONDS}`;
  const picture = `testsrc2=s=64x36:r=5:d=${SECONDS}`;
  await ffmpeg('-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', tones, '-g', '10', talk);
  await ffmpeg('-f', 'lavfi', '-i', 'testsrc2=s=64x36', '-frames:v', '1', still);
}, 60_000);

const url = 'https://media.example.com/talk.mp4';
const kept = { video_url: url, threshold_db: -40, min_silence: 1 };
type Row = [operation: OperationName, what: string, request: Record<string, unknown>, files: string[]];
const pieces = [
  { start: 0.3, end: 70 },
  { start: 60, end: 129 },
];
const small = { width: 64, height: 64, fps: 10 };
const rows: Row[] = [
  ['cut', 'fades', { video_url: url, end: SECONDS - 1, fade_in: 1, fade_out: 1 }, [talk]],
  ['cut', 'segments', { video_url: url, segments: pieces, format: 'mkv' }, [talk]],
  ['cut', 'the sound alone', { audio_url: url, end: SECONDS - 1 }, [talk]],
  ['transcode', 'webm', { video_url: url, format: 'webm', height: 36 }, [talk]],
  ['silence_process', 'removed', kept, [talk]],
  ['silence_process', 'muted', { ...kept, mode: 'mute' }, [talk]],
  ['silence_process', 'sped up', { ...kept, mode: 'speed_up', silent_speed: 4 }, [talk]],
  ['merge_urls', 'a fade', { urls: [url, url], transition: 'fade', duration: 1 }, [talk, talk]],
  ['merge_urls', 'music', { urls: [url, url], background_audio_url: url }, [talk, talk, talk]],
];
const withoutPicture: Row[] = [
  ['redub', 'mixed', { video_url: url, voice_url: url, mode: 'mix', normalize_lufs: -16 }, [talk, talk]],
  ['redub_tts', 'a line', { video_url: url, script: 'One short line.', bg_source: 'keep' }, [talk]],
  ['redub_vc', 'deep', { video_url: url, voice_id: 'deep', consent: true }, [talk]],
  ['separate', 'both', { video_url: url, return_video: 'instrumental' }, [talk]],
  ['visualize', 'bars', { ...small, audio_url: url, style: 'bars' }, [talk]],
  [
    'photo_animate',
    'music',
    { ...small, photo_url: url, audio_url: url, length_policy: 'audio' },
    [still, talk],
  ],
];

describe('minutes of media are no more than planned', () => {
  const all = [
    ...sampled([...rows, ...withoutPicture], 3).map((row) => [...row, 'libav'] as const),
    ...sampled(rows, 16, 1).map((row) => [...row, 'the program'] as const),
  ];
  test.each(all)('%s: %s (%#)', { timeout: 300_000 }, async (name, _, request, files, by) => {
    const done = await operateOn(name, files, request, by === 'libav' ? {} : { libav: null });
    expect(done.duration ?? SECONDS).toBeGreaterThan(100);
  });
});
