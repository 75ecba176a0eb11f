import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Ended } from '../../scripts/lib/children.mjs';
import { restartOnChange } from '../../scripts/lib/restart-on-change.mjs';
import { watchFolders } from '../../scripts/lib/watch-folders.mjs';

/** A program whose starts, stops and deaths are counted; each start may end by itself at once. */
function program(deaths: (Error | null)[]) {
  let starts = 0;
  let stops = 0;
  const start = () => {
    const death = deaths[starts++] ?? null;
    const end = Promise.withResolvers<never>();
    end.promise.catch(() => {});
    if (death) end.reject(death);
    return {
      ended: end.promise,
      stop: () => {
        stops += 1;
        end.reject(new Ended('transcoder', '0', ''));
      },
    };
  };
  return { start, counts: () => ({ starts, stops }) };
}

/** Runs through some changes, each after everything before it has been dealt with. */
async function through(changes: string[][], deaths: (Error | null)[] = []) {
  const said: string[] = [];
  const { start, counts } = program(deaths);
  const idle = Promise.withResolvers<void>();
  const queue = [...changes];
  const nextChange = async () => {
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve));
    const files = queue.shift();
    if (files) return files;
    idle.resolve();
    return new Promise<string[]>(() => {});
  };
  const options = { name: 'transcoder', running: start(), start, ready: async () => {}, nextChange };
  const given = restartOnChange({ ...options, say: (text: string) => said.push(text) });
  const failed = given.catch((error: Error) => error);
  const error = await Promise.race([idle.promise, failed]);
  return { said, error: error ?? null, ...counts() };
}

describe('a part of the service that is being worked on', () => {
  it('restarts when a file changes, and the terminal says which', async () => {
    const { said, starts } = await through([['schema/task/task.ts']]);
    expect(starts).toBe(2);
    expect(said).toEqual([
      'Changed: schema/task/task.ts. Restarting the transcoder…',
      'The transcoder is running again.',
    ]);
  });

  it('restarts once for many files, of which three are named', async () => {
    const { said, starts } = await through([['a.ts', 'b.ts', 'c.ts', 'd.ts', 'e.ts']]);
    expect(starts).toBe(2);
    expect(said[0]).toBe('Changed: a.ts, b.ts, c.ts and 2 more. Restarting the transcoder…');
  });

  it('stays down after it ended by itself until the next change', async () => {
    const mistake = new Ended('transcoder', '1', 'SyntaxError: Expression expected');
    const { said, starts } = await through([['a.ts'], ['b.ts']], [null, mistake]);
    expect(starts).toBe(3);
    expect(said.filter((text) => text.includes('It starts again when a file changes'))).toHaveLength(1);
    expect(said.join('\n')).toContain('SyntaxError: Expression expected');
    expect(said.at(-1)).toBe('The transcoder is running again.');
  });

  it('that cannot be started at all is not tried again', async () => {
    const { error, starts } = await through([['a.ts']], [new Error('spawn ENOENT')]);
    expect([error?.message, starts]).toEqual(['spawn ENOENT', 1]);
  });
});

describe('the watch over source files', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'spool-watch-'));
    mkdirSync(join(root, 'code/deep'), { recursive: true });
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('sees sources at any depth, in folders that are made later too, and nothing else', async () => {
    const changes = watchFolders(root, ['code']);
    try {
      writeFileSync(join(root, 'code/deep/.a.ts.swp'), '');
      writeFileSync(join(root, 'code/deep/a.ts'), '');
      expect(await changes.next()).toEqual(['code/deep/a.ts']);
      mkdirSync(join(root, 'code/new'));
      // The folder is watched once the system has told of it.
      await expect
        .poll(async () => {
          writeFileSync(join(root, 'code/new/b.json'), '{}');
          return Promise.race([
            changes.next(),
            new Promise((resolve) => setTimeout(resolve, 500, 'nothing yet')),
          ]);
        })
        .toEqual(['code/new/b.json']);
    } finally {
      changes.close();
    }
  });
});
