import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { run } from '../../../transcoder/ffmpeg/run.ts';
import { clicksIn } from '../../fixtures/clicks.ts';
import { Known } from '../../fixtures/known.ts';
import { programs } from '../../fixtures/make.ts';
import type { Done } from '../operate.ts';

export const ffmpeg = (...args: string[]) =>
  execFileSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', ...args]);

const SECONDS = 10;
/** Second of each second at which a track clicks. */
const OFFSETS = [0.25, 0.5, 0.8];
const LANGUAGES = ['eng', 'deu', 'fra'];
const cues = [
  { start: 1, end: 2.5, text: 'first' },
  { start: 3, end: 4, text: 'second' },
  { start: 7, end: 8.5, text: 'third' },
];

/** What a stranger may write; ffmetadata has a meaning for most of it. */
const HOSTILE = 'End; #1=2 \\ [CHAPTER] \u{1F3AC} START=0';
const chapters = [
  { start: 0, end: 2.3, title: 'Opening' },
  { start: 2.3, end: 6.5, title: 'Middle' },
  { start: 6.5, end: SECONDS, title: HOSTILE },
];

const stamp = (seconds: number) => `00:00:${seconds.toFixed(3).padStart(6, '0').replace('.', ',')}`;

/** Writes `tracks.mp4` and `tracks.mkv`: a picture, three sounds, a text and chapters. */
export function writeTracked(at: (name: string) => string): void {
  const srt = cues.map(
    ({ start, end, text }, index) => `${index + 1}\n${stamp(start)} --> ${stamp(end)}\n<i>${text}</i>\n`,
  );
  writeFileSync(at('cues.srt'), srt.join('\n'));
  const marks = chapters.map(
    ({ start, end, title }) =>
      `[CHAPTER]\nTIMEBASE=1/1000\nSTART=${start * 1000}\nEND=${end * 1000}\ntitle=${title.replace(/[=;#\\]/g, '\\$&')}\n`,
  );
  writeFileSync(at('marks.txt'), `;FFMETADATA1\n${marks.join('')}`);
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
    ...['-i', at('cues.srt'), '-f', 'ffmetadata', '-i', at('marks.txt'), '-map_chapters', '5'],
    ...['-map', '0', '-map', '1', '-map', '2', '-map', '3'],
  ];
  const codecs = ['-c:v', 'libx264', '-g', '50', '-bf', '2', '-pix_fmt', 'yuv420p', '-c:a', 'aac'];
  const text = ['-map', '4', '-metadata:s:s:0', 'language=spa', '-disposition:s:0', '0'];
  ffmpeg(...all, ...text, ...codecs, '-c:s', 'mov_text', ...labels, at('tracks.mp4'));
  ffmpeg(...all, ...text, ...codecs, '-c:s', 'ass', ...labels, at('tracks.mkv'));
}

interface Track {
  codec_type: string;
  codec_name: string;
  tags?: { language?: string; title?: string };
  disposition: { default: number };
}

interface Described {
  streams: Track[];
  chapters: { start_time: string; end_time: string; tags?: { title?: string } }[];
}

/** One start of a program is enough for all that is asked about a file. */
const described = new Known<Described>(100);

const describedIn = (path: string) =>
  described.of(path, async () => {
    const how = ['-v', 'error', '-show_streams', '-show_chapters', '-of', 'json', path];
    return JSON.parse((await run(programs, 'ffprobe', how)).stdout) as Described;
  });

export const tracksOf = async (path: string): Promise<Track[]> => (await describedIn(path)).streams;

export async function languagesOf(path: string, kind: string): Promise<(string | null)[]> {
  const tracks = await tracksOf(path);
  return tracks.flatMap(({ codec_type, tags }) => (codec_type === kind ? (tags?.language ?? null) : []));
}

export async function textsOf(path: string): Promise<{ start: number; end: number; text: string }[]> {
  const how = ['-v', 'error', '-nostdin', '-i', path, '-map', '0:s:0', '-f', 'srt', '-'];
  const { stdout: srt } = await run(programs, 'ffmpeg', how);
  const seconds = (text = '') => {
    const [hours = 0, minutes = 0, rest = 0] = text.replace(',', '.').split(':').map(Number);
    return hours * 3600 + minutes * 60 + rest;
  };
  return srt
    .replaceAll('\r', '')
    .trim()
    .split(/\n\n/)
    .map((block) => {
      const [, times = '', ...lines] = block.split('\n');
      const [start, end] = times.split(' --> ');
      return { start: seconds(start), end: seconds(end), text: lines.join('\n').replace(/<[^>]*>/g, '') };
    });
}

/** As ffmpeg writes Matroska, the delay of the encoder is heard, and everything else is as late. */
export const LATE: Record<string, number> = { 'tracks.mp4': 0, 'tracks.mkv': 1024 / 48_000 };

/** Where a second of the source is in the output; null if nowhere. */
const placeOf = ({ time_map }: Done, time: number) =>
  time_map.flatMap(({ in: [from, to], out: [begin, end] }) =>
    time >= from && time < to ? [begin + ((time - from) * (end - begin)) / (to - from)] : [],
  );

const sounds = new Known<Float32Array[]>(4);

/** The sound of each track, where players play it. */
const heardIn = (path: string): Promise<Float32Array[]> =>
  sounds.of(path, async () => {
    const tracks = (await tracksOf(path)).filter(({ codec_type }) => codec_type === 'audio');
    const directory = await mkdtemp(join(tmpdir(), 'spool-heard-'));
    try {
      const files = tracks.map((_, track) => join(directory, `${track}`));
      const how = ['-af', 'aresample=48000:async=1:first_pts=0', '-ac', '1', '-f', 'f32le'];
      const outputs = files.flatMap((file, track) => ['-map', `0:a:${track}`, ...how, file]);
      const input = ['-v', 'error', '-nostdin', '-copyts', '-i', path];
      await run(programs, 'ffmpeg', [...input, ...outputs], { cwd: directory });
      const all = await Promise.all(files.map((file) => readFile(file)));
      return all.map(({ buffer, byteOffset, length }) => new Float32Array(buffer, byteOffset, length >> 2));
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  });

export async function expectInTime(done: Done, order: readonly number[], late = 0): Promise<void> {
  const tracks = await heardIn(done.path);
  for (const [index, track] of order.entries()) {
    const offset = OFFSETS[track] ?? 0;
    const due = Array.from({ length: SECONDS }, (_, second) => placeOf(done, second + offset + late)).flat();
    const heard = clicksIn(tracks[index] ?? new Float32Array());
    const far = due
      .sort((a, b) => a - b)
      .map((time) => Math.min(...heard.map((one) => Math.abs(one - time - 0.002))));
    expect(far.length, `track ${track}`).toBeGreaterThan(2);
    expect(Math.max(...far), `track ${track}`).toBeLessThan(0.004);
  }
}

export async function expectTexts(done: Done, late: number): Promise<void> {
  const moved = cues.map(({ start, end, text }) => ({ start: start + late, end: end + late, text }));
  const due = moved.flatMap((cue) =>
    done.time_map.flatMap(({ in: [from, to], out: [begin] }) => {
      const [start, end] = [Math.max(from, cue.start), Math.min(to, cue.end)];
      return end > start ? [{ start: begin + start - from, end: begin + end - from, text: cue.text }] : [];
    }),
  );
  const shown = await textsOf(done.path);
  expect(shown.map(({ text }) => text)).toEqual(due.map(({ text }) => text));
  for (const [index, { start, end }] of shown.entries()) {
    expect(Math.abs(start - (due[index]?.start ?? 0))).toBeLessThan(0.009);
    expect(Math.abs(end - (due[index]?.end ?? 0))).toBeLessThan(0.009);
  }
}

interface Mark {
  start: number;
  end: number;
  title: string;
}

export async function chaptersOf(path: string): Promise<Mark[]> {
  const { chapters: found } = await describedIn(path);
  return found.map(({ start_time, end_time, tags }) => ({
    ...{ start: Number(start_time), end: Number(end_time), title: tags?.title ?? '' },
  }));
}

/** Looks at every millisecond of the output for the first ones of each chapter of each source. */
function chaptersDue({ time_map }: Pick<Done, 'time_map'>): Mark[] {
  const end = Math.max(...time_map.map(({ out }) => out[1]));
  const due = new Map<string, Mark>();
  for (let ms = 0; ms < end * 1000; ms++) {
    const time = ms / 1000;
    for (const {
      source,
      in: [from, to],
      out: [begin, stop],
    } of time_map) {
      if (time < begin || time >= stop) continue;
      const shown = from + ((time - begin) * (to - from)) / (stop - begin);
      const mark = chapters.find((one) => shown >= one.start && shown < one.end);
      if (!mark) continue;
      const key = `${source} ${mark.title}`;
      const known = due.get(key) ?? { start: time, end: time, title: mark.title };
      if (time - known.end < 0.002) known.end = time;
      due.set(key, known);
    }
  }
  return [...due.values()];
}

export async function expectChapters(done: Pick<Done, 'path' | 'time_map'>): Promise<void> {
  const [due, shown] = [chaptersDue(done), await chaptersOf(done.path)];
  expect(shown.map(({ title }) => title)).toEqual(due.map(({ title }) => title));
  const together = /\.(mp4|mov)$/.test(done.path);
  for (const [index, { start, end }] of shown.entries()) {
    const next = together ? due[index + 1]?.start : undefined;
    // What is left of the source after the last one would be too short for a chapter.
    const rest = index === shown.length - 1 ? 0.04 : 0;
    expect(Math.abs(start - (due[index]?.start ?? 0))).toBeLessThan(0.003);
    expect(Math.abs(end - (next ?? due[index]?.end ?? 0))).toBeLessThan(0.003 + rest);
  }
}
