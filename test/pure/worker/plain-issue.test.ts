import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { nearestName } from '../../../schema/api/nearest-name.ts';
import type { FieldError } from '../../../schema/api/problem.ts';
import { transitionNames } from '../../../schema/media/transitions.ts';
import { timeNear } from '../../../schema/operations/fields/time-near.ts';
import { operationNames, operations } from '../../../schema/operations/index.ts';
import { taskListQuery } from '../../../schema/task/task-list.ts';
import { Problem, parseInput } from '../../../worker/lib/problem.ts';
import { alternativesOf, fieldNames, schemaAt, valueNames } from '../../../worker/lib/schema-at.ts';
import { shownText } from '../../../worker/lib/text/shown-value.ts';

/** Words of zod, and pieces of regular expressions. */
const forbidden =
  /Invalid (input|option|string|key|number|discriminator)|Too (small|big)|Unrecognized|expected|received|pattern|\^|\\d|\[a-z|\[A-Z|\{\d|\(\?|[<>]=|undefined|NaN|Infinity|\[object/;

function problemOf(schema: z.ZodType, body: unknown): Problem | null {
  try {
    parseInput(schema, body);
    return null;
  } catch (error) {
    if (error instanceof Problem) return error;
    throw error;
  }
}

const errorsOf = (schema: z.ZodType, body: unknown): FieldError[] => problemOf(schema, body)?.errors ?? [];

/** Two neighbours in the middle swapped. */
function swapped(name: string): string {
  for (let at = Math.max(1, Math.floor(name.length / 2)); at < name.length; at++) {
    const [one = '', other = ''] = [name[at - 1], name[at]];
    if (one !== other) return name.slice(0, at - 1) + other + one + name.slice(at + 1);
  }
  return `${name}x`;
}

/** Two letters wrong. */
const twiceWrong = (name: string) => `${swapped(name)}${name.at(-1)}`;

interface Field {
  path: (string | number)[];
  schema: z.core.$ZodType;
  /** The first example with another value at the path. */
  with: (value: unknown) => Record<string, unknown>;
}

function replaced(body: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return value;
  if (typeof head === 'number') return [replaced(Array.isArray(body) ? body[0] : undefined, rest, value)];
  const fields = typeof body === 'object' && body !== null && !Array.isArray(body) ? body : {};
  return { ...fields, [head]: replaced((fields as Record<string, unknown>)[head], rest, value) };
}

/** Every field of a request, those of nested objects and lists included. */
function fieldsOf(root: z.ZodType, example: unknown): Field[] {
  const found: Field[] = [];
  const visit = (schema: z.core.$ZodType, path: (string | number)[]) => {
    if (path.length > 0) {
      const put = (value: unknown) => replaced(example, path, value) as Record<string, unknown>;
      found.push({ path, schema, with: put });
    }
    for (const name of fieldNames(schema)) {
      const child = schemaAt(schema, [name]);
      if (child) visit(child, [...path, name]);
    }
    const item = schemaAt(schema, [0]);
    if (item) visit(item, [...path, 0]);
  };
  visit(root, []);
  return found;
}

const pointerOf = (path: readonly (string | number)[]) => `/${path.join('/')}`;

/** The kinds of mistake that a request alone can have; zod has other names. */
const kinds = ['required', 'unknown_field', 'invalid_type', 'invalid_value', 'too_small', 'too_big'];

function expectPlain(errors: readonly FieldError[], what: string): void {
  const pointers = errors.map(({ pointer }) => pointer);
  expect(new Set(pointers).size, `${what}: ${pointers}`).toBe(pointers.length);
  for (const { pointer, code, detail } of errors) {
    expect(kinds, what).toContain(code);
    // What the caller sent may contain anything.
    expect(detail.replace(/the string "(?:[^"\\]|\\.)*"/g, 'it'), what).not.toMatch(forbidden);
    expect(detail, what).toMatch(/[.?!]$/);
    // A sentence of its own, or one whose subject is the field.
    expect(detail, what).not.toMatch(/^\/\S*: [a-z]/);
    expect(detail, what).toContain(pointer === '' ? 'request' : (pointer.split('/').at(-1) ?? ''));
    expect(detail.length, what).toBeLessThan(900);
  }
}

/** Values that some kind of field does not take: other types, an empty text, numbers and lists beyond every bound. */
const wrongValues: unknown[] = [
  ...[null, true, {}, [], '', 'no such thing', -1e12, 1e12, 0.123456789, 'x'.repeat(300_000)],
  ...[
    [1, 2],
    [null],
    { unknown_field: 1 },
    Array.from({ length: 60_001 }, () => 'x'),
    '(?:[a-z]+)^',
    '\u202e\n',
  ],
];

/** How each is named in a failure: some take longer to print than to judge. */
const printed = new Map(wrongValues.map((value) => [value, JSON.stringify(value).slice(0, 40)]));

const inputs: [string, z.ZodType, unknown][] = [
  ...operationNames.flatMap((name) =>
    operations[name].examples.map(({ title, input }): [string, z.ZodType, unknown] => [
      `${name}: ${title}`,
      operations[name].input,
      input,
    ]),
  ),
  ['GET /tasks', taskListQuery, {}],
];

describe.each(inputs)('%s', (_, schema, example) => {
  const fields = fieldsOf(schema, example);

  test('says in plain words what is wrong with any value of any field', () => {
    let refused = 0;
    for (const field of fields) {
      for (const value of wrongValues) {
        const problem = problemOf(schema, field.with(value));
        if (!problem) continue;
        refused += 1;
        const what = `${pointerOf(field.path)} = ${printed.get(value)}`;
        expectPlain(problem.errors ?? [], what);
      }
    }
    expect(refused).toBeGreaterThan(fields.length);
  });

  test('names the fields that are missing', () => {
    for (const body of [{}, null, [], 'x', 5]) expectPlain(errorsOf(schema, body), JSON.stringify(body));
  });

  test('suggests the right field for a misspelt one', () => {
    for (const { path, with: put } of fields) {
      const name = path.at(-1);
      if (typeof name !== 'string' || name.length < 4) continue;
      for (const wrong of [swapped(name), ...(name.length > 6 ? [twiceWrong(name)] : [])]) {
        const parent = replaced(put('x'), path.slice(0, -1), { [wrong]: 'x' });
        const body = path.length === 1 ? { ...(example as object), [wrong]: 'x' } : parent;
        const unknown = errorsOf(schema, body).find(({ detail }) => detail.includes('Did you mean'));
        expect(unknown?.detail, wrong).toContain(`Did you mean \`${name}\`?`);
        expect(unknown?.detail, wrong).toContain(wrong);
      }
    }
  });

  test('suggests the right name for a misspelt value', () => {
    for (const { path, schema: own, with: put } of fields) {
      const names = valueNames(own);
      if (fieldNames(own).length > 0) continue;
      for (const name of names) {
        const wrong = swapped(name);
        if (name.length < 4 || names.includes(wrong)) continue;
        const [error] = errorsOf(schema, put(wrong)).filter(({ pointer }) => pointer === pointerOf(path));
        if (!error && alternativesOf(own).length > 1) continue;
        expect(error?.detail, `${pointerOf(path)} ${wrong}`).toContain(`Did you mean \`${name}\`?`);
      }
    }
  });
});

describe('a refused value', () => {
  const { input } = operations.cut;
  const url = 'https://media.example.com/a.mp4';
  const first = (schema: z.ZodType, body: unknown) => errorsOf(schema, body)[0]?.detail;

  test.each([
    [{ video_url: url, end: 5, fade_in: 12 }, '/fade_in must be a number from 0 to 10; it is 12.'],
    [
      { video_url: url, end: 5, fade_in: '1' },
      '/fade_in must be a number from 0 to 10; it is the string "1". Send the number itself, without quotes around it.',
    ],
    [
      { video_url: url, end: 5, format: 'mp5' },
      '/format must be `mp4`, `mov`, `webm` or `mkv`; it is the string "mp5". Did you mean `mp4`?',
    ],
    [
      { video_url: url, end: 5, fade_on: 1 },
      '/fade_on is not a field of this request. Did you mean `fade_in`?',
    ],
    [
      { video_url: url, segments: [{ start: 1, stop: 2 }] },
      '/segments/0/end is required: give 0.001 to 360000 seconds, as a number or as "HH:MM:SS.mmm".',
    ],
    [{ video_url: url, end: 5, output_name: '' }, '/output_name must have 1 to 200 characters; it is empty.'],
    [
      { video_url: url, end: 5, quality: { crf: 20, video_bitrate_kbps: 500 } },
      '/quality must be `match_source`, `low`, `medium`, `high`, {"crf": 0–63} or {"video_bitrate_kbps": 50–200000}; it is an object. Give only one of `crf` and `video_bitrate_kbps`.',
    ],
    [
      { video_url: url, end: 5, start: '1m30s' },
      '/start must be 0 to 360000 seconds, as a number or as "HH:MM:SS.mmm"; it is the string "1m30s". Did you mean 90?',
    ],
    [
      { video_url: url, end: 5, start: '200h' },
      '/start must be 0 to 360000 seconds, as a number or as "HH:MM:SS.mmm"; it is the string "200h".',
    ],
    [
      { video_url: url, end: 5, format: 'mp3' },
      '/format must be `mp4`, `mov`, `webm` or `mkv`; it is the string "mp3".',
    ],
    [{ video_url: url, start: 9, end: 5 }, '/end must be greater than `start`, which is 9; it is 5.'],
    [
      { video_url: url, end: 5, quality: { crf: '20' } },
      '/quality/crf must be a whole number from 0 to 63; it is the string "20". Send the number itself, without quotes around it.',
    ],
    [
      { video_url: url, end: 5, fade_in: null },
      '/fade_in must be a number from 0 to 10; it is null. Leave it out instead.',
    ],
    [
      { video_url: [url], end: 5 },
      '/video_url must be an https:// URL; it is a list. Send the value itself, without a list around it.',
    ],
    [
      { video_url: '', end: 5 },
      '/video_url must be an absolute https:// URL, `task:<task_id>` or `upload:<upload_id>`; it is an empty string.',
    ],
    [
      { video_url: 'https://[::1', end: 5 },
      '/video_url must be an absolute https:// URL, `task:<task_id>` or `upload:<upload_id>`; it is not a valid URL.',
    ],
    [{ video_url: url, segments: [] }, '/segments must have 1 to 100 items; it is empty.'],
    [
      { video_url: url, end: 5, codec: 'h264', quality: { crf: 60 } },
      '/quality/crf must be from 0 to 51 for `h264`; it is 60.',
    ],
    [
      { video_url: url, end: 5, codec: 'av1', quality: { video_bitrate_kbps: 150_000 } },
      '/quality/video_bitrate_kbps must be from 50 to 100000 for `av1`; it is 150000.',
    ],
    [
      { video_url: url, end: 5, quality: { crff: 20 } },
      '/quality must be `match_source`, `low`, `medium`, `high`, {"crf": 0–63} or {"video_bitrate_kbps": 50–200000}; it is an object. "crff" is not a field of it. Did you mean `crf`?',
    ],
  ])('%j', (body, detail) => {
    expect(first(input, body)).toBe(detail);
  });

  test.each([
    ['visualize', { audio_url: url, colors: ['#FFF'] }, 'Did you mean "#ffffff"?'],
    ['visualize', { audio_url: url, colors: ['ff5f6d'] }, 'Did you mean "#ff5f6d"?'],
    ['visualize', { audio_url: url, colors: ['Red'] }, 'Did you mean "#ff0000"?'],
    ['visualize', { audio_url: url, colors: ['rgb(0, 128, 255)'] }, 'Did you mean "#0080ff"?'],
    ['visualize', { audio_url: url, colors: '#ff0000' }, 'Put it in a list, in square brackets.'],
    ['crop', { video_url: url, aspect_ratio: '9x16' }, 'Did you mean "9:16"?'],
    ['crop', { video_url: url, aspect_ratio: '1080x1920' }, 'Did you mean "9:16"?'],
    ['crop', { video_url: url, aspect_ratio: 'vertical' }, 'Did you mean "9:16"?'],
    ['crop', { video_url: url, aspect_ratio: 0.5625 }, 'Did you mean "9:16"?'],
    ['photo_animate', { photo_url: url, aspect_ratio: '16/9' }, 'Did you mean "16:9"?'],
    ['photo_animate', { photo_urls: url }, 'Put it in a list, in square brackets.'],
    ['separate', { audio_url: url, stems: 'vocals' }, 'Put it in a list, in square brackets.'],
    ['transcribe', { audio_url: url, outputs: 'srt' }, 'Put it in a list, in square brackets.'],
    ['frame', { video_url: url, timestamps: 1 }, 'Put it in a list, in square brackets.'],
  ] as const)('%s %j shows how to write it', (name, body, advice) => {
    expect(first(operations[name].input, body)).toContain(advice);
  });

  test.each([
    [{ video_url: url }, '/duration', 'required'],
    [{ end: 5 }, '/video_url', 'required'],
    [{ video_url: url, end: 5, fade: 1 }, '/fade', 'unknown_field'],
    [{ video_url: url, end: 5, fade_in: '1' }, '/fade_in', 'invalid_type'],
    [{ video_url: url, end: 5, fade_in: 12 }, '/fade_in', 'too_big'],
    [{ video_url: url, end: 5, audio_track: 1.5 }, '/audio_track', 'invalid_value'],
    [{ video_url: url, end: 5, format: 'mp5' }, '/format', 'invalid_value'],
    [{ video_url: url, end: 5, start: 'soon' }, '/start', 'invalid_value'],
    [{ video_url: url, end: 5, output_name: 5 }, '/output_name', 'invalid_type'],
    [{ video_url: url, start: 9, end: 5 }, '/end', 'invalid_value'],
  ])('%j is wrong at %s: %s', (body, pointer, code) => {
    expect(errorsOf(input, body)).toMatchObject([{ pointer, code }]);
  });

  test('is shown without secrets, hidden characters or more of an address than its host', () => {
    expect(shownText('https://media.example.com/a.mp4?token=12345')).toBe('"https://media.example.com/…"');
    expect(shownText('spool_live_abcdefgh')).toBe('"…"');
    expect(shownText('a\u202eb\u0000')).toBe('"a\\u202eb\\u0000"');
    expect(shownText('y'.repeat(500)).length).toBeLessThan(70);
    expect(first(z.strictObject({ api_key: z.number() }), { api_key: 'hunter2' })).toBe(
      '/api_key must be a number.',
    );
  });

  test('is one of at most 100 that an answer names', () => {
    const unknown = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`filed_${index}`, 1]));
    expect(errorsOf(input, { video_url: url, end: 5, ...unknown })).toHaveLength(100);
  });
});

test('two clips have one joint', () => {
  const urls = ['https://media.example.com/a.mp4', 'https://media.example.com/b.mp4'];
  const [error] = errorsOf(operations.merge_urls.input, {
    urls,
    transitions: [{ type: 'fade' }, { type: 'none' }],
  });
  expect(error?.detail).toBe(
    '/transitions: 2 clips have one joint, but `transitions` has 2 entries. Remove the last ones.',
  );
});

test('an object or a list in a string is sent as it is', () => {
  const { cut, merge_urls } = operations;
  const source = { video_url: 'https://media.example.com/a.mp4' };
  const first = (schema: z.ZodType, body: unknown) => errorsOf(schema, body)[0]?.detail;
  expect(first(cut.input, JSON.stringify({ ...source, start: 1 }))).toBe(
    'The request must be an object; it is a string with an object in it. Send the object itself, without quotes around it.',
  );
  expect(first(cut.input, { ...source, segments: '[{"start": 1, "end": 2}]' })).toBe(
    '/segments must be a list of 1 to 100 items; it is a string with a list in it. Send the list itself, without quotes around it.',
  );
  expect(first(cut.input, { ...source, start: 1, quality: '{"crf": 20}' })).toMatch(
    /; it is a string with an object in it\. Send the object itself, without quotes around it\.$/,
  );
  expect(
    first(merge_urls.input, { urls: [JSON.stringify({ url: source.video_url }), source.video_url] }),
  ).toMatch(/^\/urls\/0 .*Send the object itself/);
  expect(first(cut.input, { ...source, start: '{}' })).not.toContain('itself');
});

test('a time zone whose + has become a space is noticed', () => {
  expect(errorsOf(taskListQuery, { created_after: '2026-11-20T10:00:00 02:00' })[0]?.detail).toMatch(
    /02:00"\. Write the \+ before the time zone as %2B\.$/,
  );
});

test('a document that is no JSON, or lacks media, is the subject of its sentence', () => {
  const detailOf = (fields: object) =>
    errorsOf(operations.timeline.input, { ...operations.timeline.examples[0]?.input, ...fields })[0]?.detail;
  expect(detailOf({ otio: '{' })).toMatch(/^\/otio is not valid JSON/);
  expect(detailOf({ otio: { OTIO_SCHEMA: 'Timeline.1' } })).toBe(
    '/otio/tracks must be an OpenTimelineIO object with an `OTIO_SCHEMA`; it is missing.',
  );
  expect(detailOf({ media: {} })).toMatch(/^\/media has no entry for `talk`/);
});

test.each([
  ['90s', 90],
  ['1m30s', 90],
  ['1 min 30 sec', 90],
  ['2h', 7200],
  ['1500ms', 1.5],
  ['00:00:01,500', 1.5],
  ['1,5', 1.5],
  ['00:00:01:12', null],
  ['soon', null],
  ['', null],
])('a time written as %j is probably %j seconds', (text, seconds) => {
  expect(timeNear(text)).toBe(seconds);
});

test('entries of metadata that are too many are counted', () => {
  const metadata = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`key${index}`, 'x']));
  const [found] = errorsOf(operations.probe.input, { url: 'https://media.example.com/a.mp4', metadata });
  expect(found?.detail).toBe('/metadata has 17 entries; give at most 16.');
});

describe('the number of a track in the album', () => {
  const parse = (track: string) =>
    operations.remux.input.safeParse({ video_url: 'https://media.example.com/a.mp4', set: { track } })
      .success;

  test.each(['', '3', '03', '3/12', '65535/65535'])('may be %j', (track) => expect(parse(track)).toBe(true));

  // mp4 would hold them as another number, or not at all.
  test.each(['three', '0', '3/', '/12', '3/0', '3 of 12', '65536', '1/65536', '2026-11-23', '-1', '1.5'])(
    'may not be %j',
    (track) => expect(parse(track)).toBe(false),
  );
});

describe('the nearest name', () => {
  const names = ['video_url', 'audio_url', 'x', 'end', 'fade_in', 'fade_out', 'h264', 'hevc'];

  test.each([
    ['video_ulr', 'video_url'],
    ['videoUrl', 'video_url'],
    ['Video-URL', 'video_url'],
    ['adio_url', 'audio_url'],
    ['ned', 'end'],
    ['fadein', 'fade_in'],
    ['h265', 'hevc'],
    ['libx264', 'h264'],
    ['libx265', 'hevc'],
    // Only the case is wrong, though the name is spelt as it is meant.
    ['H264', 'h264'],
    ['segments', null],
    ['y'.repeat(10_000), null],
    ['', null],
  ])('to %j is %j', (given, expected) => {
    expect(nearestName(given, names)).toBe(expected);
  });

  test.each([
    ['whip_pan_left', 'whipleft'],
    ['crossfade', 'fade'],
    ['Cross Dissolve', 'dissolve'],
    ['wipe', 'wipeleft'],
    ['Whip Pan', 'whipleft'],
    ['zoom_blur', 'zoomblurin'],
    ['light_leak', 'lightleak'],
    ['spin-reverse', 'spinccw'],
    ['glich', 'glitch'],
  ])('to the transition %j is %j', (given, expected) => {
    expect(nearestName(given, transitionNames)).toBe(expected);
  });
});
