import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clicksIn } from '../../fixtures/clicks.ts';
import { type Done, operate, operateOn } from '../operate.ts';

const directory = mkdtempSync(join(tmpdir(), 'spool-tracks-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));
const at = (name: string) => join(directory, name);
const ffmpeg = (...args: string[]) => execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);

const SECONDS = 10;
/** Second of each second at which a track clicks. */
const OFFSETS = [0.25, 0.5, 0.8];
const LANGUAGES = ['eng', 'deu', 'fra'];
const cues = [
  { start: 1, end: 2.5, text: 'first' },
  { start: 3, end: 4, text: 'second' },
  { start: 7, end: 8.5, text: 'third' },
];

const stamp = (seconds: number) => `00:00:${seconds.toFixed(3).padStart(6, '0').replace('.', ',')}`;

beforeAll(() => {
  const srt = cues.map(
    ({ start, end, text }, index) => `${index + 1}\n${stamp(start)} --> ${stamp(end)}\n<i>${text}</i>\n`,
  );
  writeFileSync(at('cues.srt'), srt.join('\n'));
  const sounds = OFFSETS.flatMap((offset) => {
    const click = `0.7*sin(1000*2*PI*t)*between(mod(t,1),${offset},${offset}+0.004)`;
    return ['-f', 'lavfi', '-i', `aevalsrc='${click}':s=48000:d=${SECONDS}`];
  });
  const picture = ['-f', 'lavfi', '-i', `testsrc2=s=160x90:r=25:d=${SECONDS}`];
  const labels = LANGUAGES.flatMap((language, index) => [
    ...[`-metadata:s:a:${index}`, `language=${language}`, `-metadata:s:a:${index}`, `title=Sound ${index}`],
    ...[`-disposition:a:${index}`, index === 1 ? 'default' : '0'],
  ]);
  const all = [
    ...picture,
    ...sounds,
    '-i',
    at('cues.srt'),
    '-map',
    '0',
    '-map',
    '1',
    '-map',
    '2',
    '-map',
    '3',
  ];
  const codecs = ['-c:v', 'libx264', '-g', '50', '-bf', '2', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  const text = ['-map', '4', '-metadata:s:s:0', 'language=spa', '-disposition:s:0', '0'];
  ffmpeg(...all, ...text, ...codecs, '-c:s', 'mov_text', ...labels, at('tracks.mp4'));
  ffmpeg(...all, ...text, ...codecs, '-c:s', 'ass', ...labels, at('tracks.mkv'));
});

interface Track {
  codec_type: string;
  codec_name: string;
  tags?: { language?: string; title?: string };
  disposition: { default: number };
}

function tracksOf(path: string): Track[] {
  const how = ['-v', 'error', '-show_streams', '-of', 'json', path];
  return JSON.parse(execFileSync('ffprobe', how).toString()).streams;
}

const languagesOf = (path: string, kind: string) =>
  tracksOf(path).flatMap(({ codec_type, tags }) => (codec_type === kind ? (tags?.language ?? null) : []));

function textsOf(path: string): { start: number; end: number; text: string }[] {
  const srt = execFileSync('ffmpeg', [
    '-v',
    'error',
    '-i',
    path,
    '-map',
    '0:s:0',
    '-f',
    'srt',
    '-',
  ]).toString();
  const seconds = (text = '') => {
    const [hours = 0, minutes = 0, rest = 0] = text.replace(',', '.').split(':').map(Number);
    return hours * 3600 + minutes * 60 + rest;
  };
  return srt
    .trim()
    .split(/\n\n/)
    .map((block) => {
      const [, times = '', ...lines] = block.split('\n');
      const [start, end] = times.split(' --> ');
      return { start: seconds(start), end: seconds(end), text: lines.join('\n').replace(/<[^>]*>/g, '') };
    });
}

/** As ffmpeg writes Matroska, the delay of the encoder is heard, and everything else is as late. */
const LATE: Record<string, number> = { 'tracks.mp4': 0, 'tracks.mkv': 1024 / 48_000 };

/** Where a second of the source is in the output; null if nowhere. */
const placeOf = ({ time_map }: Done, time: number) =>
  time_map.flatMap(({ in: [from, to], out: [begin, end] }) =>
    time >= from && time < to ? [begin + ((time - from) * (end - begin)) / (to - from)] : [],
  );

/** The sound of a track, where players play it. */
function heardIn(path: string, track: number): Float32Array {
  const how = ['-af', 'aresample=48000:async=1:first_pts=0', '-ac', '1', '-f', 'f32le', '-'];
  const bytes = execFileSync(
    'ffmpeg',
    ['-v', 'error', '-copyts', '-i', path, '-map', `0:a:${track}`, ...how],
    {
      maxBuffer: 1e8,
    },
  );
  return new Float32Array(bytes.buffer, bytes.byteOffset, bytes.length >> 2);
}

function expectInTime(done: Done, order: readonly number[], late = 0): void {
  for (const [index, track] of order.entries()) {
    const offset = OFFSETS[track] ?? 0;
    const due = Array.from({ length: SECONDS }, (_, second) => placeOf(done, second + offset + late)).flat();
    const heard = clicksIn(heardIn(done.path, index));
    const far = due
      .sort((a, b) => a - b)
      .map((time) => Math.min(...heard.map((one) => Math.abs(one - time - 0.002))));
    expect(far.length, `track ${track}`).toBeGreaterThan(2);
    expect(Math.max(...far), `track ${track}`).toBeLessThan(0.004);
  }
}

function expectTexts(done: Done, late: number): void {
  const moved = cues.map(({ start, end, text }) => ({ start: start + late, end: end + late, text }));
  const due = moved.flatMap((cue) =>
    done.time_map.flatMap(({ in: [from, to], out: [begin] }) => {
      const [start, end] = [Math.max(from, cue.start), Math.min(to, cue.end)];
      return end > start ? [{ start: begin + start - from, end: begin + end - from, text: cue.text }] : [];
    }),
  );
  const shown = textsOf(done.path);
  expect(shown.map(({ text }) => text)).toEqual(due.map(({ text }) => text));
  for (const [index, { start, end }] of shown.entries()) {
    expect(Math.abs(start - (due[index]?.start ?? 0))).toBeLessThan(0.009);
    expect(Math.abs(end - (due[index]?.end ?? 0))).toBeLessThan(0.009);
  }
}

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

describe.each(['tracks.mp4', 'tracks.mkv'])('%s', (file) => {
  test.each(jobs.flatMap(([name, request]) => formats.map((format) => [name, format, request] as const)))(
    'keeps all tracks in /%s to %s: %j',
    async (name, format, request) => {
      const done = await operate(name, at(file), { ...request, format });
      // Players choose the second sound of the source: it comes first.
      const order = [1, 0, 2];
      const written = format === 'mov' ? ['ger', 'eng', 'fra'] : ['deu', 'eng', 'fra'];
      expect(languagesOf(done.path, 'audio')).toEqual(written);
      expect(languagesOf(done.path, 'subtitle')).toEqual(['spa']);
      const sounds = tracksOf(done.path).filter(({ codec_type }) => codec_type === 'audio');
      expect(sounds.map(({ disposition }) => disposition.default)).toEqual([1, 0, 0]);
      const text = tracksOf(done.path).find(({ codec_type }) => codec_type === 'subtitle');
      expect(text?.codec_name).toBe(textCodecs[format]);
      if (file === 'tracks.mkv' && (format === 'mkv' || format === 'webm'))
        expect(sounds.map(({ tags }) => tags?.title)).toEqual(['Sound 1', 'Sound 0', 'Sound 2']);
      expect(done.warnings).toEqual([]);
      expectInTime(done, order, LATE[file]);
      expectTexts(done, LATE[file] ?? 0);
    },
  );

  test('keeps the chosen track alone', async () => {
    const request = { start: 1, duration: 5 };
    const first = await operate('cut', at(file), { ...request, tracks: 'first' });
    expect(languagesOf(first.path, 'audio')).toEqual(['deu']);
    expect(languagesOf(first.path, 'subtitle')).toEqual([]);
    expectInTime(first, [1], LATE[file]);
    const last = await operate('cut', at(file), { ...request, tracks: 'first', audio_track: 2 });
    expect(languagesOf(last.path, 'audio')).toEqual(['fra']);
    expectInTime(last, [2], LATE[file]);
    const sound = await operate('cut', at(file), { audio_url: '', ...request, audio_track: 0 });
    expectInTime(sound, [0], LATE[file]);
  });

  test('has no track of this number', async () => {
    const asked = operate('transcode', at(file), { height: 48, audio_track: 3 });
    await expect(asked).rejects.toMatchObject({
      code: 'source_no_audio',
      message: 'audio_track is 3, but the source has 3 audio tracks, counted from 0.',
    });
  });

  test('says no words without sound, and keeps the text', async () => {
    const done = await operate('cut', at(file), { start: 1, duration: 5, audio: 'mute' });
    expect(languagesOf(done.path, 'audio')).toEqual([]);
    expect(languagesOf(done.path, 'subtitle')).toEqual(['spa']);
  });
});

const silences = [
  { start: 0, end: 3.4, action: 'keep' },
  { start: 3.4, end: 5.4, action: 'silent' },
  { start: 5.4, end: 20, action: 'keep' },
];

describe('tracks.mp4', () => {
  test.each([
    ['silence_process', { segments: silences }],
    ['silence_process', { segments: silences, format: 'mkv' }],
    ['speed', { ranges: [{ start: 6, end: 8, rate: 4 }] }],
    ['speed', { rotate: 90 }],
  ] as const)('keeps all tracks in /%s: %j', async (name, request) => {
    const done = await operate(name, at('tracks.mp4'), request);
    expect(languagesOf(done.path, 'audio')).toEqual(['deu', 'eng', 'fra']);
    expect(languagesOf(done.path, 'subtitle')).toEqual(['spa']);
    const atRate = done.time_map.filter(({ in: [a, b], out: [c, d] }) => Math.abs(b - a - (d - c)) < 0.01);
    expectInTime({ ...done, time_map: atRate }, [1, 0, 2]);
    if (name === 'silence_process') expectTexts(done, 0);
    else expect(textsOf(done.path).map(({ text }) => text)).toEqual(['first', 'second', 'third']);
  });

  test.each(['none', 'fade'])(
    'keeps the tracks of clips that agree in /merge_urls: %s',
    async (transition) => {
      const url = 'https://media.example.com/a.mp4';
      const urls = [
        { url, start: 1, end: 5 },
        { url, start: 6, end: 9 },
      ];
      const file = at('tracks.mp4');
      const done = await operateOn('merge_urls', [file, file], { urls, transition, duration: 0.4 });
      expect(languagesOf(done.path, 'audio')).toEqual(['deu', 'eng', 'fra']);
      expect(done.warnings).toEqual([]);
      // What two clips share is heard of both.
      const apart = done.time_map.map((clip, index) => ({ ...clip, source: index }));
      expectInTime({ ...done, time_map: apart }, [1, 0, 2]);
      expect(textsOf(done.path).map(({ text }) => text)).toEqual(['first', 'second', 'third']);
    },
  );

  test('says which tracks of clips are not kept because they differ', async () => {
    ffmpeg('-i', at('tracks.mp4'), '-map', '0:v', '-map', '0:a:0', '-c', 'copy', at('one-sound.mp4'));
    const url = 'https://media.example.com/a.mp4';
    const files = [at('one-sound.mp4'), at('tracks.mp4')];
    const done = await operateOn('merge_urls', files, { urls: [url, url] });
    expect(languagesOf(done.path, 'audio')).toEqual(['eng']);
    expect(done.warnings.map(({ code, detail }) => `${code}: ${detail}`)).toEqual([
      'stream_dropped: Not kept, because the sources differ in their tracks: track 1 of source 1 (audio, aac), track 3 of source 1 (audio, aac).',
    ]);
  });
});

test('a track that the output cannot hold is named in a warning', async () => {
  const two = ['-i', at('tracks.mp4'), '-f', 'lavfi', '-i', 'testsrc=s=64x64:r=25:d=10'];
  const maps = ['-map', '0:v', '-map', '1:v', '-map', '0:a:0', '-c', 'copy', '-c:v:1', 'libx264'];
  ffmpeg(...two, ...maps, at('two-pictures.mp4'));
  const done = await operate('cut', at('two-pictures.mp4'), { start: 1, duration: 3 });
  expect(done.warnings).toEqual([
    {
      code: 'stream_dropped',
      detail: 'Not kept, because the output cannot hold it: track 1 (video, h264).',
    },
  ]);
});
