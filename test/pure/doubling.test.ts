import { describe, expect, test } from 'vitest';
import { idPattern } from '../../schema/task/ids.ts';
import { WRITTEN } from '../../transcoder/engines/speech/read-aloud.ts';
import { exemptFunctions } from './doubling/exempt-functions.ts';
import { type Found, MOST_GROWTH, tried } from './doubling/growth.ts';
import { captioned, parsers } from './doubling/parsers.ts';
import { shapesFor } from './doubling/shapes.ts';
import { expressionsOf, madeExpressions, sourceFiles, stringsOf, textFunctions } from './doubling/sources.ts';
import { byExpression, describeGrowth, ofParsers } from './doubling/tried-expression.ts';

/** Expressions that never meet a text of somebody else, with the reason. */
const exemptExpressions: Record<string, string> = {
  'worker/http/declare.ts: /:\\w+(?:\\{(.+?)\\}(?=\\/|$))?/': 'reads the paths of our routes',
};

/** Expressions that are made of strings: what they are. */
const made: Record<string, RegExp[]> = {
  'schema/task/ids.ts': [idPattern('task')],
  'worker/http/declare.ts': [
    /^\/task\/[^/]+\/events$/,
    /^\/examples\/[^/]+\.[a-z0-9]+$/,
    /^\/app\/acct_[\w-]+\/keys\/[^/]+\/roll$/,
  ],
  'transcoder/engines/speech/read-aloud.ts': Object.values(WRITTEN),
  'transcoder/task/work-directories.ts': [/^spool-job-(\d+)-/],
};

const print = (what: string, count: number, found: readonly Found[]) =>
  console.log(
    `doubling: ${count} ${what}, ${found.reduce((sum, { shapes }) => sum + shapes, 0)} texts, worst ratio ${Math.max(0, ...found.map(({ worst }) => worst)).toFixed(2)} (at most ${MOST_GROWTH})`,
  );

describe('twice the text takes at most 2.6 times as long', () => {
  test('for every regular expression', { timeout: 1_200_000 }, () => {
    const all = [
      ...sourceFiles.flatMap(expressionsOf),
      ...Object.entries(made).flatMap(([file, list]) =>
        list.map((expression) => ({ at: `${file}: ${expression}`, expression })),
      ),
    ].filter(({ at }) => !(at in exemptExpressions));
    const found = all.map(({ at, expression }) => ({ at, ...byExpression(expression) }));
    print('expressions', all.length, found);
    expect(found.flatMap((each) => (each.culprit ? [`${each.at}: ${describeGrowth(each)}`] : []))).toEqual(
      [],
    );
    expect(all.length).toBeGreaterThan(150);
  });

  test('for every parser', { timeout: 1_200_000 }, () => {
    const found = parsers.map(({ name, heads = [''], run, characters }) => {
      const file = sourceFiles.find((each) => each.name === name.split('#')[0]);
      const shapes = shapesFor(heads, file ? stringsOf(file) : []);
      return { name, ...tried(run, shapes, { ...ofParsers, ...(characters ? { characters } : {}) }) };
    });
    print('parsers', parsers.length, found);
    expect(found.flatMap((each) => (each.culprit ? [`${each.name}: ${describeGrowth(each)}`] : []))).toEqual(
      [],
    );
  });
});

describe('nothing is left out', () => {
  test('of what is done with captions, up to the text that is drawn', () => {
    expect(captioned('Hello there, a <b>')).toMatchObject({
      steps: [{ kind: 'text', file: 'burnt.ass' }, {}, {}, {}, {}],
    });
  });

  test('of the expressions that are made of strings', () => {
    const files = sourceFiles.flatMap(madeExpressions).map((at) => at.split(':')[0]);
    expect(files.filter((file) => !(file !== undefined && file in made))).toEqual([]);
  });

  test('of the exported functions that take a text: each is a parser of the table, or has a reason why not', () => {
    const named = new Set(parsers.map(({ name }) => name));
    const left = sourceFiles
      .flatMap(textFunctions)
      .filter((name) => !named.has(name) && !exemptFunctions.some(({ of }) => of.test(name)));
    expect(left, 'name each in test/pure/doubling/parsers.ts').toEqual([]);
  });
});
