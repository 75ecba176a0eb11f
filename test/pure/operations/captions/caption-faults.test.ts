import { describe, expect, test } from 'vitest';
import { captionFault } from '../../../../schema/media/caption-faults.ts';
import { parseCaptions } from '../../../../schema/media/captions.ts';
import { operations } from '../../../../schema/operations/index.ts';
import { TaskFailure } from '../../../../transcoder/model/task-failure.ts';
import { readCaptions } from '../../../../transcoder/operations/plan/captions/parse-input.ts';
import { readScript } from '../../../../transcoder/operations/redub/script.ts';

const good = '1\n00:00:01,000 --> 00:00:02,000\nHello\n\n2\n00:00:03,000 --> 00:00:04,000\nthere\n';

/** Texts that mean to be captions, and where they are wrong. */
const broken: [name: string, text: string, told: string][] = [
  [
    'the segments of Whisper',
    '{"text": "Hi there", "segments": [{"id": 0, "start": 0, "end": 1, "text": " Hi there"}]}',
    'The JSON has `segments` in place of words. Give words as [{"start": 0.5',
  ],
  [
    'no words in a caption',
    '1\n00:00:01,000 --> 00:00:02,000\n<i> </i>\n',
    'no caption that has words and does not end before it begins',
  ],
  ['an arrow of one dash', good.replace('01,000 -->', '01,000 ->'), 'Line 2 is not a valid timing'],
  [
    'an arrow of one dash in the second',
    good.replace('03,000 -->', '03,000 ->'),
    'Line 6 is not a valid timing',
  ],
  ['all arrows of one dash', good.replaceAll('-->', '->'), 'Line 2'],
  ['a dash in place of the arrow', good.replaceAll('-->', '-'), 'Line 2'],
  ['a long dash', good.replaceAll('-->', '–'), 'Line 2'],
  ['an escaped arrow', good.replaceAll('-->', '--&gt;'), 'Line 2'],
  ['no fractions', good.replaceAll(',000', ''), 'Line 2'],
  ['an end that is missing', good.replace(' 00:00:02,000', ''), 'Line 2'],
  ['letters in a time', good.replace('00:00:03', '00:OO:03'), 'Line 6'],
  ['a start alone', good.replaceAll(/ --> .*/g, ''), 'Line 2'],
  ['an end before its start', good.replace('04,000', '02,000'), 'Line 6 ends before it begins'],
  [
    'a caption without a timing',
    good.replace('00:00:03,000 --> 00:00:04,000\n', ''),
    'Line 6 must be the timing of caption 2',
  ],
  ['YouTube SBV', '0:00:01.000,0:00:02.000\nHello\n', 'Line 1'],
  ['WebVTT with a broken timing', 'WEBVTT\n\n00:01.000 -> 00:02.000\nHello\n', 'Line 3'],
  ['WebVTT without cues', 'WEBVTT\n\nHello', 'no cues'],
  [
    'ASS with a broken time',
    '[Script Info]\n[Events]\nDialogue: 0,0:00:01,0:00:02.00,Default,,0,0,0,,Hi',
    'Line 3',
  ],
  ['ASS without its head', 'Dialogue: 0,now,later,Default,,0,0,0,,Hi', 'Line 1'],
  ['LRC', '[00:12.00]First line\n[00:15.30]Second', 'LRC'],
  ['TTML', '<?xml version="1.0"?>\n<tt xmlns="http://www.w3.org/ns/ttml">', 'TTML'],
  ['a web page', '<!DOCTYPE html><html><body>Not found', 'a web page (HTML)'],
  ['MicroDVD', '{0}{25}Hello', 'MicroDVD'],
  ['JSON that is broken', '[{"start": 1, "end": 2, "text": "Hi"', 'JSON'],
  ['JSON of another kind', '{"error": "not found"}', 'Give words as'],
];

const plain = [
  'Dialogue: a talk between two people, on stage\nHello there',
  'Welcome to the tour. This is the harbour.',
  'Agenda\n10:30 - 11:00 Welcome\n11:00–12:00 Talks',
  'The train leaves at 10:30, and at 11:15 --> if it is late.',
  'Press a -> b, then c --> d.',
  'Chapter 1\n\n2\n\nThe end, at 00:00.',
  '[Applause] Thank you.',
  '{laughs} Thank you.',
];

const codeOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    return error instanceof TaskFailure ? [error.code, error.message] : [String(error)];
  }
  return ['read'];
};

describe('a text that means to be captions and is broken', () => {
  test.each(broken)('by %s is refused with its line, as captions and as a script', (_, text, told) => {
    for (const read of [() => readCaptions(text, 'captions'), () => readScript(text, {})]) {
      const [code, detail] = codeOf(read);
      expect(code).toBe('captions_invalid');
      expect(detail).toContain(told);
    }
    const request = { video_url: 'https://media.example.com/a.mp4' };
    for (const [name, field] of [
      ['redub_tts', 'script'],
      ['captions_auto', 'captions'],
    ] as const) {
      const parsed = operations[name].input.safeParse({ ...request, [field]: text });
      expect(parsed.error?.issues[0]?.path, name).toEqual([field]);
    }
  });

  test.each(['\r\n', '\r'])('is told by the same line whatever ends its lines', (end) => {
    expect(captionFault(good.replace('03,000 -->', '03,000 ->').replaceAll('\n', end))).toContain('Line 6');
  });
});

test.each(plain)('a script such as %j is no broken captions', (text) => {
  expect(captionFault(text)).toBeNull();
  expect(parseCaptions(text)).toMatchObject({ kind: 'script' });
});

test.each(['; made by hand\n[Script Info]\n[Events]\n', '[V4+ Styles]\nStyle: A\n\n[Events]\n'])(
  'ASS is known by its events, whatever it begins with: %j',
  (head) => {
    const text = `${head}Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Hello`;
    expect(parseCaptions(text)).toMatchObject({ kind: 'cues', cues: [{ start: 1, text: 'Hello' }] });
  },
);

test('events of ASS without their section are no script', () => {
  const text = 'Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Hello';
  expect(parseCaptions(text)).toEqual({ problem: expect.stringContaining('no caption') });
});

test('words of an SRT file can be given back, however long they are', () => {
  const text = `https://example.com/${'a'.repeat(300)}`;
  expect(parseCaptions(JSON.stringify([{ start: 1, end: 2, text }]))).toMatchObject({ kind: 'words' });
});

test('captions without faults are read', () => {
  expect(parseCaptions(good)).toMatchObject({ kind: 'cues', cues: [{}, {}] });
  const vtt =
    'WEBVTT\n\nNOTE 12\n\n7\n00:01.000 --> 00:02.000 align:start\nHello\n\n8\n1:00:03.000 --> 1:00:04.000\nthere\n';
  expect(parseCaptions(vtt)).toMatchObject({ kind: 'cues', cues: [{}, {}] });
  const event = good.replace('Hello', 'Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,Hi');
  expect(parseCaptions(event)).toMatchObject({ kind: 'cues', cues: [{}, { text: 'there' }] });
  const numbers = '1\n00:00:01,000 --> 00:00:02,000\n42\n\n2\n00:00:03,000 --> 00:00:04,000\n1999\n';
  expect(parseCaptions(numbers)).toMatchObject({ kind: 'cues', cues: [{ text: '42' }, { text: '1999' }] });
});
