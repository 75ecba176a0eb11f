import { describe, expect, test } from 'vitest';
import { parseCaptions } from '../../../../schema/media/captions.ts';
import { vttText } from '../../../../schema/media/subtitles.ts';
import { operations } from '../../../../schema/operations/index.ts';
import { inVoices } from '../../../../transcoder/operations/plan/captions/speakers.ts';
import { failureOf } from '../../../media/operate.ts';
import { letters } from '../../letters/letters.ts';
import { planOf } from '../plan-lines.ts';
import { source } from '../sources.ts';

const [red, green] = ['#ff0000', '#00ff00'];
const word = (text: string, start: number, speaker?: string) => ({
  ...{ text, start, end: start + 0.4 },
  ...(speaker === undefined ? {} : { speaker }),
});
const captions = [
  word('Hello', 0.5, 'Ann'),
  word('Bob.', 1, 'Ann'),
  word('Hi', 1.5, 'Bob'),
  word('there.', 2, 'bob '),
  word('Well', 2.5, 'Cid'),
];
const filesOf = (request: object) =>
  planOf('captions_auto', { captions, ...request }, source, { letters }).plan.steps.flatMap((step) =>
    step.kind === 'text' ? [step.text] : [],
  );

describe('speakers', () => {
  const tintsOf = (colors: string[] | Record<string, string>) =>
    inVoices([{ words: captions.map((one) => ({ ...one, glued: false })), shown: null }], colors)
      .flatMap(({ words }) => words)
      .map(({ tint }) => tint);

  test('get the colors of a list as they begin to speak, and again from the first', () => {
    expect(tintsOf([red, green])).toEqual([red, red, green, green, red]);
  });

  test('get the colors of a map by their names, in any letter case', () => {
    expect(tintsOf({ BOB: red, Dora: green })).toEqual([undefined, undefined, red, red, undefined]);
  });

  test('are never in one caption, and are named in WebVTT and in words', () => {
    const [, vtt = '', json = ''] = filesOf({ outputs: ['vtt', 'words_json'] });
    expect(vtt.split('\n\n').slice(1)).toEqual([
      '00:00:00.500 --> 00:00:01.433\n<v Ann>Hello Bob.</v>',
      '00:00:01.500 --> 00:00:02.433\n<v Bob>Hi</v> <v bob>there.</v>',
      expect.stringContaining('<v Cid>Well</v>'),
    ]);
    expect(JSON.parse(json).words[0]).toEqual({ ...captions[0], confidence: null });
    expect(parseCaptions(vtt)).toMatchObject({ cues: [{ marks: [{ speaker: 'Ann' }] }, {}, {}] });
  });

  test('are named in one line, which a break in WebVTT would end', () => {
    const names = [word('Hi', 0.5, ' Ann\n\n00:00:05.000 --> 00:00:06.000\nLee '), word('there.', 1, 'Bob')];
    const [, vtt = ''] = filesOf({ captions: names, outputs: ['vtt'] });
    expect(vtt).toContain('<v Ann 00:00:05.000 --&gt; 00:00:06.000 Lee>Hi</v>');
  });

  test.each([
    ['clean', '#101018', '&HFFFFFF&'],
    ['paper', '#F0F0F0', '&H000000&'],
    ['pill', '#101018', '&HFFFFFF&'],
    ['typewriter', '#101018', '&HFFFFFF&'],
    ['karaoke', '#101018', '&HFFFFFF&'],
    ['neon', '#101018', '&HFFFFFF&'],
  ])('get an outline in %s if their color %s cannot be read there', (preset, dark, outline) => {
    const [ass = ''] = filesOf({ preset, speaker_colors: { Ann: dark }, outputs: [] });
    const [red, green, blue] = [1, 3, 5].map((at) => dark.slice(at, at + 2));
    expect(ass).toContain(`\\1c&H${blue}${green}${red}&\\3c${outline}`);
  });

  test('keep their color until a word is spoken, and keywords have their own', () => {
    const keywords = [{ text: 'bob', color: green }];
    const [ass = ''] = filesOf({ preset: 'highlight', speaker_colors: [red], keywords, outputs: [] });
    const [first = '', second = ''] = ass.split('\n').filter((line) => line.startsWith('Dialogue'));
    const colors = (line: string) =>
      [
        ...line.matchAll(/1c&H([0-9A-F]{6})&[^}]*\}\{\\fn[^}]*\}|1c&H([0-9A-F]{6})&[^}]*\}(?=[A-Z ])/g),
      ].flatMap(([, one, other]) => one ?? other ?? []);
    expect(colors(first).slice(0, 1)).toEqual(['0AD6FF']);
    expect(second).toContain('1c&H0000FF&');
    expect(second).toContain('1c&H00FF00&');
    expect(second).not.toContain('0AD6FF');
  });

  test('are needed for their colors', async () => {
    const bare = captions.map(({ speaker: _, ...one }) => one);
    const failure = await failureOf((async () => filesOf({ captions: bare, speaker_colors: [red] }))());
    expect(failure.code).toBe('captions_invalid');
    expect(failure.detail).toContain('speaker_colors needs captions that say who speaks');
  });

  test.each<[unknown, string]>([
    [[], 'speaker_colors: Too small'],
    [{}, 'speaker_colors: Give the colors of 1 to 50 speakers.'],
    [{ Ann: 'red' }, 'speaker_colors.Ann: must be a color'],
    ['red', 'speaker_colors: must be a list of 1 to 12 colors'],
  ])('%j is refused', (speaker_colors, message) => {
    const request = { video_url: 'https://media.example.com/a.mp4', captions, speaker_colors };
    const { error } = operations.captions_auto.input.safeParse(request);
    const [issue] = error?.issues ?? [];
    expect(`${issue?.path.join('.')}: ${issue?.message}`).toContain(message);
  });

  test('cannot write tags', () => {
    const marks = [{ from: 0, to: 2, speaker: 'A>\n<b>' }];
    const text = vttText([{ start: 0, end: 1, text: 'Hi', marks }]);
    expect(text).toContain('<v A&gt;\n&lt;b&gt;>Hi</v>');
  });
});

describe('words with a style', () => {
  test('are drawn in it, and the next word as before', () => {
    const styled = [
      { ...word('plain', 0.5), color: red },
      { ...word('loud', 1), bold: false, italic: true },
      word('rest', 1.5),
    ];
    const [ass = '', json = ''] = filesOf({ captions: styled, outputs: ['words_json'] });
    expect(ass).toMatch(/\{\\1c&H0000FF&[^}]*\}\{\\fnInter[^}]*\}plain/);
    expect(ass).toMatch(/\{\\fnInter\\fs[\d.]+\\b0\\i1\}loud\{\\fnInter\\fs[\d.]+\\b1\\i0\} rest/);
    expect(JSON.parse(json).words[1]).toMatchObject({ bold: false, italic: true });
  });
});
