import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { LibavFailure } from '../../../transcoder/media/libav/pool.ts';
import { sampled } from '../../sampled.ts';
import { operate, operateOn } from '../operate.ts';
import {
  chaptersOf,
  expectChapters,
  expectInTime,
  expectTexts,
  ffmpeg,
  LATE,
  languagesOf,
  textsOf,
  tracksOf,
  writeTracked,
} from './tracked.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-tracks-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const at = (name: string) => join(directory, name);
beforeAll(() => writeTracked(at));

const jobs = [
  ['cut', { start: 0.92, duration: 7.2 }],
  [
    'cut',
    {
      segments: [
        { start: 0.56, end: 3.2 },
        { start: 6.6, end: 9 },
      ],
      fade_in: 0.1,
    },
  ],
  ['cut', { start: 2.1, end: 8, mode: 'keyframe' }],
  ['crop', { aspect_ratio: '1:1' }],
  ['transcode', { height: 48 }],
] as const;
const formats = ['mp4', 'mov', 'mkv', 'webm'] as const;
const textCodecs = { mp4: 'mov_text', mov: 'mov_text', mkv: 'subrip', webm: 'webvtt' };

describe.each(sampled(['tracks.mp4', 'tracks.mkv'], 3))('%s', (file) => {
  const all = jobs.flatMap(([name, request]) => formats.map((format) => [name, format, request] as const));
  test.each(sampled(all, 9))('keeps all tracks in /%s to %s: %j', async (name, format, request) => {
    const done = await operate(name, at(file), { ...request, format });
    // Players choose the second sound of the source: it comes first.
    const order = [1, 0, 2];
    const written = format === 'mov' ? ['ger', 'eng', 'fra'] : ['deu', 'eng', 'fra'];
    expect(await languagesOf(done.path, 'audio')).toEqual(written);
    expect(await languagesOf(done.path, 'subtitle')).toEqual(['spa']);
    const sounds = (await tracksOf(done.path)).filter(({ codec_type }) => codec_type === 'audio');
    expect(sounds.map(({ disposition }) => disposition.default)).toEqual([1, 0, 0]);
    const text = (await tracksOf(done.path)).find(({ codec_type }) => codec_type === 'subtitle');
    expect(text?.codec_name).toBe(textCodecs[format]);
    if (file === 'tracks.mkv' && (format === 'mkv' || format === 'webm'))
      expect(sounds.map(({ tags }) => tags?.title)).toEqual(['Sound 1', 'Sound 0', 'Sound 2']);
    expect(done.warnings).toEqual([]);
    await expectInTime(done, order, LATE[file]);
    await expectTexts(done, LATE[file] ?? 0);
    await expectChapters(done);
  });

  test.each(
    sampled(
      [
        ['mp4', 'mp3', 'mp3'],
        ['mp4', 'opus', 'opus'],
        ['mp4', 'flac', 'flac'],
        ['mov', 'pcm', 'pcm_s16le'],
        ['mkv', 'mp3', 'mp3'],
        ['mkv', 'vorbis', 'vorbis'],
        ['webm', 'vorbis', 'vorbis'],
      ] as const,
      3,
    ),
  )('encodes every sound as the request says: %s with %s', async (format, audio_codec, codec) => {
    const done = await operate('transcode', at(file), { format, audio_codec, height: 48, quality: 'low' });
    const sounds = (await tracksOf(done.path)).filter(({ codec_type }) => codec_type === 'audio');
    expect(sounds.map(({ codec_name }) => codec_name)).toEqual([codec, codec, codec]);
    // The first block of Vorbis moves picture and first sound by 2.7 ms.
    if (codec !== 'vorbis') await expectInTime(done, [1, 0, 2], LATE[file]);
  });

  test.each(
    sampled(
      [
        ['transcode', { height: 48 }],
        ['cut', { start: 0.92, duration: 7.2, quality: 'low' }],
      ] as const,
      3,
    ),
  )('keeps all tracks in /%s if libav dies at all of it: %j', async (name, request) => {
    const died = () => Promise.reject(new LibavFailure('the worker process ended: SIGSEGV'));
    const options = { libav: { trim: died, mix: died, splice: died } };
    const done = await operate(name, at(file), { ...request, format: 'mkv' }, options);
    expect(await languagesOf(done.path, 'audio')).toEqual(['deu', 'eng', 'fra']);
    await expectInTime(done, [1, 0, 2], LATE[file]);
    await expectTexts(done, LATE[file] ?? 0);
  });

  test('keeps the chosen track alone', async () => {
    const request = { start: 1, duration: 5 };
    const first = await operate('cut', at(file), { ...request, tracks: 'first' });
    expect(await languagesOf(first.path, 'audio')).toEqual(['deu']);
    expect(await languagesOf(first.path, 'subtitle')).toEqual([]);
    expect(await chaptersOf(first.path)).toEqual([]);
    await expectInTime(first, [1], LATE[file]);
    const last = await operate('cut', at(file), { ...request, tracks: 'first', audio_track: 2 });
    expect(await languagesOf(last.path, 'audio')).toEqual(['fra']);
    await expectInTime(last, [2], LATE[file]);
    const sound = await operate('cut', at(file), { audio_url: '', ...request, audio_track: 0 });
    await expectInTime(sound, [0], LATE[file]);
  });

  test.each(
    sampled(
      [
        ['transcode', { height: 48 }],
        ['cut', { start: 1, duration: 5 }],
        ['speed', { rate: 2 }],
      ] as const,
      3,
    ),
  )('keeps the only audio track to use, and every text and chapter, in /%s', async (name, request) => {
    const done = await operate(name, at(file), { ...request, audio_track: 2 });
    expect(await languagesOf(done.path, 'audio')).toEqual(['fra']);
    expect(await languagesOf(done.path, 'subtitle')).not.toEqual([]);
    expect(await chaptersOf(done.path)).not.toEqual([]);
    expect(JSON.stringify(done.warnings)).not.toContain('audio');
  });

  test('has no track of this number', async () => {
    const asked = operate('transcode', at(file), { height: 48, audio_track: 3 });
    await expect(asked).rejects.toMatchObject({
      code: 'track_not_found',
      message: 'audio_track is 3, but the source has the audio tracks 0 to 2.',
    });
  });

  test('says no words without sound, and keeps the text', async () => {
    const done = await operate('cut', at(file), { start: 1, duration: 5, audio: 'mute' });
    expect(await languagesOf(done.path, 'audio')).toEqual([]);
    expect(await languagesOf(done.path, 'subtitle')).toEqual(['spa']);
  });
});

test('keeps texts that are shown at the same time in mp4, where a text ends as the next begins', async () => {
  const block = (number: number, times: string, text: string) => `${number}\n${times}\n${text}\n\n`;
  const srt = at('together.srt');
  writeFileSync(
    srt,
    block(1, '00:00:00,000 --> 00:00:05,000', 'Dialogue') +
      block(2, '00:00:02,000 --> 00:00:03,000', 'Sign') +
      block(3, '00:00:06,000 --> 00:00:07,000', 'He') +
      block(4, '00:00:06,000 --> 00:00:07,000', 'She'),
  );
  const picture = ['-map', '0:v', '-c:v', 'copy', '-map', '1', '-c:s', 'subrip'];
  ffmpeg('-i', at('tracks.mp4'), '-i', srt, ...picture, at('together.mkv'));
  const done = await operate('cut', at('together.mkv'), { start: 1, duration: 8, format: 'mp4' });
  expect(await textsOf(done.path)).toEqual([
    { start: 0, end: 1, text: 'Dialogue' },
    { start: 1, end: 2, text: 'Dialogue\nSign' },
    { start: 2, end: 4, text: 'Dialogue' },
    { start: 5, end: 6, text: 'He\nShe' },
  ]);
});

describe('next to a text track of more than 50,000 captions', () => {
  const long = () => at('long.mkv');
  beforeAll(() => {
    const time = (centiseconds: number) => `0:00:0${(centiseconds / 100).toFixed(2)}`;
    const line = (start: number, length: number, text: string) =>
      `Dialogue: 0,${time(start)},${time(start + length)},Default,,0,0,0,,${text}\n`;
    const sign = Array.from({ length: 50_001 }, (_, index) => line(650 + (index % 300), 1, `Sign ${index}`));
    writeFileSync(
      at('long.ass'),
      `[Script Info]\nScriptType: v4.00+\n\n[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n${line(100, 100, 'One')}${sign.join('')}`,
    );
    const cue = (second: number) =>
      `${second}\n00:00:0${second},000 --> 00:00:0${second},900\nCue ${second}\n\n`;
    writeFileSync(at('short.srt'), [1, 2, 8].map(cue).join(''));
    const mapped = ['-map', '0:v', '-map', '0:a:0', '-map', '1', '-map', '2', '-c', 'copy'];
    ffmpeg('-i', at('tracks.mp4'), '-i', at('short.srt'), '-i', at('long.ass'), ...mapped, long());
  });

  test('the others are kept, and the warning says which one is too long', async () => {
    const done = await operate('transcode', long(), { height: 48, format: 'mkv' });
    expect((await textsOf(done.path)).map(({ text }) => text)).toEqual(['Cue 1', 'Cue 2', 'Cue 8']);
    const detail = 'Not kept: track 3 (subtitle, ass, too long).';
    expect(done.warnings).toEqual([{ code: 'stream_dropped', detail }]);
  });

  test('a cut keeps all, in which little of it is shown', async () => {
    const done = await operate('cut', long(), { start: 0, duration: 5, format: 'mkv' });
    expect(done.warnings).toEqual([]);
    expect((await tracksOf(done.path)).map(({ codec_type }) => codec_type)).toEqual([
      ...['video', 'audio', 'subtitle', 'subtitle'],
    ]);
    expect((await textsOf(done.path)).map(({ text }) => text)).toEqual(['Cue 1', 'Cue 2']);
  });
});

const silences = [
  { start: 0, end: 3.4, action: 'keep' },
  { start: 3.4, end: 5.4, action: 'silent' },
  { start: 5.4, end: 20, action: 'keep' },
];

describe('tracks.mp4', () => {
  test.each(
    sampled(
      [
        ['silence_process', { segments: silences }],
        ['silence_process', { segments: silences, format: 'mkv' }],
        ['speed', { ranges: [{ start: 6, end: 8, rate: 4 }] }],
        ['speed', { rotate: 90 }],
      ] as const,
      3,
    ),
  )('keeps all tracks in /%s: %j', async (name, request) => {
    const done = await operate(name, at('tracks.mp4'), request);
    expect(await languagesOf(done.path, 'audio')).toEqual(['deu', 'eng', 'fra']);
    expect(await languagesOf(done.path, 'subtitle')).toEqual(['spa']);
    const atRate = done.time_map.filter(({ in: [a, b], out: [c, d] }) => Math.abs(b - a - (d - c)) < 0.01);
    await expectInTime({ ...done, time_map: atRate }, [1, 0, 2]);
    await expectChapters(done);
    if (name === 'silence_process') await expectTexts(done, 0);
    else expect((await textsOf(done.path)).map(({ text }) => text)).toEqual(['first', 'second', 'third']);
  });

  test.each(sampled(['none', 'fade'], 3))(
    'keeps the tracks of clips that agree in /merge_urls: %s',
    async (transition) => {
      const url = 'https://media.example.com/a.mp4';
      const urls = [
        { url, start: 1, end: 5 },
        { url, start: 6, end: 9 },
      ];
      const file = at('tracks.mp4');
      const done = await operateOn('merge_urls', [file, file], { urls, transition, duration: 0.4 });
      expect(await languagesOf(done.path, 'audio')).toEqual(['deu', 'eng', 'fra']);
      expect(done.warnings).toEqual([]);
      // What two clips share is heard of both.
      const apart = done.time_map.map((clip, index) => ({ ...clip, source: index }));
      await expectInTime({ ...done, time_map: apart }, [1, 0, 2]);
      expect((await textsOf(done.path)).map(({ text }) => text)).toEqual(['first', 'second', 'third']);
    },
  );

  test('says which tracks of clips are not kept because they differ', async () => {
    ffmpeg('-i', at('tracks.mp4'), '-map', '0:v', '-map', '0:a:0', '-c', 'copy', at('one-sound.mp4'));
    const url = 'https://media.example.com/a.mp4';
    const files = [at('one-sound.mp4'), at('tracks.mp4')];
    const done = await operateOn('merge_urls', files, { urls: [url, url] });
    expect(await languagesOf(done.path, 'audio')).toEqual(['eng']);
    expect(done.warnings.map(({ code, detail }) => `${code}: ${detail}`)).toEqual([
      'stream_dropped: Not kept, because the sources differ in their tracks: track 1 of source 1 (audio, aac), track 3 of source 1 (audio, aac), track 4 of source 1 (subtitle, mov_text).',
    ]);
  });
});

describe('what is not kept is named in a warning', () => {
  const kept = ['-map', '0:v', '-map', '0:a:0', '-c', 'copy'];
  const picture = ['-f', 'lavfi', '-i', 'testsrc=s=64x64:r=25:d=10'];
  const font = ['-attach', at('font.ttf'), '-metadata:s:t:0', 'mimetype=application/x-truetype-font'];
  const cover = ['-attach', at('cover.jpg'), '-metadata:s:t:1', 'mimetype=image/jpeg'];

  beforeAll(() => {
    writeFileSync(at('font.ttf'), 'font');
    ffmpeg(...picture, '-frames:v', '1', at('cover.jpg'));
  });

  test.each(
    sampled(
      [
        ['track 2 (video, h264)', 'two.mp4', [...picture, ...kept, '-map', '1:v', '-c:v:1', 'libx264']],
        ['track 3 (data, tmcd)', 'timecode.mov', [...kept, '-timecode', '01:00:00:00']],
        ['track 2 (data, ttf), track 3 (cover, mjpeg)', 'attached.mkv', [...kept, ...font, ...cover]],
      ],
      3,
    ),
  )('%s of %s', async (names, file, args) => {
    ffmpeg('-i', at('tracks.mp4'), ...args, at(file));
    const done = await operate('cut', at(file), { start: 1, duration: 3 });
    const dropped = done.warnings.filter(({ code }) => code === 'stream_dropped');
    expect(dropped.map(({ detail }) => detail)).toEqual([`Not kept: ${names}.`]);
    await expectChapters(done);
  });
});

test.each(sampled(jobs, 3))('a further sound may end before the picture: /%s %j', async (name, request) => {
  const path = at('short.mkv');
  ffmpeg('-i', at('tracks.mkv'), '-map', '0:v', '-map', '0:a:0', '-c', 'copy', at('pair.mkv'));
  const short = ['-t', '2.4', '-i', at('tracks.mkv')];
  ffmpeg('-i', at('pair.mkv'), ...short, '-map', '0', '-map', '1:a:2', '-c', 'copy', path);
  const done = await operate(name, path, { ...request, format: 'mp4' });
  const sounds = (await tracksOf(done.path)).filter(({ codec_type }) => codec_type === 'audio');
  expect(sounds).toHaveLength(2);
});

test.each(
  sampled(
    [
      ['cut', { start: 1, duration: 3, format: 'mp4' }],
      ['cut', { start: 1, duration: 3, format: 'mkv' }],
      ['speed', { rate: 2, format: 'mp4' }],
      ['silence_process', { mode: 'mute', detector: 'energy', format: 'mp4' }],
    ] as const,
    3,
  ),
)('sound alone keeps its language in /%s: %j', async (name, request) => {
  const { path } = await operate(name, at('tracks.mkv'), { audio_url: '', audio_track: 2, ...request });
  expect(await languagesOf(path, 'audio')).toEqual(['fra']);
});

test.each(sampled(['m4a', 'ogg'] as const, 3))(
  'sound that is extracted keeps its language in %s',
  async (format) => {
    const { path } = await operate('transcode', at('tracks.mkv'), { audio_only: true, format });
    expect(await languagesOf(path, 'audio')).toEqual(['deu']);
  },
);
