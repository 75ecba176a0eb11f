import { z } from 'zod';
import { operationNames, operations } from '../../schema/operations/index.ts';
import { exampleOf } from '../harness.ts';

const texts: Record<string, string> = {
  quotes: `'"'"`,
  colons: 'a:b=c:d',
  backslashes: '\\\\\\',
  expansions: '%{pts}%{localtime}',
  'a filter that reads a file': ',movie=/etc/passwd',
  'labels of filters': '[0:v]null[x];amovie=/etc/passwd',
  'line breaks': 'a\nfile /etc/passwd\r\n',
  NUL: 'a\0b',
  '10 000 emoji': '😀'.repeat(10_000),
  'a color and more': 'red;',
  'an option': '-y',
  'a command': '$(id) `id` |id',
  'a path': '../../etc/passwd',
};
const numbers: Record<string, unknown> = {
  'a negative number': -1e9,
  '1e308': 1e308,
  'the text NaN': 'NaN',
  'a number as text': '12',
  'minus zero': -0,
  'a fraction of nothing': 1e-300,
};
const others: Record<string, unknown> = {
  null: null,
  true: true,
  'a list': [],
  'a deep list': Array.from({ length: 500 }).reduce((inner) => [inner], [] as unknown),
  'an object': { $ref: '/etc/passwd', __proto__: { admin: true } },
};

export interface Parameter {
  name: string;
  operation: (typeof operationNames)[number];
  /** The request, whose sources are at this URL. */
  input: (url: string) => Record<string, unknown>;
}

/** The first example of an operation, with sources of ours. */
function honest(operation: Parameter['operation'], url: string): Record<string, unknown> {
  const text = JSON.stringify(exampleOf(operations[operation]));
  return JSON.parse(text.replaceAll(/https:\/\/media\.example\.com\/[^"]*/g, url));
}

const fieldsOf = (operation: Parameter['operation']): string[] =>
  Object.keys(
    z.toJSONSchema(operations[operation].input, { io: 'input', unrepresentable: 'any' }).properties ?? {},
  );

/** One of each kind for every field of every operation, in turn, so that each stands in many places. */
function inEveryField(): Parameter[] {
  let turn = 0;
  return operationNames.flatMap((operation) =>
    fieldsOf(operation).flatMap((field) => {
      turn += 1;
      return [texts, numbers, others].map((kind) => {
        const names = Object.keys(kind);
        const name = names[turn % names.length] ?? '';
        return {
          name: `${name} as ${field} of ${operation}`,
          operation,
          input: (url: string) => ({ ...honest(operation, url), [field]: kind[name] }),
        };
      });
    }),
  );
}

const frame = (more: Record<string, unknown>) => (url: string) => ({
  video_url: url,
  timestamps: [0],
  ...more,
});
const outputNames = [
  '../x',
  '..',
  '/etc/passwd',
  '-y',
  'a%d.png',
  'CON',
  'a\0b',
  'x'.repeat(300),
  ' ',
  ...Object.values(texts),
];

const special: Parameter[] = [
  ...outputNames.map((output_name) => ({
    name: `the output name ${JSON.stringify(output_name).slice(0, 40)}`,
    operation: 'frame' as const,
    input: frame({ output_name }),
  })),
  ...Object.entries(texts).map(([name, text]) => ({
    name: `${name} as metadata`,
    operation: 'frame' as const,
    input: frame({ metadata: { note: text } }),
  })),
  ...['red;', '#12', '#gggggg', 'red,movie=/etc/passwd', 'rgb(1e9,0,0)', '#fff;'].map((background) => ({
    name: `the color ${background}`,
    operation: 'crop' as const,
    input: (url: string) => ({ video_url: url, aspect_ratio: '1:1', fill: 'pad', background }),
  })),
  {
    name: 'a start behind the end',
    operation: 'cut',
    input: (url) => ({ video_url: url, start: 0.4, end: 0.1 }),
  },
  {
    name: 'a start behind the end of the source',
    operation: 'cut',
    input: (url) => ({ video_url: url, start: 400, duration: 1 }),
  },
];

export const parameters: Parameter[] = [...inEveryField(), ...special];
