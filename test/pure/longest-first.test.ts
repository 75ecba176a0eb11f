import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { longestFirst, longFiles } from '../longest-first.ts';

const file = (path: string, project: string, isolated = true) => ({ path, project, isolated });
const orderOf = (...files: ReturnType<typeof file>[]) => longestFirst(files).map(({ path }) => path);

describe('the order of test files', () => {
  it('lists only files that exist', () => {
    const root = join(import.meta.dirname, '../..');
    expect(Object.keys(longFiles).filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  it('begins with the longest file, whichever project it is of', () => {
    const [longest = ''] = Object.keys(longFiles);
    expect(orderOf(file('a', 'worker'), file('b', 'security'), file(longest, 'e2e'))[0]).toBe(longest);
  });

  it('takes the projects by turns, each in its own order', () => {
    const files = [file('a1', 'a'), file('a2', 'a'), file('a3', 'a'), file('b1', 'b'), file('b2', 'b')];
    expect(orderOf(...files)).toEqual(['a1', 'b1', 'a2', 'b2', 'a3']);
  });

  it('ends with files that share processes, and does not mix their projects', () => {
    const files = [file('m1', 'media', false), file('p1', 'pure', false), file('a1', 'a')];
    expect(orderOf(...files, file('m2', 'media', false))).toEqual(['a1', 'm1', 'm2', 'p1']);
  });
});
