import { describe, expect, it } from 'vitest';
import { pronounced } from '../../../schema/media/spoken-text.ts';
import { parseSubtitles, srtText, vttText } from '../../../schema/media/subtitles.ts';
import { defaultVoice, voices } from '../../../schema/media/voices.ts';
import { operations } from '../../../schema/operations/index.ts';
import { lengthOf } from '../../../transcoder/operations/plan/captions/line-breaking.ts';
import {
  captionsOf,
  linesOf,
  readScript,
  sentencesOf,
  unsaidOf,
} from '../../../transcoder/operations/redub/script.ts';

const video_url = 'https://media.example.com/tour.mp4';
const inputOf = (request: object) => operations.redub_tts.input.parse({ video_url, ...request });

const srt =
  '\uFEFF1\r\n00:00:01,500 --> 00:00:03,000\r\n<i>One</i> line\r\nand another\r\n\r\n2\r\n00:01:00,000 --> 00:01:02,250\r\nTwo\r\n';
const vtt = 'WEBVTT\n\nNOTE not said\n\nintro\n00:01.500 --> 00:03.000 align:start\n<v Ann>One &amp; two\n';

describe('subtitles', () => {
  it('are read from SubRip and WebVTT, without tags, notes and settings', () => {
    expect(parseSubtitles(srt)).toEqual([
      { start: 1.5, end: 3, text: 'One line and another', marks: [{ from: 0, to: 3, italic: true }] },
      { start: 60, end: 62.25, text: 'Two' },
    ]);
    expect(parseSubtitles(vtt)).toEqual([
      { start: 1.5, end: 3, text: 'One & two', marks: [{ from: 0, to: 9, speaker: 'Ann' }] },
    ]);
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
    expect(sentencesOf('One here. “Really?” Yes! Well… Two there!\n\nThree — “four?”\n* * *')).toEqual([
      { text: 'One here.', pause: 0.45 },
      { text: '“Really?”', pause: 0.55 },
      { text: 'Yes!', pause: 0.55 },
      { text: 'Well… Two there!', pause: 0.8 },
      { text: 'Three — “four?”', pause: 0.8 },
    ]);
    expect(linesOf(inputOf({ script: 'One. Two.' }), 10).map(({ slot }) => slot)).toEqual([null, null]);
  });

  it.each([
    ['Dr. Müller met Mr. Smith and J. R. R. Tolkien. They left.', 2],
    ['Am 3. Mai und am 1. Juni kosten 2 kg 3 €. Gut.', 2],
    ['Der 2. Weltkrieg, z. B. im Mai.', 1],
    ['See No. 5 on Jan. 5. No. I left in Jan. She stayed.', 4],
    ['I came in as No. 3. Then I left at 5 p.m. Good.', 3],
  ])('is not divided after abbreviations, initials and ordinals: %s', (text, count) => {
    expect(sentencesOf(text)).toHaveLength(count);
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

  it('leaves captions without a duration out that begin at the end of the video, unless there are no others', () => {
    const cue = (start: number, end: number) => `00:00:${start},000 --> 00:00:${end},000\nAt ${start}\n`;
    const said = (...cues: string[]) =>
      linesOf(inputOf({ script: cues.join('\n') }), 30).map(({ text }) => text);
    expect(said(cue(10, 12), cue(29, 29), cue(30, 30), cue(31, 31))).toEqual(['At 10', 'At 29']);
    expect(said(cue(10, 12), cue(30, 31))).toEqual(['At 10', 'At 30']);
    expect(said(cue(30, 30))).toEqual(['At 30']);
  });

  it('is spelled as it is to sound, by whole words', () => {
    const spelled = pronounced('SQL and sqlite: SQL.', { sql: 'sequel', 'C++': 'see plus plus' });
    expect(spelled).toBe('sequel and sqlite: sequel.');
    expect(pronounced('C++ is $1', { 'C++': '$& plus' })).toBe('$& plus is $1');
  });

  it.each([
    ['vowel signs are part of a word', 'रामायण राम', { राम: 'X' }, 'रामायण X'],
    ['accents too', 'cafe\u0301s cafe\u0301', { 'caf\u00e9': 'X' }, 'caf\u00e9s X'],
    ['in capitals of Greek', 'ΟΔΟΣ, οδος, οδός', { ΟΔΟΣ: 'X' }, 'X, X, οδός'],
    ['next to an emoji', '❤️sql', { '❤': 'love ', sql: 'sequel' }, 'love \uFE0Fsequel'],
  ])('is spelled by whole words: %s', (_, text, pronunciations, expected) => {
    expect(pronounced(text, pronunciations)).toBe(expected);
  });

  it.each(['...', '♪♪', '🎬', '—', '!?', '$', '&', '\u200B', '\u200B\uFEFF\u00AD', ' '])(
    'that is %j has nothing to say, in whichever form',
    (text) => {
      const issuesOf = (request: object) => operations.redub_tts.input.safeParse({ video_url, ...request });
      const second = { start: 2, text };
      for (const [request, path] of [
        [{ script: text }, ['script']],
        [{ script: `1\n00:00:01,000 --> 00:00:02,000\n${text} <i></i>\n` }, ['script']],
        [
          { script: `WEBVTT\n\n00:01.000 --> 00:02.000\n${text} x\n`, pronunciations: { x: '-' } },
          ['script'],
        ],
        [{ segments: [{ start: 1, text: 'a' }, second] }, ['segments', 1, 'text']],
      ] as const) {
        const [issue] = issuesOf(request).error?.issues ?? [];
        expect(issue?.path).toEqual(path);
      }
    },
  );

  it('is said where it is spelled out, and without those of its captions that have nothing to say', () => {
    const spelled = inputOf({ script: '$', pronunciations: { $: 'dollar' } });
    expect(linesOf(spelled, 10).map(({ text }) => text)).toEqual(['$']);
    const cue = (at: number, text: string) => `00:0${at}.000 --> 00:0${at}.500\n${text}\n\n`;
    const song = inputOf({
      script: `WEBVTT\n\n${cue(1, '♪♪')}${cue(2, 'One')}${cue(3, '...')}${cue(4, '2')}`,
    });
    expect(linesOf(song, 10).map(({ text }) => text)).toEqual(['One', '2']);
    expect(unsaidOf(song).map(({ start }) => start)).toEqual([1, 3]);
    expect(unsaidOf(spelled)).toEqual([]);
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
    [{ segments: [{ start: 0, text: 'a', voice_id: 'unknown' }], provider: 'builtin' }, 'segments'],
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

describe('captions of a language without spaces', () => {
  it('have at most two lines of 42 columns', () => {
    const text = '今天我们要讲的是如何把一段很长的视频剪成几个短片'.repeat(4);
    const captions = captionsOf({ start: 0, end: 40, text });
    expect(captions.map((caption) => caption.text.replaceAll('\n', '')).join('')).toBe(text);
    for (const caption of captions) {
      const rows = caption.text.split('\n');
      expect(rows.length).toBeLessThanOrEqual(2);
      for (const row of rows) expect(lengthOf(row)).toBeLessThanOrEqual(42);
    }
  });
});

describe('a plain text', () => {
  it('of more sentences than a result can list is refused before anything is spoken', () => {
    expect(() => readScript('Hi! '.repeat(25_000), {})).toThrow(
      'script: The text has 25000 sentences; at most 5000 are allowed. Divide it into several requests.',
    );
    expect(readScript('Hi! '.repeat(5000), {})).toMatchObject({ kind: 'sentences' });
  });
});

describe('the voices', () => {
  it('are named once each, and every engine has one of English', () => {
    expect(new Set(voices.map(({ id }) => id)).size).toBe(voices.length);
    expect(defaultVoice('flite', 'en')?.id).toBe('rms');
    expect(defaultVoice('kokoro', 'en')?.id).toBe('af_heart');
    expect(defaultVoice('kokoro', 'en-GB')?.id).toBe('bf_alice');
    expect(defaultVoice('kokoro', 'pt')?.id).toBe('pf_dora');
    expect(defaultVoice('kokoro', 'ja')).toBeUndefined();
    expect(defaultVoice('workers_ai_tts', 'en-GB')?.id).toBe('aura_luna');
    expect(defaultVoice('workers_ai_tts', 'es')?.id).toBe('aura_aquila');
    expect(defaultVoice('espeak_ng', 'de-AT')?.id).toBe('espeak_de');
    expect(defaultVoice('flite', 'de')).toBeUndefined();
  });

  it.each([
    ['nb', 'nb'],
    ['no', 'nb'],
    ['nb-NO', 'nb'],
    ['no-NO', 'nb'],
    ['zh', 'cmn'],
    ['zh-CN', 'cmn'],
    ['zh-Hans', 'cmn'],
    ['zh-Hant-TW', 'cmn'],
    ['cmn', 'cmn'],
    ['zh-HK', 'yue'],
    ['zh-Hant-HK', 'yue'],
    ['zh-yue', 'yue'],
    ['yue', 'yue'],
    ['iw', 'he'],
    ['in', 'id'],
    ['de-AT', 'de'],
    ['pt', 'pt'],
    ['pt-BR', 'pt-br'],
    ['pt-PT', 'pt'],
    ['en', 'en-us'],
    ['en-GB', 'en-gb'],
    ['es-419', 'es-419'],
  ])('of %s are those of %s', (language, voice) => {
    expect(inputOf({ script: 'a', language }).language).toBe(language);
    expect(defaultVoice('espeak_ng', language)?.id).toBe(`espeak_${voice}`);
  });

  it.each(['', 'EN us', 'en-1', 'en-12', 'english'])('are not asked for by the tag %j', (language) => {
    const asked = operations.redub_tts.input.safeParse({ video_url, script: 'a', language });
    expect(asked.error?.issues[0]?.path).toEqual(['language']);
  });
});
