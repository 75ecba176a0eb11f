import { describe, expect, test } from 'vitest';
import type { TimeMap } from '../../../schema/task/task.ts';
import { chaptersIn, isChapter } from '../../../transcoder/media/libav/child/probe/chapter-messages.ts';
import {
  chaptersOf,
  type PrintedChapters,
  printedChapters,
} from '../../../transcoder/media/probe/chapters.ts';
import { asBefore } from '../../../transcoder/media/remux/contain.ts';
import { type Chapter, MOST_CHAPTERS } from '../../../transcoder/model/source/contents.ts';
import { tagsFile } from '../../../transcoder/operations/plan/tags-file.ts';
import { fitting, mappedChapters } from '../../../transcoder/operations/plan/tracks/chapters.ts';
import { source } from './sources.ts';

type Row = [start: number, end: number, title: string];
const of = (rows: readonly Row[]): Chapter[] => rows.map(([start, end, title]) => ({ start, end, title }));
const rowsOf = (chapters: readonly Chapter[]) =>
  chapters.map(({ start, end, title }): Row => [Number(start.toFixed(6)), Number(end.toFixed(6)), title]);

const book = of([
  [0, 4, 'A'],
  [4, 6, 'B'],
  [6, 10, 'C'],
]);

const clip = (from: number, to: number, begin: number, end: number, source = 0): TimeMap[number] => ({
  ...{ source, in: [from, to], out: [begin, end] },
});

describe('chapters move by the time map', () => {
  test.each<[string, TimeMap, Row[]]>([
    ['a whole source', [clip(0, 10, 0, 10)], rowsOf(book)],
    [
      'a cut at both ends',
      [clip(1, 7, 0, 6)],
      [
        [0, 3, 'A'],
        [3, 5, 'B'],
        [5, 6, 'C'],
      ],
    ],
    [
      'a chapter that is cut out',
      [clip(0, 3, 0, 3), clip(7, 10, 3, 6)],
      [
        [0, 3, 'A'],
        [3, 6, 'C'],
      ],
    ],
    [
      'a cut within a chapter',
      [clip(0, 1, 0, 1), clip(2, 6, 1, 5)],
      [
        [0, 3, 'A'],
        [3, 5, 'B'],
      ],
    ],
    [
      'another order',
      [clip(6, 8, 0, 2), clip(1, 3, 2, 4)],
      [
        [0, 2, 'C'],
        [2, 4, 'A'],
      ],
    ],
    [
      'a return to a chapter',
      [clip(0, 1, 0, 1), clip(4, 5, 1, 2), clip(2, 3, 2, 3)],
      [
        [0, 1, 'A'],
        [1, 2, 'B'],
      ],
    ],
    [
      'twice the rate',
      [clip(0, 10, 0, 5)],
      [
        [0, 2, 'A'],
        [2, 3, 'B'],
        [3, 5, 'C'],
      ],
    ],
    [
      'a rate of a part',
      [clip(0, 5, 0, 5), clip(5, 10, 5, 6)],
      [
        [0, 4, 'A'],
        [4, 5.2, 'B'],
        [5.2, 6, 'C'],
      ],
    ],
    [
      'backwards',
      [clip(10, 0, 0, 10)],
      [
        [0, 4, 'C'],
        [4, 6, 'B'],
        [6, 10, 'A'],
      ],
    ],
    ['what rounding to frames leaves', [clip(3.98, 6.02, 0, 2.04)], [[0, 2.04, 'B']]],
    ['nothing of the source', [clip(0, 5, 0, 5, 1)], []],
  ])('as %s moves them', (_, map, expected) => {
    expect(rowsOf(mappedChapters([book], map))).toEqual(expected);
  });

  test('of several sources, each has its own in the order of the output', () => {
    const other = of([[0, 9, 'Z']]);
    const map = [clip(0, 5, 0, 5), clip(0, 3, 5, 8, 1), clip(1, 4, 7.5, 10.5, 2)];
    expect(rowsOf(mappedChapters([book, [], other], map))).toEqual([
      [0, 4, 'A'],
      [4, 5, 'B'],
      [7.5, 10.5, 'Z'],
    ]);
  });

  test('one that contains others stays whole', () => {
    const nested = of([
      [0, 8, 'Part'],
      [0, 3, 'One'],
      [3, 8, 'Two'],
    ]);
    expect(rowsOf(mappedChapters([nested], [clip(1, 10, 0, 9)]))).toEqual([
      [0, 7, 'Part'],
      [0, 2, 'One'],
      [2, 7, 'Two'],
    ]);
  });

  test('there are no more than a file may have', () => {
    const many = Array.from({ length: MOST_CHAPTERS }, (_, at) => ({
      start: at,
      end: at + 1,
      title: `${at}`,
    }));
    const map = [clip(0, 1000, 0, 1000), clip(0, 1000, 1000, 2000, 1)];
    expect(mappedChapters([many, many], map)).toHaveLength(MOST_CHAPTERS);
  });
});

test.each([
  [
    'mp4',
    [
      [0, 2, ''],
      [2, 5, 'A'],
      [5, 9, 'B'],
    ],
  ],
  [
    'mov',
    [
      [0, 2, ''],
      [2, 5, 'A'],
      [5, 9, 'B'],
    ],
  ],
  [
    'mkv',
    [
      [2, 4, 'A'],
      [5, 9, 'B'],
    ],
  ],
  [
    'webm',
    [
      [2, 4, 'A'],
      [5, 9, 'B'],
    ],
  ],
] as const)('%s has gaps between chapters if it can', (format, expected) => {
  expect(
    rowsOf(
      fitting(
        format,
        of([
          [2, 4, 'A'],
          [5, 9, 'B'],
        ]),
      ),
    ),
  ).toEqual(expected);
});

const printed = (chapters: unknown): PrintedChapters => printedChapters.parse(chapters);
const mark = (start: unknown, end: unknown, title?: unknown) => ({
  ...{ start_time: start, end_time: end },
  ...(title === undefined ? {} : { tags: { title } }),
});

describe('chapters of strangers', () => {
  test.each<[string, unknown, Row[]]>([
    [
      'without an end',
      [mark('0', 'N/A', 'A'), mark('3', '-922337203685.477539', 'B')],
      [
        [0, 3, 'A'],
        [3, 10, 'B'],
      ],
    ],
    [
      'without a length',
      [mark('0', '0', 'A'), mark('3', '3', 'B')],
      [
        [0, 3, 'A'],
        [3, 10, 'B'],
      ],
    ],
    ['without a title', [mark('1', '2')], [[1, 2, '']]],
    [
      'out of order',
      [mark('5', '6', 'B'), mark('1', '2', 'A')],
      [
        [1, 2, 'A'],
        [5, 6, 'B'],
      ],
    ],
    ['behind the end', [mark('50', 'N/A', 'A')], [[50, 50, 'A']]],
    ['without a time', [mark('never', '1', 'A'), 7, null, mark('1', '2', 'B')], [[1, 2, 'B']]],
    ['of several lines', [mark('0', '1', 'A\r\n\tB\u0000C')], [[0, 1, 'A B C']]],
    ['with a title of another kind', [mark('0', '1', { length: 1 })], [[0, 1, '']]],
  ])('%s', (_, found, expected) => {
    expect(rowsOf(chaptersOf(printed(found), 10))).toEqual(expected);
  });

  test('are not longer than a line', () => {
    const [long] = chaptersOf(printed([mark('0', '1', '\u{1F3AC}'.repeat(10_000))]), 10);
    expect(long?.title).toBe('\u{1F3AC}'.repeat(100));
  });

  test('are not more than one over the limit', () => {
    const found = printed(Array.from({ length: 5000 }, (_, at) => mark(`${at}`, `${at + 1}`)));
    expect(chaptersOf(found, 5000)).toHaveLength(MOST_CHAPTERS + 1);
  });

  test.each(['a=b', ';a', '#a', 'a\\', '[CHAPTER]', 'a\nSTART=0', '\\', 'title=x', '\u202Ea'])(
    'stay in their line of ffmetadata: %j',
    (title) => {
      const text = tagsFile({}, [], [{ start: 0, end: 1, title }]);
      // A line break that is not escaped ends a line.
      const lines = text.split(/(?<!(?:^|[^\\])(?:\\\\)*\\)\n/);
      expect(lines.slice(0, 5)).toEqual([
        ...[';FFMETADATA1', '[CHAPTER]', 'TIMEBASE=1/1000000', 'START=0', 'END=1000000'],
      ]);
      expect(lines).toHaveLength(7);
      expect(lines[5]).toMatch(/^title=/);
    },
  );
});

describe('the description of a file by libav', () => {
  const chapter = (at: number, start: string, end: string) => [
    ...[`    Chapter #0:${at}: `, `start ${start}, `, `end ${end}`, '      Metadata:'],
  ];
  const title = (...lines: string[]) => [
    '        title           : ',
    ...lines.flatMap((line, at) => (at > 0 ? ['\n                        : ', line] : [line])),
    '',
  ];

  test('has its chapters with their titles', () => {
    const messages = [
      ...[...chapter(0, '0.000000', '2.500000'), '        encoder         : ', 'x', '', ...title('One')],
      ...[...chapter(1, '2.500000', '-922337203685.477539'), ...title('Two', 'and more')],
      ...['  Stream #0', ':0', '    Metadata:', '      title           : ', 'Picture', ''],
    ];
    expect(chaptersIn(messages)).toEqual([
      { start_time: '0.000000', end_time: '2.500000', tags: { title: 'One' } },
      { start_time: '2.500000', end_time: '-922337203685.477539', tags: { title: 'Two and more' } },
    ]);
  });

  test('a title that looks like a description is a title', () => {
    const hostile = '    Chapter #0:9: start 1.000000, end 2.000000';
    const messages = [...chapter(0, '0.000000', '1.000000'), ...title('One', hostile)];
    expect(isChapter(hostile)).toBe(false);
    expect(chaptersIn(messages)).toEqual([
      { start_time: '0.000000', end_time: '1.000000', tags: { title: `One ${hostile}` } },
    ]);
  });

  test('half of a chapter is none', () => {
    expect(chaptersIn(['    Chapter #0:0: ', 'start 0.000000, '])).toEqual([]);
    expect(chaptersIn(title('One'))).toEqual([]);
  });
});

test('a source that is remuxed for decoders keeps its chapters, where it now begins', () => {
  const before = { ...source, origin: 1, chapters: book };
  const after = asBefore({ ...source, origin: 0.5 }, before);
  expect(rowsOf(after.chapters)).toEqual([
    [-0.5, 3.5, 'A'],
    [3.5, 5.5, 'B'],
    [5.5, 9.5, 'C'],
  ]);
});
