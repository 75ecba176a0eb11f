import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { fixture, programs } from '../../fixtures/make.ts';
import { PLACE, richFiles } from '../../fixtures/rich-files.ts';
import { sampled } from '../../sampled.ts';
import { failureOf, operate, operateOn } from '../operate.ts';
import { scratch } from '../scratch.ts';
import { contentsOf, tracksOf } from './contents.ts';

const rich = await richFiles(scratch());
const before = await contentsOf(rich.mp4);
const packets = await tracksOf(rich.mp4);

const url = 'https://media.example.com/a.mp4';
const withCover = { video_url: url, cover_url: 'https://media.example.com/cover.jpg' };

/** Video, two sound tracks, text, GPS. */
const OWN_TRACKS = 5;

/** What would give away where and with what the fixture was filmed. */
const secrets = [
  PLACE,
  '52.52',
  '13.40',
  'loci',
  '\xa9xyz',
  'gpmd',
  'GPS5',
  'xmpmeta',
  'Acme',
  'Exif',
  'tmcd',
];

const secretsIn = async (path: string) => {
  const bytes = await readFile(path);
  return secrets.filter((secret) => bytes.includes(secret, 0, 'latin1'));
};

describe('a remux', () => {
  test('keeps every track, label, chapter, tag and cover, packet for packet', async () => {
    const done = await operate('remux', rich.mp4, {});
    const after = await contentsOf(done.path);
    expect(done.warnings).toEqual([]);
    expect(after.tags).toEqual(before.tags);
    expect(after.chapters).toEqual(before.chapters);
    const labels = ({ codec, flags, tags }: (typeof after.streams)[number]) => ({ codec, flags, tags });
    expect(after.streams.slice(0, 4).map(labels)).toEqual(before.streams.slice(0, 4).map(labels));
    expect(after.streams.map(({ codec }) => codec)).toEqual(
      expect.arrayContaining(['bin_data', 'mjpeg', undefined]),
    );
    expect((await tracksOf(done.path)).slice(0, OWN_TRACKS)).toEqual(packets.slice(0, OWN_TRACKS));
    expect(done.data).toMatchObject({ chapters: 2, covers: 1 });
    // The index is at the front, and playback starts before the file is complete.
    const bytes = await readFile(done.path);
    expect(bytes.indexOf('moov')).toBeLessThan(bytes.indexOf('mdat'));
  });

  test.each(sampled(['mp4', 'mov'], 3))(
    'keeps all data that begins after the picture and outlasts it in %s',
    async (format) => {
      const path = join(scratch(), 'late-data.mp4');
      const late = ['-i', rich.mp4, '-itsoffset', '2', '-i', rich.mp4, '-map', '0:v:0', '-map', '1:d:0'];
      await run(programs, 'ffmpeg', ['-v', 'error', '-y', ...late, '-c', 'copy', path]);
      const wanted = await tracksOf(path);
      expect(wanted[1]?.length).toBeGreaterThan(1);
      const done = await operate('remux', path, { format });
      expect((await tracksOf(done.path)).slice(0, 2)).toEqual(wanted.slice(0, 2));
      expect(done.duration).toBeCloseTo(4, 1);
    },
  );

  test('removes place and device with private, and nothing that describes the work', async () => {
    expect(await secretsIn(rich.mp4)).toEqual(secrets.filter((secret) => secret !== '\xa9xyz'));
    for (const format of ['mp4', 'mov', 'mkv']) {
      const done = await operate('remux', rich.mp4, { strip: 'private', format });
      const after = await contentsOf(done.path);
      expect(await secretsIn(done.path), format).toEqual([]);
      const kept = Object.fromEntries(
        Object.entries(after.tags).map(([name, value]) => [name.toLowerCase(), value]),
      );
      expect(kept, format).toEqual({
        title: 'A talk',
        artist: 'Ann',
        comment: 'Good',
        synopsis: 'All of it',
      });
      expect(after.chapters, format).toEqual(before.chapters);
      expect(after.created, format).toEqual([]);
      expect((await tracksOf(done.path))[1]?.length).toBe(packets[1]?.length);
    }
  });

  test('keeps the cover with private, without its Exif', async () => {
    for (const format of ['mp4', 'mkv']) {
      const done = await operate('remux', rich.mp4, { strip: 'private', format });
      const shown = await coverOf(done.path);
      expect(shown.includes('Exif'), format).toBe(false);
      expect(await pixelsOf(shown), format).toBe(await pixelsOf(await readFile(rich.cover)));
    }
    const kept = await coverOf((await operate('remux', rich.mp4, {})).path);
    expect(kept.equals(await readFile(rich.cover))).toBe(true);
  });

  test('removes every tag, chapter, cover and title with all, and no language', async () => {
    const done = await operate('remux', rich.mp4, { strip: 'all' });
    const after = await contentsOf(done.path);
    expect(await secretsIn(done.path)).toEqual([]);
    expect(after).toMatchObject({ tags: {}, chapters: [], created: [] });
    expect(after.streams.map(({ codec, tags }) => [codec, tags.language, tags.handler_name])).toEqual([
      ['h264', 'und', 'VideoHandler'],
      ['aac', 'eng', 'SoundHandler'],
      ['aac', 'deu', 'SoundHandler'],
      ['mov_text', 'fra', 'SubtitleHandler'],
    ]);
    expect((await tracksOf(done.path)).slice(0, 4)).toEqual(packets.slice(0, 4));
  });

  test('sets tags, chapters, a cover and labels after it has removed all', async () => {
    const request = {
      ...{ ...withCover, strip: 'all', set: { title: 'New', track: '3/12', lyrics: 'la\nla' } },
      chapters: [
        { start: 0.5, title: 'A' },
        { start: '00:00:02', title: 'B' },
      ],
      tracks: [
        { index: 2, default: true, title: 'Deutsch', language: 'gsw' },
        { index: 3, keep: false },
      ],
    };
    const done = await operateOn('remux', [rich.mp4, rich.cover], request);
    const after = await contentsOf(done.path);
    expect(after.tags).toEqual({ title: 'New', track: '3/12', lyrics: 'la\nla' });
    expect(after.chapters).toEqual([
      { start: 0, end: 0.5, title: '' },
      { start: 0.5, end: 2, title: 'A' },
      { start: 2, end: 4, title: 'B' },
    ]);
    expect(after.streams.slice(1, 3)).toMatchObject([
      { flags: [], tags: { language: 'eng' } },
      { flags: ['default'], tags: { language: 'gsw', handler_name: 'Deutsch' } },
    ]);
    expect(await secretsIn(done.path)).toEqual([]);
    expect((await coverOf(done.path)).length).toBeGreaterThan(1000);
    expect(done.data).toMatchObject({ covers: 1, chapters: 3 });
  });

  test.each(sampled(['mp4', 'mov', 'mkv', 'm4a'], 3))(
    'writes texts of any kind as they are into %s',
    async (format) => {
      const set = {
        title: '[STREAM]\n;title=x\\',
        artist: 'שלום \u202eevil\u202c مرحبا',
        comment: `${'long '.repeat(1900)}end`,
        album: '=;#\\\n[CHAPTER]\nTIMEBASE=1/0',
      };
      const chapters = [{ start: 0, title: '[CHAPTER]\nSTART=9 🎬' }];
      const done = await operate('remux', rich.mp4, { set, chapters, format, strip: 'all' });
      const { tags, chapters: made, streams } = await contentsOf(done.path);
      const named = Object.fromEntries(
        Object.entries(tags).map(([name, value]) => [name.toLowerCase(), value]),
      );
      expect(named).toEqual(set);
      expect(made.map(({ title }) => title)).toEqual(chapters.map(({ title }) => title));
      expect(streams.some(({ tags: own }) => own.title !== undefined)).toBe(false);
    },
  );
});

/** The attached picture of a file. */
async function coverOf(path: string): Promise<Buffer> {
  const { streams } = await contentsOf(path);
  const index = streams.findIndex(({ flags }) => flags.includes('attached_pic'));
  const file = `${path}.cover.jpg`;
  await run(programs, 'ffmpeg', [
    ...[
      '-v',
      'error',
      '-y',
      '-i',
      path,
      '-map',
      `0:${index}`,
      '-c',
      'copy',
      '-f',
      'image2',
      '-update',
      '1',
      file,
    ],
  ]);
  return readFile(file);
}

async function pixelsOf(picture: Buffer): Promise<string> {
  const file = join(scratch(), `pixels-${picture.length}.jpg`);
  await writeFile(file, picture);
  const { stdout } = await run(programs, 'ffmpeg', ['-v', 'error', '-i', file, '-f', 'framemd5', '-']);
  return stdout;
}

describe('a request that cannot be met', () => {
  test.each<[string, Record<string, unknown>, string, RegExp]>(
    sampled(
      [
        [
          'a track that does not exist',
          { tracks: [{ index: 40 }] },
          'track_not_found',
          /`tracks\[0\]\.index` is 40/,
        ],
        [
          'a codec that webm cannot hold',
          { format: 'webm' },
          'codec_unsupported',
          /`format`: `webm` cannot hold/,
        ],
        ['sound that mp3 cannot hold', { format: 'mp3' }, 'codec_unsupported', /`mp3` cannot hold .*aac/],
        [
          'text that is asked for',
          { format: 'mkv', tracks: [{ index: 3 }] },
          'codec_unsupported',
          /`mkv` cannot hold `tracks\[0\]` \(subtitle, mov_text\)/,
        ],
        [
          'a chapter behind the end',
          { chapters: [{ start: 4, title: 'x' }] },
          'time_out_of_range',
          /`chapters\[0\]\.start` is 4 s, but the output is 4/,
        ],
        [
          'no picture and no sound',
          { tracks: [0, 1, 2].map((index) => ({ index, keep: false })) },
          'track_not_found',
          /leaves no video or sound/,
        ],
      ],
      3,
    ),
  )('%s ends the task with the name of the field', async (_, request, code, detail) => {
    expect(await failureOf(operate('remux', rich.mp4, request))).toEqual({
      code,
      detail: expect.stringMatching(detail),
    });
  });

  test('a cover that is not a JPEG or PNG', async () => {
    const failed = await failureOf(operateOn('remux', [rich.mp4, fixture('plain.mp4')], withCover));
    expect(failed).toMatchObject({ code: 'source_not_media', detail: expect.stringContaining('cover_url') });
  });

  test('a copy that differs from its source is not delivered', async () => {
    const compare = async () => ({
      problem: 'The packets of track 0 differ.',
      uncovered: false,
      turned: false,
      changed: false,
    });
    const failed = await failureOf(operate('remux', rich.mp4, {}, { libav: { compare } }));
    expect(failed).toEqual({ code: 'output_invalid', detail: 'The packets of track 0 differ.' });
  });

  test('without libav, the copy is made and its streams are checked', async () => {
    const done = await operate('remux', rich.mp4, { format: 'mkv' }, { libav: null });
    expect((await contentsOf(done.path)).streams.map(({ codec }) => codec)).toEqual([
      'h264',
      'aac',
      'aac',
      'mjpeg',
    ]);
  });
});
