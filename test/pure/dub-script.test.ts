import { describe, expect, it } from 'vitest';
import { operations } from '../../schema/operations/index.ts';
import { parseSubtitles, srtText, vttText } from '../../schema/subtitles.ts';
import { defaultVoice, voices } from '../../schema/voices.ts';
import { captionsOf, linesOf, pronounced, sentencesOf } from '../../transcoder/operations/dub-script.ts';

const video_url = 'https://media.example.com/tour.mp4';
const inputOf = (request: object) => operations.redub_tts.input.parse({ video_url, ...request });

const srt =
  '\uFEFF1\r\n00:00:01,500 --> 00:00:03,000\r\n<i>One</i> line\r\nand another\r\n\r\n2\r\n00:01:00,000 --> 00:01:02,250\r\nTwo\r\n';
const vtt = 'WEBVTT\n\nNOTE not said\n\nintro\n00:01.500 --> 00:03.000 align:start\n<v Ann>One &amp; two\n';

describe('subtitles', () => {
  it('are read from SubRip and WebVTT, without tags, notes and settings', () => {
    expect(parseSubtitles(srt)).toEqual([
      { start: 1.5, end: 3, text: 'One line and another' },
      { start: 60, end: 62.25, text: 'Two' },
    ]);
    expect(parseSubtitles(vtt)).toEqual([{ start: 1.5, end: 3, text: 'One & two' }]);
    expect(parseSubtitles('Plain text. 10:30 is a time.')).toBeNull();
  });

  it('are read again as they were written', () => {
    const cues = [
      { start: 0, end: 1.25, text: 'a & b < c' },
      { start: 3599.9996, end: 3601, text: 'late' },
    ];
    const rounded = [cues[0], { ...cues[1], start: 3600 }];
    expect(parseSubtitles(vttText(cues))).toEqual(rounded);
    expect(parseSubtitles(srtText(cues))?.map(({ start }) => start)).toEqual([0, 3600]);
  });

  it('cannot be broken by what is said', () => {
    const cues = [{ start: 0, end: 1, text: '00:00:05,000 --> 00:00:06,000' }];
    expect(parseSubtitles(srtText(cues))).toHaveLength(1);
    expect(parseSubtitles(vttText(cues))).toHaveLength(1);
  });
});

describe('a script', () => {
  it('is divided into sentences where it is plain', () => {
    expect(sentencesOf('One here. Two there!\n\nThree — “four?”\n* * *')).toEqual([
      'One here.',
      'Two there!',
      'Three — “four?”',
    ]);
    expect(linesOf(inputOf({ script: 'One. Two.' }), 10).map(({ slot }) => slot)).toEqual([null, null]);
  });

  it('keeps the times of captions, and gives segments without an end up to the next one', () => {
    expect(linesOf(inputOf({ script: srt }), 90)[1]).toMatchObject({
      slot: { start: 60, end: 62.25 },
      text: 'Two',
    });
    const segments = [
      { start: 1, text: 'a' },
      { start: 2.5, text: 'b', voice_id: 'slt' },
    ];
    expect(linesOf(inputOf({ segments, voice_id: 'rms' }), 9)).toMatchObject([
      { slot: { start: 1, end: 2.5 }, voiceId: 'rms' },
      { slot: { start: 2.5, end: 9 }, voiceId: 'slt' },
    ]);
  });

  it('is spelled as it is to sound, by whole words', () => {
    const spelled = pronounced('SQL and sqlite: SQL.', { sql: 'sequel', 'C++': 'see plus plus' });
    expect(spelled).toBe('sequel and sqlite: sequel.');
    expect(pronounced('C++ is $1', { 'C++': '$& plus' })).toBe('$& plus is $1');
  });

  it.each([
    [{ script: ' ' }, 'script'],
    [{}, 'script'],
    [
      {
        segments: [
          { start: 2, text: 'a' },
          { start: 1, text: 'b' },
        ],
      },
      'segments',
    ],
    [{ script: 'a', voice_id: 'nobody', provider: 'builtin' }, 'voice_id'],
    [{ script: 'a', bg_source: 'external' }, 'bg_url'],
  ])('that is %j is refused at %s', (request, field) => {
    const parsed = operations.redub_tts.input.safeParse({ video_url, ...request });
    expect(parsed.error?.issues[0]?.path[0]).toBe(field);
  });
});

describe('captions of what is said', () => {
  it('have at most two lines of 42 characters, and together the time of the line', () => {
    const text = 'word '.repeat(60).trim();
    const captions = captionsOf({ start: 2, end: 32, text });
    expect(captions.map((caption) => caption.text.replaceAll('\n', ' ')).join(' ')).toBe(text);
    for (const caption of captions) {
      const rows = caption.text.split('\n');
      expect(rows.length).toBeLessThanOrEqual(2);
      for (const row of rows) expect(row.length).toBeLessThanOrEqual(42);
    }
    expect(captions[0]?.start).toBe(2);
    expect(captions.at(-1)?.end).toBeCloseTo(32, 9);
    for (const [index, { end }] of captions.slice(0, -1).entries())
      expect(captions[index + 1]?.start).toBe(end);
  });
});

describe('the voices', () => {
  it('are named once each, and every engine has one of English', () => {
    expect(new Set(voices.map(({ id }) => id)).size).toBe(voices.length);
    expect(defaultVoice('flite', 'en')?.id).toBe('rms');
    expect(defaultVoice('kokoro', 'en')?.id).toBe('af_heart');
    expect(defaultVoice('espeak_ng', 'de-AT')?.id).toBe('espeak_de');
    expect(defaultVoice('flite', 'de')).toBeUndefined();
  });
});
