import { mkdtempSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { OperationName } from '../../../schema/operations/index.ts';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { type ChannelLayout, channelsOf } from '../../../transcoder/model/channel-layouts.ts';
import { readSound, streamOf } from '../../fixtures/barcode.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { sampled } from '../../sampled.ts';
import { type Done, operateOn } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-test-channels-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const RATE = 48_000;
const SECONDS = 3;
/** Low enough for the band of an LFE channel. */
const toneOf = (channel: number) => 40 + 10 * channel;
const url = 'https://media.example.com/source';

/** A video with another tone in each channel. @param how Arguments for its sound. */
async function toned(layout: string, channels: number, how: string, file: string): Promise<string> {
  const path = join(directory, file);
  const tones = Array.from({ length: channels }, (_, at) => `0.2*sin(2*PI*t*${toneOf(at)})`).join('|');
  const sound = `aevalsrc=${tones}:c=${layout}:s=${RATE}:d=${SECONDS}`;
  const picture = `testsrc2=s=160x120:r=25:d=${SECONDS}`;
  const inputs = ['-f', 'lavfi', '-i', picture, '-f', 'lavfi', '-i', sound];
  const encode = ['-c:v', 'libx264', '-g', '25', '-preset', 'ultrafast', ...how.split(' ')];
  await run(programs, 'ffmpeg', ['-v', 'error', '-y', ...inputs, ...encode, path]);
  return path;
}

const operate = (name: OperationName, source: string, request: object = {}) =>
  operateOn(name, [source], { video_url: url, ...request });

/** Power of a tone in the middle of a channel, in dB of full scale. */
async function levelOf(path: string, channel: number, tone: number): Promise<number> {
  const sound = (await readSound(path, channel)).subarray(RATE / 2, RATE * 1.5);
  const turn = (2 * Math.PI * tone) / RATE;
  const [re, im] = sound.reduce(
    ([re = 0, im = 0], value, at) => [re + value * Math.cos(turn * at), im + value * Math.sin(turn * at)],
    [0, 0],
  );
  return 20 * Math.log10((2 * Math.hypot(re ?? 0, im ?? 0)) / sound.length);
}

const warned = ({ warnings }: Done) =>
  warnings.filter(({ code }) => code === 'channels_mixed').map(({ detail }) => detail);

/** Expects each channel to have its own tone, 0.2 of full scale, and no other one. */
async function expectApart(done: Done, layout: ChannelLayout): Promise<void> {
  expect(await streamOf(done.path, 'a')).toMatchObject({
    ...{ channels: channelsOf(layout), channel_layout: layout },
  });
  expect(warned(done)).toEqual([]);
  for (let channel = 0; channel < channelsOf(layout); channel++) {
    expect(Math.abs((await levelOf(done.path, channel, toneOf(channel))) + 14)).toBeLessThan(1);
    const other = (channel + 1) % channelsOf(layout);
    expect(await levelOf(done.path, channel, toneOf(other))).toBeLessThan(-40);
  }
}

const flac = '-c:a flac';

describe('channels that a codec can hold keep their places', () => {
  test.each<[string, ChannelLayout, OperationName, object]>(
    sampled(
      [
        ['3.0 in AAC', '3.0', 'transcode', { format: 'mp4' }],
        ['4.0 in AAC', '4.0', 'transcode', { format: 'mp4' }],
        ['5.0 in AAC', '5.0', 'transcode', { format: 'mp4' }],
        ['3.0 in Opus', '3.0', 'transcode', { format: 'mkv', audio_codec: 'opus' }],
        ['quad in Opus', 'quad', 'transcode', { format: 'webm', codec: 'vp9', audio_codec: 'opus' }],
        ['5.1 in Opus', '5.1', 'transcode', { format: 'mkv', audio_codec: 'opus' }],
        ['6.1 in Vorbis', '6.1', 'transcode', { format: 'webm', codec: 'vp9', audio_codec: 'vorbis' }],
        ['2.1 in WAV', '2.1', 'transcode', { audio_only: true, format: 'wav' }],
        ['4.0 in WAV', '4.0', 'transcode', { audio_only: true, format: 'wav' }],
        ['6.1 in FLAC', '6.1', 'transcode', { audio_only: true, format: 'flac' }],
        ['4.0 at a rate', '4.0', 'speed', { ranges: [{ start: 1.8, end: 2.6, rate: 2 }] }],
        ['5.0 backwards', '5.0', 'speed', { reverse: true }],
        ['3.0 next to copied pictures', '3.0', 'cut', { start: 0.5, end: 2.5 }],
        [
          '4.0 of ranges',
          '4.0',
          'cut',
          {
            segments: [
              { start: 0, end: 1.6 },
              { start: 1.7, end: 2.9 },
            ],
          },
        ],
      ],
      4,
    ),
  )('%s', async (_, layout, name, request) => {
    const source = await toned(layout, channelsOf(layout), flac, `${layout}.mkv`);
    await expectApart(await operate(name, source, request), layout);
  });

  test('4.0 of clips with a transition', async () => {
    const source = await toned('4.0', 4, flac, '4.0.mkv');
    const request = { urls: [url, `${url}/2`], transition: 'fade', duration: 0.5 };
    await expectApart(await operateOn('merge_urls', [source, source], request), '4.0');
  });
});

describe('loudness is brought to a level as it is heard, after channels have been mixed:', () => {
  test.each(
    sampled(
      [
        ['5.1', 6, ['-channel_layout', '5.1']],
        ['9 channels without places', 9, []],
      ] as const,
      2,
    ),
  )('%s', async (_, channels, how) => {
    const [samples, path] = [join(directory, 'tones.raw'), join(directory, `tones-${channels}.wav`)];
    const tones = Int16Array.from({ length: 6 * RATE * channels }, (_, at) => {
      const [channel, frame] = [at % channels, Math.floor(at / channels)];
      return 3000 * Math.sin((2 * Math.PI * (400 + 70 * channel) * frame) / RATE);
    });
    await writeFile(samples, tones);
    const raw = ['-f', 's16le', '-ar', `${RATE}`, '-ac', `${channels}`, '-i', samples];
    await run(programs, 'ffmpeg', ['-v', 'error', '-y', ...raw, ...how, path]);
    const request = { audio_only: true, format: 'mp3', normalize_lufs: -16 };
    const done = await operate('transcode', path, request);
    const { data } = await operateOn('probe', [done.path], { url, loudness: true });
    const { loudness } = data as { loudness: { integrated_lufs: number } };
    expect(Math.abs(loudness.integrated_lufs + 16)).toBeLessThan(0.5);
  });
});

describe('channels without a layout, as Speex has them', () => {
  test.each<[OperationName, object]>(
    sampled(
      [
        ['transcode', { normalize_lufs: -20 }],
        ['speed', { rate: 1.5, pitch: 'follow' }],
        ['speed', { rate: 0.75 }],
      ],
      4,
    ),
  )('make a stereo sound in /%s %o', async (name, request) => {
    const source = await toned('stereo', 2, '-ar 16000 -c:a libspeex', 'speex.mkv');
    const { channels, channel_layout } = await streamOf((await operate(name, source, request)).path, 'a');
    expect([channels, channel_layout]).toEqual([2, 'stereo']);
  });
});

describe('channels that a codec cannot hold are kept in a larger layout, and the result says so', () => {
  test.each<[ChannelLayout, ChannelLayout, object, number[]]>(
    sampled(
      [
        ['2.1', '5.1', { format: 'mp4' }, [0, 1, 3]],
        ['quad', '5.0', { format: 'mp4' }, [0, 1, 3, 4]],
        ['5.0', '5.1', { format: 'mkv', audio_codec: 'opus' }, [0, 1, 2, 4, 5]],
        ['4.0', '6.1', { format: 'webm', codec: 'vp9', audio_codec: 'vorbis' }, [0, 1, 2, 4]],
      ],
      4,
    ),
  )('%s in %s', async (layout, to, request, places) => {
    const source = await toned(layout, channelsOf(layout), flac, `${layout}.mkv`);
    const done = await operate('transcode', source, request);
    expect(await streamOf(done.path, 'a')).toMatchObject({ channel_layout: to });
    expect(warned(done)).toEqual([expect.stringContaining(`They are kept in ${to}`)]);
    for (const [channel, place] of places.entries())
      expect(Math.abs((await levelOf(done.path, place, toneOf(channel))) + 14)).toBeLessThan(1);
  });
});

describe('channels that no layout of a codec holds are mixed, and the result says so', () => {
  test.each<[string, number, ChannelLayout, object]>(
    sampled(
      [
        ['3.0(back)', 3, 'stereo', { format: 'mp4' }],
        ['4.0', 4, '5.1', { format: 'mkv', audio_codec: 'opus' }],
        ['4.1', 5, '5.1', { format: 'mp4' }],
        ['6.1', 7, '5.1', { format: 'mp4' }],
        ['6.0', 6, '5.1', { format: 'mp4' }],
        ['5.1', 6, 'stereo', { audio_only: true, format: 'mp3' }],
      ],
      4,
    ),
  )('%s, %i channels, to %s', async (layout, channels, to, request) => {
    const done = await operate('transcode', await toned(layout, channels, flac, `${layout}.mkv`), request);
    expect(await streamOf(done.path, 'a')).toMatchObject({ channels: channelsOf(to) });
    expect(warned(done)).toEqual([expect.stringContaining(`${channels} channels (${layout})`)]);
    expect(warned(done)).toEqual([expect.stringContaining(`They were mixed to ${to}.`)]);
  });

  test('not if the packets of the sound are copied', async () => {
    const source = await toned('quad', 4, '-c:a aac', 'quad.mp4');
    const done = await operate('crop', source, { aspect_ratio: '1:1' });
    expect(await streamOf(done.path, 'a')).toMatchObject({ channels: 4 });
    expect(warned(done)).toEqual([]);
  });

  test('a background under a voice, which is always stereo', async () => {
    const source = await toned('5.1', 6, flac, '5.1.mkv');
    const voice = await toned('mono', 1, flac, 'voice.mkv');
    const request = { video_url: url, audio_url: `${url}/voice`, bg_source: 'keep' };
    const done = await operateOn('redub', [source, voice], request);
    expect(await streamOf(done.path, 'a')).toMatchObject({ channels: 2 });
    expect(warned(done)).toEqual([
      'The sound of the video has 6 channels (5.1). It was mixed down to stereo.',
    ]);
  });
});

describe('channels whose places are not stated, as of a recorder with many microphones, are all heard on both sides', () => {
  const CHANNELS = 12;

  async function recorded(container: string, how: string): Promise<string> {
    const samples = Float32Array.from({ length: RATE * SECONDS * CHANNELS }, (_, at) => {
      const seconds = Math.floor(at / CHANNELS) / RATE;
      return 0.8 * Math.sin(2 * Math.PI * seconds * toneOf(at % CHANNELS));
    });
    const raw = join(directory, 'microphones.f32');
    await writeFile(raw, new Uint8Array(samples.buffer));
    const path = join(directory, `microphones.${container}`);
    const sound = ['-f', 'f32le', '-ar', `${RATE}`, '-ac', `${CHANNELS}`, '-i', raw];
    const picture = ['-f', 'lavfi', '-i', `testsrc2=s=160x120:r=25:d=${SECONDS}`];
    const map = container === 'mov' ? ['-map', '0', '-map', '1'] : ['-map', '0'];
    await run(programs, 'ffmpeg', [
      '-v',
      'error',
      '-y',
      ...sound,
      ...picture,
      ...map,
      ...how.split(' '),
      path,
    ]);
    return path;
  }

  test.each<[string, string, OperationName, object]>(
    sampled(
      [
        ['in a WAV', 'wav', 'transcode', { audio_only: true, format: 'mp3' }],
        ['in a video', 'mov', 'transcode', { format: 'mp4' }],
        ['in a video of which pictures are copied', 'mov', 'cut', { start: 0.3, end: 2.7 }],
        ['backwards', 'mov', 'speed', { reverse: true }],
        ['in a video that is cut at keyframes', 'mov', 'cut', { start: 0.3, end: 2.7, mode: 'keyframe' }],
      ],
      5,
    ),
  )('%s', async (_, container, name, request) => {
    const how =
      container === 'mov' ? '-c:a pcm_s24le -c:v libx264 -g 25 -preset ultrafast' : '-c:a pcm_s24le';
    const done = await operate(name, await recorded(container, how), request);
    expect(await streamOf(done.path, 'a')).toMatchObject({ channels: 2 });
    expect(warned(done)).toEqual([expect.stringContaining(`${CHANNELS} channels`)]);
    const wanted = 20 * Math.log10(0.8 / CHANNELS);
    for (const side of [0, 1]) {
      for (const channel of [0, 5, 11])
        expect(Math.abs((await levelOf(done.path, side, toneOf(channel))) - wanted)).toBeLessThan(1);
    }
  });

  test.each<[string, OperationName, Record<string, unknown>]>(
    sampled(
      [
        [
          'a redub',
          'redub',
          { video_url: url, audio_url: `${url}/voice`, bg_source: 'external', bg_url: `${url}/music` },
        ],
        ['clips', 'merge_urls', { urls: [url, `${url}/2`], background_audio_url: `${url}/music` }],
        [
          'a photo',
          'photo_animate',
          { photo_url: url, audio_url: `${url}/music`, duration: 2, width: 160, height: 120 },
        ],
      ],
      4,
    ),
  )('as the music of %s', async (_, name, request) => {
    const music = await recorded('wav', '-c:a pcm_s24le');
    const clip = await toned('mono', 1, flac, 'mono.mkv');
    const sources = name === 'photo_animate' ? [fixture('still.png')] : [clip, clip];
    const done = await operateOn(name, [...sources, music], request);
    expect(await streamOf(done.path, 'a')).toMatchObject({ channels: 2 });
    const [left, right] = await Promise.all([0, 1].map((side) => levelOf(done.path, side, toneOf(11))));
    expect(left).toBeGreaterThan(-60);
    expect(Math.abs((left ?? 0) - (right ?? 0))).toBeLessThan(1);
  });

  test('also if one speaker of a pair is missing', async () => {
    const source = await toned('FL+FR+SL', 3, flac, 'lame.mkv');
    const done = await operate('transcode', source, { format: 'mp4' });
    expect(await streamOf(done.path, 'a')).toMatchObject({ channels: 2 });
    expect(warned(done)).toEqual([expect.stringContaining('They were mixed to stereo.')]);
  });
});
