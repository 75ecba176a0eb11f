import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Demuxer } from '../../../schema/media/demuxers.ts';
import type { Span } from '../../../transcoder/model/source/byte-ranges.ts';
import { TaskFailure } from '../../../transcoder/model/task-failure.ts';
import { announcedEnd } from '../../../transcoder/source/announced-end.ts';
import { stripPicture } from '../../../transcoder/source/picture/strip.ts';
import { demuxerOfFile } from '../../../transcoder/source/sniff.ts';
import {
  incompleteSources,
  joinedSources,
  ofIncomplete,
} from '../../../transcoder/task/incomplete-sources.ts';
import { VP8 } from '../../fixtures/vp8.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-incomplete-'));
});
afterAll(() => rm(directory, { recursive: true }));

const SECONDS = 4;
const film = ['-f', 'lavfi', '-i', `testsrc2=s=128x96:r=25:d=${SECONDS}`];
const sound = ['-f', 'lavfi', '-i', `anoisesrc=d=${SECONDS}:seed=1`];
const h264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25'];

async function made(name: string, ...args: string[]): Promise<string> {
  const path = join(directory, name);
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args, path]);
  return path;
}

async function part(path: string, share: number): Promise<{ path: string; bytes: number }> {
  const whole = await readFile(path);
  const bytes = Math.floor(whole.length * share);
  const cut = join(directory, `part-${path.split('/').at(-1)}`);
  await writeFile(cut, whole.subarray(0, bytes));
  return { path: cut, bytes };
}

async function warned(path: string, bytes: number, duration: number | null, present: Span[] | null = null) {
  const format = (await demuxerOfFile(path)) as Demuxer;
  const source = { parts: () => ({ path, format, bytes, present, near: null }) };
  return incompleteSources([{ source, duration }]);
}

/** Whole files that say how long they are. */
const telling: [string, string[]][] = [
  ['front.mp4', [...film, ...h264, '-movflags', '+faststart']],
  ['fragments.mp4', [...film, ...h264, '-movflags', '+frag_keyframe+empty_moov']],
  ['film.mkv', [...film, ...h264]],
  ['film.webm', [...film, ...VP8, '-deadline', 'realtime']],
  ['film.avi', [...film, '-c:v', 'mjpeg']],
  ['film.wmv', [...film, '-c:v', 'wmv2']],
  ['sound.wav', sound],
  ['sound.aiff', sound],
  ['sound.caf', sound],
  ['sound.au', sound],
  ['sound.mp3', [...sound, '-c:a', 'libmp3lame']],
  ['sound.flac', sound],
];

describe('a file that announces more than it has', () => {
  test.each(telling)(
    '%s is complete as it was written, and not when the end is missing',
    async (name, args) => {
      const whole = await made(name, ...args);
      const { length } = await readFile(whole);
      expect(await warned(whole, length, SECONDS)).toEqual([]);
      const cut = await part(whole, 0.6);
      const [warning, ...more] = await warned(cut.path, cut.bytes, SECONDS * 0.6);
      expect(more).toEqual([]);
      expect(warning?.code).toBe('source_truncated');
      const found = /announces at least ([\d.]+) (bytes|s), but it has ([\d.]+)/.exec(warning?.detail ?? '');
      const [announced, has] = [Number(found?.[1]), Number(found?.[3])];
      expect(announced).toBeGreaterThan(has);
      if (name === 'sound.flac') expect([announced, has]).toEqual([SECONDS, SECONDS * 0.6]);
      // A fragment does not know of the next one.
      else if (name === 'fragments.mp4') expect(announced).toBeLessThan(length);
      else expect(announced).toBe(length);
    },
  );

  test('is an animation of which stripping has left out the picture that is cut off', async () => {
    const whole = await made('film.gif', ...film);
    const cut = await part(whole, 0.6);
    await stripPicture(cut.path, 'gif');
    const { length } = await readFile(cut.path);
    const [warning] = await warned(cut.path, length, SECONDS * 0.6);
    expect(warning?.detail).toContain('The source is incomplete: it ends in the middle of its data.');
  });

  test('is one of several sources by its number', async () => {
    const whole = await made('one.wav', ...sound);
    const { length } = await readFile(whole);
    const cut = await part(whole, 0.5);
    const opened = (path: string, bytes: number) => ({
      source: { parts: () => ({ path, format: 'wav' as const, bytes, present: null, near: null }) },
      duration: SECONDS,
    });
    const [warning] = await incompleteSources([opened(whole, length), opened(cut.path, cut.bytes)]);
    expect(warning?.detail).toMatch(/^Source 2 of 2 is incomplete/);
  });
});

describe('a failure', () => {
  const parts = (path: string, bytes: number, format: Demuxer = 'avi') => ({
    parts: () => ({ path, format, bytes, present: null, near: null }),
  });

  test('of an incomplete source is explained by that, unless it is about another one', async () => {
    const whole = await made('failed.avi', ...film, '-c:v', 'mjpeg');
    const { length } = await readFile(whole);
    const cut = await part(whole, 0.5);
    const sources = [parts(whole, length), parts(cut.path, cut.bytes)];
    const says = `The source is incomplete: its header announces at least ${length} bytes`;
    for (const code of ['render_failed', 'output_invalid'] as const) {
      const error = await ofIncomplete(sources, new TaskFailure(code, 'Unknown.'));
      expect(error).toMatchObject({ code: 'source_truncated', sourceIndex: 1, retryable: false });
      expect((error as Error).message).toContain(says);
    }
    for (const code of ['source_damaged', 'time_out_of_range'] as const) {
      const error = await ofIncomplete(sources, new TaskFailure(code, 'Known.', { sourceIndex: 1 }));
      expect(error).toMatchObject({ code, sourceIndex: 1 });
      expect((error as Error).message).toContain(`Known. ${says}`);
      const other = new TaskFailure(code, 'Known.', { sourceIndex: 0 });
      expect(await ofIncomplete(sources, other)).toBe(other);
    }
  });

  test('stays as it is where all sources are complete, or something else is the reason', async () => {
    const whole = await made('kept.avi', ...film, '-c:v', 'mjpeg');
    const { length } = await readFile(whole);
    const failed = new TaskFailure('output_invalid', 'Unknown.');
    expect(await ofIncomplete([parts(whole, length)], failed)).toBe(failed);
    const cut = await part(whole, 0.5);
    const full = new TaskFailure('output_too_large', 'Known.');
    expect(await ofIncomplete([parts(cut.path, cut.bytes)], full)).toBe(full);
    const fault = new Error('unexpected');
    expect(await ofIncomplete([parts(cut.path, cut.bytes)], fault)).toBe(fault);
  });
});

describe('nothing is said', () => {
  test.each([
    ['stream.wav', [...sound, '-f', 'wav', 'pipe:1']],
    ['stream.mkv', [...film, ...h264, '-f', 'matroska', '-live', '1', 'pipe:1']],
    ['stream.au', [...sound, '-f', 'au', 'pipe:1']],
    ['stream.ts', [...film, ...h264, '-f', 'mpegts', 'pipe:1']],
    ['stream.ogg', [...sound, '-c:a', 'libvorbis', '-f', 'ogg', 'pipe:1']],
    ['stream.flv', [...film, '-c:v', 'flv', '-f', 'flv', 'pipe:1']],
    ['stream.flac', [...sound, '-f', 'flac', 'pipe:1']],
    ['stream.mp3', [...sound, '-c:a', 'libmp3lame', '-f', 'mp3', 'pipe:1']],
  ])('of %s, which was written without knowing its end', async (name, args) => {
    const bytes = execFileSync('ffmpeg', ['-v', 'error', '-nostdin', ...args], { maxBuffer: 1e8 });
    const path = join(directory, name);
    await writeFile(path, bytes);
    expect(await warned(path, bytes.length, SECONDS)).toEqual([]);
    const cut = await part(path, 0.6);
    expect(await warned(cut.path, cut.bytes, SECONDS * 0.6)).toEqual([]);
  });

  test('of a picture, and of a part that has not arrived', async () => {
    const whole = await made('late.mp4', ...film, ...h264, '-movflags', '+faststart');
    const cut = await part(whole, 0.6);
    expect(await warned(cut.path, cut.bytes, null)).toEqual([]);
    expect(await warned(cut.path, cut.bytes, SECONDS, [[0, 64]])).toEqual([]);
    expect(await warned(cut.path, cut.bytes, SECONDS, [[0, cut.bytes]])).toHaveLength(1);
  });

  test('of anything else', async () => {
    const formats: Demuxer[] = ['mov', 'matroska', 'wav', 'avi', 'aiff', 'caf', 'au', 'asf', 'mp3'];
    const signatures = [
      '',
      'RIFF',
      'FORM',
      'caff',
      '.snd',
      '\x1a\x45\xdf\xa3',
      '\0\0\0\x18ftyp',
      'ID3\x04\0\0\0\0\0\0',
    ];
    for (const format of formats) {
      for (const signature of signatures) {
        for (const rest of [0, 1, 0x7f, 0xff]) {
          for (const length of [0, 3, 8, 12, 200]) {
            const bytes = Buffer.concat([Buffer.from(signature, 'latin1'), Buffer.alloc(length, rest)]);
            const read = async (at: number, most: number) => bytes.subarray(at, at + most);
            const end = await announcedEnd(format, bytes.length, read);
            expect(end === null || Number.isSafeInteger(end)).toBe(true);
          }
        }
      }
    }
  });
});

describe('files that were joined byte by byte', () => {
  const sourceOf = async (name: string) => {
    const path = join(directory, name);
    const { length: bytes } = await readFile(path);
    const format = (await demuxerOfFile(path)) as Demuxer;
    return { parts: () => ({ path, format, bytes, present: null, near: null }) };
  };

  async function twice(name: string, args: readonly string[]) {
    const once = await readFile(await made(`one-${name}`, ...args));
    await writeFile(join(directory, name), Buffer.concat([once, once]));
    return { source: await sourceOf(name), at: once.length };
  }

  test.each([
    ['twice.mp4', [...film, ...h264, '-movflags', '+faststart']],
    ['twice.mov', [...film, ...h264]],
    ['twice.m4a', [...sound, '-c:a', 'aac']],
    ['twice.wav', sound],
    ['twice.aiff', sound],
  ])('are warned of, as only the first one of %s is used', async (name, args) => {
    const { source, at } = await twice(name, args);
    const [warning, ...more] = await joinedSources([source]);
    expect(more).toEqual([]);
    expect(warning?.code).toBe('source_joined');
    expect(warning?.detail).toContain(`the second one begins at byte ${at}.`);
    expect(await joinedSources([await sourceOf(`one-${name}`)])).toEqual([]);
    const late = new TaskFailure('time_out_of_range', 'start is 5 s, but the source is only 4 s long.');
    const explained = await ofIncomplete([source], late);
    expect(explained).toMatchObject({ code: 'time_out_of_range' });
    expect((explained as TaskFailure).message).toMatch(/^start is 5 s, .* consists of several files/);
  });

  test('are read on where they are in fragments', async () => {
    const { source } = await twice('twice-fragments.mp4', [
      ...[...film, ...h264],
      ...['-movflags', '+frag_keyframe+empty_moov+default_base_moof'],
    ]);
    expect(await joinedSources([source])).toEqual([]);
  });
});
