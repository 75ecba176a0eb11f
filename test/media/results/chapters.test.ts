import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sampled } from '../../sampled.ts';
import { operate, operateOn } from '../operate.ts';
import { chaptersOf, expectChapters, ffmpeg, languagesOf, textsOf, writeTracked } from './tracked.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-chapters-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const at = (name: string) => join(directory, name);
beforeAll(() => {
  writeTracked(at);
  ffmpeg('-i', at('tracks.mp4'), '-map', '0:v', '-map', '0:a:0', '-c', 'copy', at('plain.mp4'));
  ffmpeg('-i', at('plain.mp4'), '-map_chapters', '-1', '-c', 'copy', at('bare.mp4'));
  ffmpeg('-i', at('tracks.mp4'), '-map', '0:a:0', '-t', '8', at('voice.wav'));
});

const url = 'https://media.example.com/a.mp4';
const captions = [
  { start: 2, end: 3, text: 'Hello there.' },
  { start: 5, end: 6, text: 'It is late.' },
];

describe('a file of one sound without text', () => {
  const jobs = [
    ['cut', { start: 0.92, duration: 7.2 }],
    ['crop', { aspect_ratio: '1:1' }],
    ['transcode', { height: 48 }],
    ['speed', { ranges: [{ start: 6, end: 8, rate: 4 }] }],
    ['speed', { reverse: true }],
    ['silence_process', { segments: [{ start: 2, end: 4, action: 'silent' }] }],
  ] as const;

  test.each(
    sampled(
      jobs.flatMap(([name, request]) =>
        (['mp4', 'mkv'] as const).map((format) => [name, format, request] as const),
      ),
      3,
    ),
  )('keeps its chapters in /%s to %s: %j', async (name, format, request) => {
    for (const options of [{}, { libav: null }]) {
      const done = await operate(name, at('plain.mp4'), { ...request, format }, options);
      await expectChapters(done);
      expect(done.warnings).toEqual([]);
    }
  });

  test('keeps the chapters of each clip in /merge_urls, and makes none for a clip without them', async () => {
    const files = [at('plain.mp4'), at('bare.mp4'), at('plain.mp4')];
    const urls = [
      { url, start: 5, end: 8 },
      { url, end: 2 },
      { url, end: 4 },
    ];
    const done = await operateOn('merge_urls', files, { urls, format: 'mkv' });
    await expectChapters({ ...done, time_map: done.time_map.filter(({ source }) => source !== 1) });
    expect(await chaptersOf(done.path)).toHaveLength(4);
  });
});

test.each(
  sampled(
    [
      ['captions_auto', { captions, burn: true, outputs: [] }, ['spa']],
      [
        'captions_auto',
        { captions, burn: false, embed: 'soft', outputs: [], language: 'en' },
        ['eng', 'spa'],
      ],
    ] as const,
    3,
  ),
)('/captions/auto keeps all tracks and chapters: %s %j', async (name, request, texts) => {
  const done = await operate(name, at('tracks.mp4'), request);
  expect(await languagesOf(done.path, 'audio')).toEqual(['deu', 'eng', 'fra']);
  expect(await languagesOf(done.path, 'subtitle')).toEqual(texts);
  await expectChapters(done);
  expect(done.warnings).toEqual([]);
});

test('/redub keeps texts and chapters, and says which sounds it does not', async () => {
  const request = { video_url: url, voice_url: url };
  const done = await operateOn('redub', [at('tracks.mp4'), at('voice.wav')], request);
  expect(await languagesOf(done.path, 'subtitle')).toEqual(['spa']);
  expect((await textsOf(done.path)).map(({ text }) => text)).toEqual(['first', 'second', 'third']);
  await expectChapters(done);
  expect(done.warnings.map(({ code, detail }) => `${code}: ${detail}`)).toEqual([
    'stream_dropped: Not kept: track 1 (audio, aac), track 3 (audio, aac).',
  ]);
});

test('/probe lists chapters from the start of the source', async () => {
  const { data } = await operate('probe', at('plain.mp4'), {});
  expect(data.chapters).toMatchObject([
    { start: 0, end: 2.3, title: 'Opening' },
    { start: 2.3, end: 6.5, title: 'Middle' },
    { start: 6.5, end: 10, title: expect.stringContaining('[CHAPTER]') },
  ]);
});
