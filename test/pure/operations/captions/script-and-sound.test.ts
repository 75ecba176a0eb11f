import { describe, expect, test } from 'vitest';
import { piecesOf } from '../../../../transcoder/engines/speech/pieces.ts';
import { posteriorsOf, wordsOfLine } from '../../../../transcoder/engines/speech/pocketsphinx.ts';
import { wordsOfTokens } from '../../../../transcoder/engines/speech/recognized.ts';
import { alignScript, bandOf, shared } from '../../../../transcoder/engines/speech/script-align.ts';
import { checkSpoken, scriptWords, spokenOf } from '../../../../transcoder/engines/speech/script-words.ts';
import { words } from '../../../../transcoder/media/analyses/transcribe.ts';

describe('a script is matched with what was heard', () => {
  test('numbers and signs are spelled as they are read', () => {
    expect(spokenOf('$1,200.50!')).toEqual('one thousand two hundred point five zero dollars'.split(' '));
    expect(spokenOf('1984')).toEqual(['nineteen', 'eighty', 'four']);
    expect(spokenOf('2005')).toEqual(['two', 'thousand', 'five']);
    expect(spokenOf('25%')).toEqual(['twenty', 'five', 'percent']);
    expect(spokenOf('well-known')).toEqual(['well', 'known']);
    expect(spokenOf('Dr.')).toEqual(['doctor']);
    expect(spokenOf('don’t')).toEqual(["don't"]);
    expect(spokenOf('constructor')).toEqual(['constructor']);
    expect(scriptWords('Yes — really …').map(({ text }) => text)).toEqual(['Yes —', 'really …']);
  });

  test('with the least difference', async () => {
    const matches = await alignScript(['a', 'b', 'c', 'd'], ['a', 'x', 'c', 'y', 'd']);
    expect(matches.map((match) => match && [match.heard, match.same])).toEqual([
      [0, true],
      [1, false],
      [2, true],
      [4, true],
    ]);
    expect((await alignScript(['a', 'b', 'c'], ['a', 'c']))[1]).toBeNull();
    expect(await alignScript([], ['a'])).toEqual([]);
  });

  test('a part of a long speech with all of it', async () => {
    const heard = Array.from({ length: 9000 }, (_, index) => `w${index}`);
    const matches = await alignScript(heard.slice(6000, 9000), heard);
    expect(matches.map((match) => match?.heard)).toEqual(Array.from({ length: 3000 }, (_, at) => 6000 + at));
  });

  test('a long script, while others have their turn', async () => {
    const heard = Array.from({ length: 4000 }, (_, index) => `w${index % 900}`);
    const script = Array.from({ length: 9000 }, (_, index) => `w${index % 901}`);
    const turns: number[] = [];
    const clock = setInterval(() => turns.push(performance.now()), 20);
    const cells = await alignScript(script, heard).finally(() => clearInterval(clock));
    expect(cells).toHaveLength(script.length);
    // Without a pause there is none, however slow the machine is.
    expect(turns.length).toBeGreaterThan(5);
    const stop = new AbortController();
    const stopped = alignScript(script, heard, stop.signal);
    stop.abort(new Error('the task is over'));
    await expect(stopped).rejects.toThrow('the task is over');
  });

  test.each([
    [60_000, 60_000, 1500],
    [3000, 9000, 6000],
    [120_000, 60_000, 833],
    [4_000_000, 60_000, 25],
    [1, 60_000, 60_000],
  ])('%i words with %i, in a band that fits into memory', (rows, columns, band) => {
    expect(bandOf(rows, columns)).toBe(band);
    expect(rows * 2 * band).toBeLessThanOrEqual(200_000_000);
  });

  test('not if it is read as more words than anybody says', async () => {
    const digits = (words: number) => Array.from({ length: words }, () => '7'.repeat(1000)).join(' ');
    expect(() => checkSpoken(scriptWords(digits(120)))).not.toThrow();
    expect(() => checkSpoken(scriptWords(digits(121)))).toThrow('121,000 words as it is read aloud');
    const asked = { kind: 'words' as const, script: digits(121) };
    // Refused before any sound is read.
    const heard = words({} as never, asked as never, {} as never, {} as never);
    await expect(heard).rejects.toThrow('At most 120,000');
  });

  test('and divided among pieces where sentences end', async () => {
    const heard = ['a', 'b', 'q', 'e', 'f'].map((text, index) => ({
      ...{ text, start: index, end: index + 1, piece: index < 2 ? 0 : 1, confidence: null },
    }));
    const matches = await alignScript(
      ['a', 'b', 'c', 'd', 'e', 'f'],
      heard.map(({ text }) => text),
    );
    expect(shared(matches, heard, (word) => word === 2)).toEqual([
      { piece: 0, from: 0, to: 3 },
      { piece: 1, from: 3, to: 6 },
    ]);
  });

  test('the output of pocketsphinx gives times of the sound, without fillers', () => {
    const line = '1 S 0 T -68 A -61 L -67 0 -2 -33 <sil> 15 -24 0 the(2) 33 -38 0 [NOISE] 64 -47 0 quick 110';
    expect(
      wordsOfLine(
        line,
        [
          { from: 0, to: 9 },
          { from: 200, to: 400 },
        ],
        posteriorsOf('0 1 0.15 0.17 the 0.900\n1 1 0.15 0.17 the 0.412\n'),
      ),
    ).toEqual([
      1,
      [
        { text: 'the', start: 2.15, end: 2.33, piece: 1, confidence: 0.412 },
        { text: 'quick', start: 2.64, end: 3.1, piece: 1, confidence: null },
      ],
    ]);
    expect(wordsOfLine('', [], new Map())).toEqual([0, []]);
  });

  test('tokens of a transducer are joined to words', () => {
    const token = (text: string, start: number, probability: number | null) => ({
      ...{ text, start, end: start + 0.125, probability },
    });
    const tokens = [
      token(' Hel', 0.125, 0.5),
      token('lo', 0.25, 0.75),
      token('▁wor', 0.5, 0.5),
      token('ld', 0.625, 1),
      token('.', 0.75, 0.25),
      token(' so', 0.875, 0.5),
      token('on', 1, null),
    ];
    expect(wordsOfTokens({ tokens })).toEqual([
      { text: 'Hello', start: 0.125, end: 0.375, piece: 0, confidence: 0.375 },
      { text: 'world.', start: 0.5, end: 0.875, piece: 0, confidence: 0.5 },
      { text: 'soon', start: 0.875, end: 1.125, piece: 0, confidence: null },
    ]);
  });

  test.each([' ', '▁'])('a token of %j alone begins a word, also after a pause', (space) => {
    const token = (text: string, start: number) => ({ text, start, end: start + 0.25, probability: 1 });
    const tokens = [
      token(' the', 1),
      token(space, 1.25),
      token('Z', 1.5),
      token('oo', 1.75),
      token(space, 20),
    ];
    const words = wordsOfTokens({ tokens: [...tokens, token('7', 20.25), token(' is', 21)] });
    expect(words.map(({ text, start, end }) => [text, start, end])).toEqual([
      ['the', 1, 1.25],
      ['Zoo', 1.5, 2],
      ['7', 20.25, 20.5],
      ['is', 21, 21.25],
    ]);
  });
});

describe('sound is cut at silences', () => {
  const sound = (...parts: [number, number][]) =>
    Float32Array.from(
      parts.flatMap(([seconds, level]) => Array.from({ length: seconds * 100 }, () => level)),
    );

  test('with a little around what is heard', () => {
    expect(piecesOf(sound([1, 0.0001], [2, 0.1], [1, 0.0001], [2, 0.1], [1, 0.0001]))).toEqual([
      { from: 80, to: 320 },
      { from: 380, to: 620 },
    ]);
    expect(piecesOf(sound([3, 0]))).toEqual([]);
  });

  test('however little of the sound is speech', () => {
    expect(piecesOf(sound([200, 0], [4, 0.1], [200, 0]))).toEqual([{ from: 19_980, to: 20_420 }]);
    expect(piecesOf(sound([200, 0], [0.05, 0.1], [200, 0]))).toEqual([]);
  });

  test('into pieces of at most 28 seconds', () => {
    const pieces = piecesOf(sound([1, 0.0001], [20, 0.1], [0.3, 0.01], [30, 0.1], [1, 0.0001]));
    expect(pieces.length).toBeGreaterThan(1);
    for (const { from, to } of pieces) expect(to - from).toBeLessThanOrEqual(2800);
    expect(pieces[0]?.to).toBeGreaterThan(2090);
    expect(pieces[0]?.to).toBeLessThan(2140);
  });
});
