import { describe, expect, test } from 'vitest';
import { parseCaptions } from '../../../../schema/media/captions.ts';
import { operations } from '../../../../schema/operations/index.ts';
import { escaped } from '../../../../transcoder/operations/plan/captions/ass-text.ts';
import { givenPassages } from '../../../../transcoder/operations/plan/captions/parse-input.ts';
import {
  coloring,
  moved,
  passagesOf,
  replacing,
  textOf,
  without,
  wordsOfCue,
} from '../../../../transcoder/operations/plan/captions/words.ts';

describe('captions are read', () => {
  test('as SubRip and WebVTT', () => {
    const srt = '1\r\n00:00:01,500 --> 00:00:02,000\r\nHello <u>there</u>\r\n';
    const vtt = 'WEBVTT\n\n00:01.500 --> 00:02.000 align:start\nHello there\n';
    for (const text of [srt, vtt]) {
      expect(parseCaptions(text)).toEqual({
        kind: 'cues',
        cues: [{ start: 1.5, end: 2, text: 'Hello there' }],
      });
    }
  });

  const wordsOfAll = (text: string) => {
    const read = parseCaptions(text);
    if (!('kind' in read) || read.kind === 'script') throw new Error('not timed');
    return passagesOf(read).flatMap(({ words }) => words.map((word) => [word.text, word.start, word.end]));
  };

  test('with the times of words that WebVTT states', () => {
    const timed = (text: string) => wordsOfAll(`WEBVTT\n\n00:01.000 --> 00:03.000\n${text}\n`);
    const stated = [
      ['so', 1, 1.5],
      ['we', 1.5, 2.25],
      ['go', 2.25, 3],
    ];
    expect(timed('so<00:00:01.500><c> we</c><00:00:02.250><c> go</c>')).toEqual(stated);
    expect(timed('<00:01.000>so <00:01.500>we <00:02.250>go')).toEqual(stated);
    // Words without a time of their own share that of the part; syllables are no words.
    expect(timed('so we<00:02.000> go')).toEqual([
      ['so', 1, 1.5],
      ['we', 1.5, 2],
      ['go', 2, 3],
    ]);
    expect(timed('<00:01.200>o<00:01.400>ver <00:02.000>it')).toEqual([
      ['over', 1.2, 2],
      ['it', 2, 3],
    ]);
    // Times out of order or outside of the caption say nothing.
    expect(
      timed('so<00:00:00.500> we<00:02.000> go<00:01.500> on<00:09.000> it').map(([text]) => text),
    ).toEqual(['so', 'we', 'go', 'on', 'it']);
  });

  test('with the times of karaoke in ASS', () => {
    const sung = (text: string) =>
      wordsOfAll(`[Events]\nDialogue: 0,0:00:01.00,0:00:03.00,Default,,0,0,0,,${text}\n`);
    const stated = [
      ['over', 1, 2],
      ['the', 2, 2.5],
      ['sea', 2.5, 3],
    ];
    expect(sung('{\\k40}o{\\kf60}ver {\\K50}the{\\ko50} sea')).toEqual(stated);
    expect(sung('{\\an8\\k100}over\\N{\\k50}the {\\k900}{\\i1}sea')).toEqual(stated);
    expect(sung('over')).toEqual([['over', 1, 3]]);
  });

  test('once, where YouTube repeats each line above the next one', () => {
    const vtt = [
      'WEBVTT\nKind: captions\nLanguage: en',
      '00:01.000 --> 00:02.990 align:start position:0%\n \nso<00:00:01.500><c> we</c>',
      '00:02.990 --> 00:03.000 align:start position:0%\nso we\n ',
      '00:03.000 --> 00:04.990 align:start position:0%\nso we\ngo<00:00:04.000><c> on</c>',
      '00:04.990 --> 00:05.000 align:start position:0%\ngo on\n ',
    ].join('\n\n');
    expect(wordsOfAll(vtt)).toEqual([
      ['so', 1, 1.5],
      ['we', 1.5, 2.99],
      ['go', 3, 4],
      ['on', 4, 4.99],
    ]);
    expect(wordsOfAll('WEBVTT\n\n00:01.000 --> 00:02.000\n \n2024\n\n00:02.000 --> 00:03.000\non\n')).toEqual(
      [
        ['2024', 1, 2],
        ['on', 2, 3],
      ],
    );
    const meant =
      'WEBVTT\n\n00:01.000 --> 00:02.000\nno\n\n00:02.000 --> 00:03.000\nno\n\n00:03.000 --> 00:04.000\nno\nno\n';
    expect(wordsOfAll(meant)).toHaveLength(4);
  });

  const cue = (text: string) => parseCaptions(`WEBVTT\n\n00:01.000 --> 00:02.000\n${text}\n`);

  test.each<[string, string, object[]]>([
    ['<v Ann>Hi there', 'Hi there', [{ from: 0, to: 8, speaker: 'Ann' }]],
    [
      '<v.loud Ann Lee>Hi</v> and <v Bob &amp; Co>bye',
      'Hi and bye',
      [
        { from: 0, to: 2, speaker: 'Ann Lee' },
        { from: 7, to: 10, speaker: 'Bob & Co' },
      ],
    ],
    [
      '<v Ann>A <b>big <i>red</i></b> <c.first.red>dog',
      'A big red dog',
      [
        { from: 0, to: 2, speaker: 'Ann' },
        { from: 2, to: 6, speaker: 'Ann', bold: true },
        { from: 6, to: 9, speaker: 'Ann', bold: true, italic: true },
        { from: 9, to: 10, speaker: 'Ann' },
        { from: 10, to: 13, speaker: 'Ann', color: '#FF0000' },
      ],
    ],
    [
      '<font color="#12ab9F">one</font> <c.color00ff00>two',
      'one two',
      [
        { from: 0, to: 3, color: '#12ab9F' },
        { from: 4, to: 7, color: '#00ff00' },
      ],
    ],
    ['<ruby>a<rt>b</rt></ruby> <c.unknown>c</c> <01.500>d <v>e', 'a c d e', []],
    ['<ruby>東<rp>(</rp><rt.x>とう</rt><rp>)</rp>京<rt><i>きょう</i></ruby>へ', '東京へ', []],
    ['&rlm;- <b>&lrm;Hi</b>', '\u200f- \u200eHi', [{ from: 3, to: 6, bold: true }]],
    ['&lt;b&gt; 2 </b></i>', '<b> 2', []],
    ['a &#x200F;&amp;rlm; b', 'a \u200f&rlm; b', []],
    ['Hello<br>big<br />wide <BR/> world<br>', 'Hello big wide world', []],
    ['I <3 it, if 1 < 2 and <b>3</b> > 2', 'I <3 it, if 1 < 2 and 3 > 2', [{ from: 22, to: 23, bold: true }]],
    ['Don&#39;t say &quot;caf&eacute;&quot;&hellip; &#x1F600;', 'Don\'t say "café"… 😀', []],
    ['&#0; &#xD800; &#99999999; &unknown; AT&T', '&#0; &#xD800; &#99999999; &unknown; AT&T', []],
  ])('with who says what, and how: %s', (tagged, text, marks) => {
    const wanted = { start: 1, end: 2, text, ...(marks.length > 0 ? { marks } : {}) };
    expect(cue(tagged)).toEqual({ kind: 'cues', cues: [wanted] });
  });

  test.each([
    [
      'a blank line within a text of SubRip',
      '1\n#1 --> #2\nOne\n\ntwo\n\n2\n#3 --> #4\nThree\n\n4\n',
      ['One two', 'Three'],
    ],
    [
      'numbers as texts',
      '1\n#1 --> #2\n42\n#3 --> #4\n43\n\n3\n#5 --> #6\n\n4\n#7 --> #8\n44',
      ['42', '43', '44'],
    ],
    [
      'numbers in texts where no cue has a number',
      '#1 --> #2\nHe is\n42\n\n#3 --> #4\n43\n44\n\n#5 --> #6\nor\n\n45',
      ['He is 42', '43 44', 'or 45'],
    ],
    [
      'numbers of cues, though the first one has lost its own',
      '#1 --> #2\nHe is\n42\n\n2\n#3 --> #4\n43',
      ['He is 42', '43'],
    ],
    [
      'lines that are blank but for a space',
      'WEBVTT\n\n#1 --> #2\n \nOne\n \n\n#3 --> #4\nTwo',
      ['One', 'Two'],
    ],
    [
      'WebVTT with blocks of its own',
      'WEBVTT\n\n#1 --> #2\nOne\n\nNOTE\nnot said\n\n7\n#3 --> #4\nTwo',
      ['One', 'Two'],
    ],
  ])('with %s', (_, drawn, texts) => {
    const parsed = parseCaptions(drawn.replace(/#(\d)/g, '00:00:0$1.000'));
    if (!('cues' in parsed)) return expect.unreachable();
    expect(parsed.cues.map(({ text }) => text)).toEqual(texts);
  });

  test('as words that have the style of their part of a caption', () => {
    const parsed = cue('<v Ann>the <b>the</b></v>, 今日は<i>街</i>');
    if (!('cues' in parsed)) return expect.unreachable();
    const words = parsed.cues
      .flatMap(wordsOfCue)
      .map(({ text, speaker, bold, italic }) => ({ text, speaker, bold, italic }));
    expect(words).toEqual([
      { text: 'the', speaker: 'Ann' },
      { text: 'the,', speaker: 'Ann', bold: true },
      { text: '今日' },
      { text: 'は' },
      { text: '街', italic: true },
    ]);
    const [, second] = parsed.cues.flatMap(wordsOfCue);
    expect(replacing([{ from: 'the', to: 'one two' }])(second ? [second] : [])).toMatchObject([
      { text: 'one', speaker: 'Ann', bold: true },
      { text: 'two,', speaker: 'Ann', bold: true },
    ]);
  });

  test('as words with times, alone or in the document that we write', () => {
    const words = [
      { start: 1, end: 1.5, text: 'there' },
      { start: 0.5, end: 1, text: 'Hello' },
    ];
    for (const value of [words, { language: 'en', words }]) {
      expect(parseCaptions(JSON.stringify(value))).toEqual({ kind: 'words', words: words.toReversed() });
    }
  });

  test('as texts with times, which are divided into words', () => {
    const style = { color: '#ff0000', speaker: 'Ann', confidence: 0.5 };
    const [passage] = passagesOf({
      kind: 'words',
      words: [
        { start: 0, end: 2, text: ' Hello there ', ...style },
        { start: 2, end: 3, text: ' ' },
        { start: 3, end: 4, text: '今日は街を歩いてみましょうか' },
        { start: 4, end: 5, text: '今日は' },
      ],
    });
    const words = passage?.words ?? [];
    expect(words.slice(0, 2)).toEqual([
      { ...style, text: 'Hello', start: 0, end: 1, glued: false },
      { ...style, text: 'there', start: 1, end: 2, glued: false },
    ]);
    expect(words.length).toBeGreaterThan(5);
    expect(
      words
        .slice(2, -1)
        .map(({ text }) => text)
        .join(''),
    ).toBe('今日は街を歩いてみましょうか');
    expect(words.at(-1)).toMatchObject({ text: '今日は', start: 4, end: 5 });
    const blank = () => passagesOf({ kind: 'words', words: [{ start: 0, end: 1, text: '\t' }] });
    expect(blank).toThrow('no letters');
  });

  test('as a plain script, even one that begins with a bracket', () => {
    expect(parseCaptions('Hello there.')).toEqual({ kind: 'script', text: 'Hello there.' });
    expect(parseCaptions('[Music] Hello.')).toMatchObject({ kind: 'script' });
  });

  test.each([
    ['nothing', '   '],
    ['JSON that is cut off', '[{"start": 1, "end": 2, "text": "a"'],
    ['words without times', '[{"text": "a"}]'],
    ['a word that ends before it begins', '[{"start": 2, "end": 1, "text": "a"}]'],
    ['WebVTT without cues', 'WEBVTT\n\nNOTE nothing\n'],
    ['ASS without events', '[Script Info]\nScriptType: v4.00+\n'],
    [
      'cues of spaces and marks of direction alone',
      '1\n00:00:01,000 --> 00:00:02,000\n&nbsp; <i>&rlm;</i>\n',
    ],
    ['cues that end before they begin', '1\n00:00:02,000 --> 00:00:01,000\nBack\n'],
  ])('but not as %s: the answer names the field', (_, captions) => {
    const request = { video_url: 'https://media.example.com/a.mp4', captions };
    const { error } = operations.captions_auto.input.safeParse(request);
    expect(error?.issues.map(({ path }) => path)).toEqual([['captions']]);
  });
});

test('what a caller writes cannot be read as a tag of ASS', () => {
  const text = escaped('{\\b1}loud\\N\nnew\\h{\\p1}m 0 0');
  expect(text).not.toMatch(/(?<!\\)[{}]/);
  expect(text).not.toMatch(/\\[^{}\u2060]/);
  expect(text).not.toContain('\n');
});

describe('words are changed', () => {
  const words = wordsOfCue({ start: 0, end: 4, text: 'I use kuber netties, daily. Kuber netties!' });

  test('by replacements of one word or more, punctuation kept', () => {
    const changed = replacing([
      { from: 'kuber netties', to: 'Kubernetes' },
      { from: 'I', to: 'We' },
      { from: 'daily', to: '' },
    ])(words);
    expect(textOf(changed)).toBe('We use Kubernetes, Kubernetes!');
    expect(changed[2]).toMatchObject({ start: words[2]?.start, end: words[3]?.end });
  });

  test.each([
    ['हिन्दी, बोलो', 'हिन्दी', 'अंग्रेज़ी', 'अंग्रेज़ी, बोलो'],
    ['का की के', 'का', 'x', 'x की के'],
    ['ที่นี่', 'ที่', 'x', 'xนี่'],
    ['caf\u0065\u0301!', 'caf\u00e9', 'tea', 'tea!'],
  ])('by replacements whose letters have marks: %s', (text, from, to, expected) => {
    const marked = wordsOfCue({ start: 0, end: 4, text });
    expect(textOf(replacing([{ from, to }])(marked))).toBe(expected);
  });

  test.each([
    ['50 % mehr', '50 %', 'fifty percent', 'fifty percent mehr'],
    ['50 € mehr, 50', '50 %', 'fifty percent', '50 € mehr, 50'],
    ['one & more', '& more', 'and so on', 'one and so on'],
    ['R & D + %', '&', 'and', 'R and D + %'],
    ['“50 %, 50!', '50', 'fifty', '“fifty %, fifty!'],
  ])('by replacements with signs: %s', (text, from, to, expected) => {
    const words = wordsOfCue({ start: 0, end: 4, text });
    expect(textOf(replacing([{ from, to }])(words))).toBe(expected);
    // As they are recognized, with the sign of a word.
    const heard = text
      .split(/ (?![&%+€])/)
      .map((each, at) => ({ text: each, start: at, end: at + 1, glued: false, confidence: 0.5 }));
    expect(textOf(replacing([{ from, to }])(heard))).toBe(expected);
    expect(textOf(coloring([{ text: from, color: '#ff0000' }])(heard))).toBe(text);
  });

  test('by ranges that are left out', () => {
    expect(textOf(without(words, [{ start: 0, end: words[2]?.start ?? 0 }]))).toBe(
      'kuber netties, daily. Kuber netties!',
    );
  });
});

describe('captions of a source are moved', () => {
  const passage = (start: number, end: number, text: string) => ({
    words: wordsOfCue({ start, end, text }),
    shown: { start, end },
  });

  test('to where its seconds are in the output, cut at its edges, and twice where it is shown twice', () => {
    const passages = [passage(0, 2, 'One two'), passage(4, 5, 'Three')];
    const map = [
      { source: 0, in: [4, 6] as [number, number], out: [0, 1] as [number, number] },
      { source: 1, in: [0, 9] as [number, number], out: [1, 10] as [number, number] },
      { source: 0, in: [1, 6] as [number, number], out: [10, 15] as [number, number] },
    ];
    const found = moved(passages, map, 0);
    expect(found.map(({ words, shown }) => [textOf(words), shown])).toEqual([
      ['Three', { start: 0, end: 0.5 }],
      ['two', { start: 10, end: 11 }],
      ['Three', { start: 13, end: 14 }],
    ]);
    expect(moved(passages, map, 2)).toEqual([]);
  });

  test.each([
    [[], 0, 'plays no source'],
    [[0], 5, 'does not play source 5, which time_map_source names. It plays source 0.'],
    [[2, 0, 2], 1, 'does not play source 1, which time_map_source names. It plays the sources 0, 2.'],
  ])('not by a task that plays the sources %j and not the source %i', (shown, time_map_source, detail) => {
    const map = shown.map((source) => ({
      source,
      in: [0, 9] as [number, number],
      out: [0, 9] as [number, number],
    }));
    const captions = [{ start: 1, end: 2, text: 'Hello' }];
    const input = { captions, time_map_task: 'task_0', time_map_source };
    expect(() => givenPassages(input, { texts: [], timeMaps: [map] })).toThrow(detail);
  });

  test('not by a task that plays their source backwards', () => {
    const map = [{ source: 0, in: [9, 0] as [number, number], out: [0, 9] as [number, number] }];
    const captions = [{ start: 1, end: 2, text: 'Hello' }];
    const input = { captions, time_map_task: 'task_0', time_map_source: 0 };
    expect(() => givenPassages(input, { texts: [], timeMaps: [map] })).toThrow('plays source 0 backwards');
  });
});

test.each([
  [['你', '好，', '世界'], '你好，世界'],
  [['Hello', '世界', 'and', 'you'], 'Hello 世界 and you'],
  [['สวัสดี', 'ครับ'], 'สวัสดีครับ'],
  [['안녕', '세상'], '안녕 세상'],
])('words with times are joined as their script joins them: %j', (texts, joined) => {
  const words = texts.map((text, at) => ({ start: at, end: at + 1, text }));
  expect(textOf(passagesOf({ kind: 'words', words })[0]?.words ?? [])).toBe(joined);
});
