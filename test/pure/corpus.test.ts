import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PICTURE_BYTES, type Pictures, SOUND_RATE, type Sound } from '../corpus/decode.ts';
import { type FileResult, Journal } from '../corpus/journal.ts';
import { judgeSpans } from '../corpus/judge.ts';
import { mismatches } from '../corpus/match-pictures.ts';
import { heardAt } from '../corpus/match-sound.ts';
import { isHonest } from '../corpus/refusals.ts';
import { reportText, table } from '../corpus/report.ts';
import type { SourceModel } from '../corpus/source-model.ts';
import { framesOf } from '../corpus/spans.ts';

const RATE = 25;
const ORIGIN = 700;

/** Two seconds of pictures that all differ, with a sound that is nowhere the same. */
function sourceOf(times = Array.from({ length: 50 }, (_, frame) => ORIGIN + frame / RATE)) {
  const bytes = new Uint8Array(times.length * PICTURE_BYTES);
  for (let at = 0; at < bytes.length; at++) {
    const frame = Math.floor(at / PICTURE_BYTES);
    bytes[at] = 128 + 100 * Math.sin((at % PICTURE_BYTES) / 97 + frame / 4);
  }
  const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
  const end = (times.at(-1) ?? 0) + 1 / RATE;
  const regular = Math.max(...gaps) - Math.min(...gaps) < 0.002;
  const pictures = { times, bytes, end, regular, stream: 0, width: 160, height: 90, matrix: 'bt601' };
  const samples = Int16Array.from(
    { length: 2 * SOUND_RATE },
    (_, at) => 8000 * Math.sin(2 * Math.PI * (300 + (200 * at) / SOUND_RATE) * (at / SOUND_RATE)),
  );
  return {
    family: { container: 'mov,mp4,m4a,3gp,3g2,mj2', video: 'h264', audio: 'aac' },
    pictures,
    sound: { start: ORIGIN, samples },
    origin: ORIGIN,
    duration: end - ORIGIN,
    clean: true,
  } satisfies SourceModel;
}

/** What a right cut of frames `first` to `last` holds. */
function cutOf({ pictures, sound }: ReturnType<typeof sourceOf>, first: number, last: number) {
  const start = pictures.times[first] ?? 0;
  const shown: Pictures = {
    times: pictures.times.slice(first, last).map((time) => time - start),
    bytes: pictures.bytes.slice(first * PICTURE_BYTES, last * PICTURE_BYTES),
  };
  const [from, to] = [first, last].map((frame) => Math.round((frame / RATE) * SOUND_RATE));
  const played: Sound = { start: 0, samples: sound.samples.slice(from, to) };
  return { pictures: shown, sound: played, complaints: '' };
}

const asked = { start: 0.414, end: 1.611 };
const said = (inAt = 0.4, length = 1.2) => ({
  duration: length,
  timeMap: [{ source: 0, in: [inAt, inAt + length], out: [0, length] }] as never,
  graded: false,
});

function moved({ start, samples }: Sound, milliseconds: number): Sound {
  const by = Math.round((milliseconds / 1000) * SOUND_RATE);
  return { start, samples: samples.map((_, at) => samples[at - by] ?? 0) };
}

test('A right cut is judged right, and its sound to stand where it did', () => {
  const source = sourceOf();
  const { wrong, late } = judgeSpans(cutOf(source, 10, 40), source, [asked], said());
  expect(wrong).toEqual([]);
  expect(late).toHaveLength(3);
  for (const ms of late) expect(Math.abs(ms)).toBeLessThan(0.05);
});

test.each([
  ['one frame late', 11, 41, 'shows frame 11 of the source, not 10'],
  ['one frame early', 9, 39, 'shows frame 9 of the source, not 10'],
  ['one frame short', 10, 39, '29 frames, not 30'],
  ['one frame long', 9, 40, '31 frames, not 30'],
])('A cut that is %s is a defect', (_, first, last, detail) => {
  const source = sourceOf();
  const { wrong } = judgeSpans(cutOf(source, first, last), source, [asked], said());
  expect(wrong.join()).toContain(detail);
});

test.each([
  ['stands still at its end', 29, 28],
  ['stands still at its start', 0, 1],
])('A cut that %s is a defect', (_, at, from) => {
  const source = sourceOf();
  const output = cutOf(source, 10, 40);
  output.pictures.bytes.copyWithin(at * PICTURE_BYTES, from * PICTURE_BYTES, (from + 1) * PICTURE_BYTES);
  const { wrong } = judgeSpans(output, source, [asked], said());
  expect(wrong.join()).toContain(`1 of 30 frames are wrong: frame ${at} shows`);
});

test.each([-20, -3, 3, 20])('Sound that is %d ms late is a defect', (milliseconds) => {
  const source = sourceOf();
  const output = cutOf(source, 10, 40);
  output.sound = moved(output.sound, milliseconds);
  const { wrong } = judgeSpans(output, source, [asked], said());
  expect(wrong.join()).toContain(
    `the sound is ${Math.abs(milliseconds)}.0 ms ${milliseconds > 0 ? 'late' : 'early'}`,
  );
});

test('A high tone that was sampled at other instants is judged right', () => {
  const tone = (late: number) => {
    const at = (sample: number) => (sample - late) / SOUND_RATE;
    const samples = Int16Array.from(
      { length: 2 * SOUND_RATE },
      (_, sample) =>
        8000 * Math.sin(2 * Math.PI * 3300 * at(sample)) * (1 + 0.9 * Math.sin(2000 * at(sample) ** 2)),
    );
    return { start: 0, samples };
  };
  const heard = heardAt(tone(0.5), 0.5, tone(0), 0.5);
  expect(heard).toMatchObject({ fits: true });
  expect(heardAt(tone(40.5), 0.5, tone(0), 0.5)).toMatchObject({ fits: false });
});

test.each([
  ['coarsely coded', 5, []],
  ['finely coded', 1, ['1 of 9 frames are wrong: frame 2 shows frame 1 of the source, not 2']],
])(
  'A frame that differs from its neighbour by less than noise is right where all are %s',
  (_, noise, wanted) => {
    const film = (levels: readonly number[], noiseOf: (frame: number) => number) => ({
      bytes: Uint8Array.from(
        levels.flatMap((level, frame) =>
          Array.from({ length: PICTURE_BYTES }, (_, at) => level + noiseOf(frame) * (at % 2 === 0 ? 1 : -1)),
        ),
      ),
    });
    const source = Array.from({ length: 9 }, (_, frame) => 100 + 3 * frame);
    const shown = source.map((level, frame) => (frame === 2 ? level - 3 : level));
    const output = film(shown, (frame) => (frame === 2 ? 2 : noise));
    const pairs = source.map((_, frame) => ({ shown: frame, wanted: frame }));
    expect(
      mismatches(
        output,
        film(source, () => 0),
        pairs,
      ),
    ).toEqual(wanted);
  },
);

test('Sound of something else, and none at all, are defects', () => {
  const source = sourceOf();
  const output = cutOf(source, 10, 40);
  const noise = output.sound.samples.map((_, at) => ((at * 7919) % 16_001) - 8000);
  const other = judgeSpans({ ...output, sound: { start: 0, samples: noise } }, source, [asked], said());
  expect(other.wrong.join()).toContain('not the sound of the source');
  const mute = judgeSpans({ ...output, sound: null }, source, [asked], said());
  expect(mute.wrong).toEqual(['it has no sound']);
});

test('Frames at other distances, another duration and a false time map are defects', () => {
  const source = sourceOf();
  const output = cutOf(source, 10, 40);
  const times = output.pictures.times.map((time, index) => (index < 15 ? time : time + 0.005));
  const drifted = { ...output, pictures: { ...output.pictures, times } };
  const wrongOf = (result: typeof output, claim: ReturnType<typeof said>) =>
    judgeSpans(result, source, [asked], claim).wrong.join();
  expect(wrongOf(drifted, said())).toContain('frame 15 stands at 0.6050 s, not 0.6000 s');
  expect(wrongOf(output, { ...said(), duration: 1.3 })).toContain('it lasts 1.3 s');
  expect(wrongOf(output, said(0.414))).toContain('the time map does not put 0.4000 s of the source');
});

test('A time falls on the nearest frame, on either of two that are as near, and within one that is held', () => {
  const { pictures } = sourceOf();
  const at = (start: number, end: number) =>
    framesOf(pictures, ORIGIN, { start, end }).map(({ first, last }) => ({ first, last }));
  expect(at(0.414, 1.611)).toEqual([{ first: 10, last: 40 }]);
  expect(at(0.42, 1.6).map(({ first }) => first)).toEqual([10, 11]);
  expect(at(0, 5)).toEqual([{ first: 0, last: 50 }]);
  const held = sourceOf([0, 1, 2, 2.04].map((time) => ORIGIN + time)).pictures;
  const begins = framesOf(held, ORIGIN, { start: 0.7, end: 2.04 }).map(({ first, from }) => [first, from]);
  expect(begins).toContainEqual([1, ORIGIN + 1]);
  expect(begins).toContainEqual([0, ORIGIN + 0.7]);
});

test('A refusal is honest if what it says is true of the source', () => {
  const source = sourceOf();
  const damaged = { ...source, clean: false };
  const unread = { ...source, family: { ...source.family, container: 'nut' } };
  const error = (code: string, fault = 'source') => ({ code, fault }) as Parameters<typeof isHonest>[0];
  expect(isHonest(error('source_not_media'), source)).toBe(false);
  expect(isHonest(error('source_not_media'), unread)).toBe(true);
  expect(isHonest(error('source_damaged'), source)).toBe(false);
  expect(isHonest(error('source_damaged'), damaged)).toBe(true);
  expect(isHonest(error('source_no_audio'), source)).toBe(false);
  expect(isHonest(error('source_no_audio'), { ...source, sound: null })).toBe(true);
  const small = (side: number, video: string) => ({
    ...source,
    family: { ...source.family, video },
    pictures: source.pictures && { ...source.pictures, width: side, height: side },
  });
  expect(isHonest(error('output_too_small', 'caller'), small(64, 'av1'))).toBe(true);
  expect(isHonest(error('output_too_small', 'caller'), small(64, 'h264'))).toBe(false);
  expect(isHonest(error('output_too_small', 'caller'), { ...source, pictures: null })).toBe(false);
  expect(isHonest(error('crop_out_of_bounds', 'caller'), small(7, 'h264'))).toBe(true);
  expect(isHonest(error('crop_out_of_bounds', 'caller'), small(8, 'h264'))).toBe(false);
  const still = { ...source, pictures: source.pictures && { ...source.pictures, times: [0] } };
  expect(isHonest(error('time_out_of_range', 'caller'), still)).toBe(true);
  expect(isHonest(error('time_out_of_range', 'caller'), source)).toBe(false);
  for (const code of ['output_invalid', 'internal_error', 'render_failed', 'timed_out']) {
    expect(isHonest(error(code, 'service'), damaged)).toBe(false);
    expect(isHonest(error(code, 'service'), null)).toBe(false);
  }
  expect(isHonest(error('source_not_media'), null)).toBe(true);
});

const entry = (file: string, verdict: 'right' | 'refused' | 'defect'): FileResult => ({
  file,
  bytes: 1,
  family: { container: 'mov,mp4,m4a,3gp,3g2,mj2', video: 'h264', audio: null },
  decodes: true,
  skipped: null,
  asked: ['probe'],
  results: [{ check: 'probe', verdict, detail: '', seconds: 1, late: [0.1] }],
});

test('A journal goes on after a line that was cut off, and knows what is left to do', () => {
  const folder = mkdtempSync(join(tmpdir(), 'spool-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'journal.jsonl');
  const lines = [entry('a', 'defect'), entry('b', 'right'), entry('a', 'right')];
  writeFileSync(path, `${lines.map((line) => JSON.stringify(line)).join('\n')}\n{"file":"c","by`);
  const journal = new Journal(path);
  expect([...journal.entries.keys()]).toEqual(['a', 'b']);
  journal.add(entry('c', 'refused'));
  expect([...new Journal(path).entries.values()].map(({ results }) => results[0]?.verdict)).toEqual([
    'right',
    'right',
    'refused',
  ]);
  expect(journal.missing('a', ['probe', 'crop'], false)).toEqual(['crop']);
  journal.add(entry('a', 'defect'));
  expect(journal.missing('a', ['probe', 'crop'], true)).toEqual(['probe', 'crop']);
});

test('The table counts tasks by family, and the report names repositories and no file', () => {
  const entries = [entry('owner+name/secret.mp4', 'right'), entry('other+one/b.mp4', 'defect')];
  expect(table(entries)).toContain('| mp4, mov | h264 | 2 | 2 | 1 | 0 | 1 |');
  const text = reportText(entries);
  expect(text).toContain('Repositories: other/one, owner/name.');
  expect(text).not.toContain('secret');
});
