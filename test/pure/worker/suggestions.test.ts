import { expect, test } from 'vitest';
import type { z } from 'zod';
import type { FieldError } from '../../../schema/api/problem.ts';
import { type OperationName, operations } from '../../../schema/operations/index.ts';
import { taskListQuery } from '../../../schema/task/task-list.ts';
import { Problem, parseInput } from '../../../worker/lib/problem.ts';

const url = 'https://media.example.com/a.mp4';

function errorAt(schema: z.ZodType, body: unknown, pointer: string): FieldError | undefined {
  try {
    parseInput(schema, body);
    return undefined;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return error.errors?.find((each) => each.pointer === pointer);
  }
}

const givenAt = (body: object, pointer: string) => (body as Record<string, unknown>)[pointer.slice(1)];

test.each([
  // A number or a truth value in quotes.
  ['cut', { fade_in: '1.5' }, '/fade_in', 'Send the number itself, without quotes around it.'],
  ['cut', { dry_run: 'true' }, '/dry_run', 'Send the value itself, without quotes around it.'],
  ['crop', { x: '10' }, '/x', 'Send the number itself, without quotes around it.'],
  // A number with its unit.
  ['speed', { rate: '2x' }, '/rate', 'Did you mean 2?'],
  ['transcode', { height: '720p' }, '/height', 'Did you mean 720?'],
  ['redub', { voice_volume_db: '-3 dB' }, '/voice_volume_db', 'Did you mean -3?'],
  // A name that is too long or too short.
  ['visualize', { style: 'waveform' }, '/style', 'Did you mean `wave`?'],
  ['cut', { mode: 'key' }, '/mode', 'Did you mean `keyframe`?'],
  ['redub_tts', { script: 'Hi', language: 'Englsh' }, '/language', 'Did you mean `en`?'],
  // Sources that are nearly right.
  [
    'cut',
    { video_url: 'task:foo' },
    '/video_url',
    'After `task:` comes an id: `task_` and 26 letters and digits.',
  ],
  [
    'cut',
    { video_url: 'upload:9' },
    '/video_url',
    'After `upload:` comes an id: `upl_` and 26 letters and digits.',
  ],
  ['cut', { video_url: '//example.com/a.mp4' }, '/video_url', 'Put https: before it.'],
  // A value of another field.
  ['captions_auto', { style: 'karaoke' }, '/style', '"karaoke" is a value of `preset`.'],
  // A field of an object of the request.
  ['remux', { title: 'My talk' }, '/title', 'Did you mean `set.title`?'],
  ['edit_by_text', { fillers: true }, '/fillers', 'Did you mean `remove.fillers`?'],
  ['captions_auto', { outline_color: '#000000' }, '/outline_color', 'Did you mean `style.outline_color`?'],
] as const)('/%s with %j', (name: OperationName, body, pointer, advice) => {
  expect(errorAt(operations[name].input, { video_url: url, ...body }, pointer)?.detail).toContain(advice);
});

test.each([
  ['cut', { fade_in: '60' }, '/fade_in'],
  ['cut', { fade_in: '60 dB' }, '/fade_in'],
  ['cut', { mode: 'auto' }, '/mode'],
] as const)('no advice that would be refused as well: /%s with %j', (name: OperationName, body, pointer) => {
  const detail = errorAt(operations[name].input, { video_url: url, ...body }, pointer)?.detail ?? '';
  expect(detail).toMatch(new RegExp(`it is the string "${String(givenAt(body, pointer))}"\\.$`));
});

test.each([
  [{ status: 'done' }, '/status', 'Did you mean `completed`?'],
  [{ stat: 'completed' }, '/stat', 'Did you mean `status`?'],
  [{ operation: 'trim' }, '/operation', 'Did you mean `cut`?'],
  [{ operation: 'subtitles' }, '/operation', 'Did you mean `captions_auto`?'],
] as const)('the list of tasks with %j', (query, pointer, advice) => {
  expect(errorAt(taskListQuery, query, pointer)?.detail).toContain(advice);
});

test.each([
  ['cut', '/start', [-1, 'abc', null, [], 1e9]],
  ['crop', '/x', [-1, 'abc', null, [], 0.5, 1e9]],
  ['silence_process', '/threshold_db', [5, 'abc', null, []]],
  ['captions_auto', '/speakers', [0, 'abc', null, 99]],
] as const)(
  '/%s describes %s in one way, whatever is wrong with it',
  (name: OperationName, pointer, values) => {
    const rules = values.map((value) => {
      const body = { video_url: url, [pointer.slice(1)]: value };
      return errorAt(operations[name].input, body, pointer)?.detail.split('; it is ')[0];
    });
    expect(new Set(rules).size).toBe(1);
    expect(rules[0]).toMatch(/ must be /);
  },
);

test('a value of the wrong type is called so, numbers too; a number out of place in a list of values is not', () => {
  const codeOf = (body: object, pointer: string) =>
    errorAt(operations.cut.input, { video_url: url, ...body }, pointer)?.code;
  expect(codeOf({ segments: 5 }, '/segments')).toBe('invalid_type');
  expect(codeOf({ segments: 'x' }, '/segments')).toBe('invalid_type');
  expect(codeOf({ dry_run: 1 }, '/dry_run')).toBe('invalid_type');
  expect(codeOf({ audio_track: 0.5 }, '/audio_track')).toBe('invalid_value');
  expect(codeOf({ fade_in: Number.NaN }, '/fade_in')).toBe('invalid_value');
});

test('the value of `keywords` is shown, which are no keys', () => {
  const body = { video_url: url, keywords: 'money' };
  expect(errorAt(operations.captions_auto.input, body, '/keywords')?.detail).toContain(
    'it is the string "money"',
  );
});
