import { describe, expect, test } from 'vitest';
import type { EngineId } from '../../../../schema/media/engines.ts';
import { operations } from '../../../../schema/operations/index.ts';
import type { SpeakersHeard } from '../../../../transcoder/model/plan.ts';
import { plannerOf } from '../../../../transcoder/operations/index.ts';
import { namedBy, turnsOf } from '../../../../transcoder/operations/plan/speech/who-speaks.ts';
import { failureOf } from '../../../media/operate.ts';
import { source } from '../sources.ts';

const word = (text: string, start: number, end = start + 0.4, speaker?: string) => ({
  ...{ text, start, end, glued: false },
  ...(speaker === undefined ? {} : { speaker }),
});
const heard = (...turns: [start: number, end: number, speaker: number][]): SpeakersHeard => ({
  engine: 'pyannote',
  turns: turns.map(([start, end, speaker]) => ({ start, end, speaker })),
});
const detect = { speakers: 'detect' } as const;
const namesOf = (words: ReturnType<typeof word>[], speakers: SpeakersHeard | null, asked: object = detect) =>
  namedBy(words, { speakers }, { ...detect, ...asked }, false).map(({ speaker }) => speaker);

describe('a word', () => {
  test('has the speaker who speaks most during it', () => {
    const turns = heard([0, 1.3, 0], [1.2, 2, 1]);
    expect(namesOf([word('one', 0.5), word('two', 1), word('three', 1.1, 1.6)], turns)).toEqual([
      ...['Speaker 1', 'Speaker 1', 'Speaker 2'],
    ]);
  });

  test('between two turns has the nearer one, and far from all none', () => {
    const turns = heard([0, 1, 0], [3, 4, 1]);
    const words = [word('on', 0.5), word('near', 1.5, 1.8), word('nearer', 2.4, 2.8), word('off', 5.1, 5.4)];
    expect(namesOf(words, turns)).toEqual(['Speaker 1', 'Speaker 1', 'Speaker 2', undefined]);
  });

  test('in a long turn with a short one in it has the long one before and after', () => {
    const turns = heard([0, 60, 4], [10, 11, 2]);
    expect(namesOf([word('one', 5), word('yes', 10.1), word('two', 50)], turns)).toEqual([
      ...['Speaker 1', 'Speaker 1', 'Speaker 1'],
    ]);
    expect(
      namesOf(
        [word('one', 5), word('yes', 10.1), word('two', 50)],
        heard([0, 9.9, 4], [10, 11, 2], [12, 60, 4]),
      ),
    ).toEqual([...['Speaker 1', 'Speaker 2', 'Speaker 1']]);
  });

  test('keeps the speaker that it has, and numbers go to the others in the order of their words', () => {
    const turns = heard([0, 1, 3], [1, 2, 1], [2, 3, 0]);
    const words = [word('a', 0.2, 0.6, 'Ann'), word('b', 2.2), word('c', 1.2)];
    expect(namesOf(words, turns)).toEqual(['Ann', 'Speaker 2', 'Speaker 1']);
  });
});

test('a voice that is alone has a name only if the request asks for speakers or their colors', () => {
  const words = [word('one', 0.5), word('two', 1)];
  const alone = heard([0, 2, 0]);
  expect(namesOf(words, alone, { speakers: 'auto' })).toEqual([undefined, undefined]);
  for (const asked of [{ speakers: 2 }, { speakers: 'auto', speaker_colors: ['#ffffff'] }])
    expect(namesOf(words, alone, asked)).toEqual(['Speaker 1', 'Speaker 1']);
  expect(namesOf(words, heard([0, 0.95, 0], [0.95, 2, 1]), { speakers: 'auto' })).toEqual([
    ...['Speaker 1', 'Speaker 2'],
  ]);
  expect(namesOf(words, null, { speakers: 'auto' })).toEqual([undefined, undefined]);
});

test('turns are the words in a row of one speaker, in any letter case', () => {
  const words = [
    ...[word('Hi', 0, 0.4, 'Ann'), word('Bob.', 0.5, 0.9, 'ann'), word('Well,', 1, 1.4, 'Bob')],
    ...[word('hm', 2), word('yes.', 3, 3.4, 'Bob')],
  ];
  expect(turnsOf(words)).toEqual([
    { speaker: 'Ann', start: 0, end: 0.9, text: 'Hi Bob.' },
    { speaker: 'Bob', start: 1, end: 1.4, text: 'Well,' },
    { speaker: 'Bob', start: 3, end: 3.4, text: 'yes.' },
  ]);
  expect(turnsOf([word('hm', 2)])).toEqual([]);
});

describe('the analysis', () => {
  const captions = [{ start: 0, end: 1, text: 'Hi' }];
  const able: EngineId[] = ['pocketsphinx', 'pyannote'];
  const analysesOf = (request: object, engines: EngineId[] = able) => {
    const name = 'captions_auto';
    const input = operations[name].input.parse({ video_url: 'https://media.example.com/a.mp4', ...request });
    const means = { limits: {}, capabilities: {}, engines: new Set(engines) } as never;
    return plannerOf(name)
      .analyses(input, [source], means)
      .flatMap((analysis) =>
        analysis.kind === 'speakers' ? [{ count: analysis.count, needed: analysis.needed }] : [],
      );
  };

  test.each<[object, object[]]>([
    [{}, [{ count: null, needed: false }]],
    [{ speakers: 'detect' }, [{ count: null, needed: true }]],
    [{ speakers: 3 }, [{ count: 3, needed: true }]],
    [{ speakers: 'none' }, []],
    [{ captions }, []],
    [{ captions, speakers: 3 }, [{ count: 3, needed: true }]],
    [{ captions, speaker_colors: ['#ffffff'] }, []],
    [{ captions: 'A script.', speaker_colors: ['#ffffff'] }, [{ count: null, needed: true }]],
  ])('of %j is %j', (request, wanted) => {
    expect(analysesOf(request)).toEqual(wanted);
  });

  test.each<[object, string | null]>([
    [{}, null],
    [{ captions }, null],
    [{ speakers: 'detect' }, '`speakers: detect` needs an engine that tells voices apart'],
    [{ speaker_colors: ['#ffffff'] }, '`speaker_colors` needs an engine that tells voices apart'],
  ])('without an engine of %j is nothing, or refused: %s', async (request, detail) => {
    const found = (async () => analysesOf(request, ['pocketsphinx']))();
    if (detail === null) expect(await found).toEqual([]);
    else expect((await failureOf(found)).detail).toContain(detail);
  });

  test.each([0, 21, 1.5, 'two', 'all', null])('is not asked for with %j', (speakers) => {
    const request = { audio_url: 'https://media.example.com/a.mp3', speakers };
    expect(operations.transcribe.input.safeParse(request).error?.issues[0]?.message).toBe(
      'must be `auto`, `detect`, `none`, or how many people speak, from 1 to 20',
    );
  });
});
