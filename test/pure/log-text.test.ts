import { DrizzleQueryError } from 'drizzle-orm';
import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { errorText, logText, logValue } from '../../guard/log-text.ts';
import { jsonLog } from '../../transcoder/log.ts';
import { log } from '../../worker/lib/log.ts';
import { withoutParameters } from '../../worker/lib/without-parameters.ts';
import { least } from './doubling/growth.ts';

const secret = 'c4n4ryc4n4ry';

describe('a text for a log', () => {
  it.each([
    ['a query', `no answer from https://media.example.com/a.mp4?X-Amz-Signature=${secret}&b=1`],
    ['a path', `POST https://hooks.example.com/services/T0/${secret} failed`],
    ['user information', `https://user:${secret}@media.example.com/a.mp4`],
    ['user information with an at sign', `https://us@er:${secret}@media.example.com`],
    ['a fragment', `https://media.example.com#${secret}`],
    ['another scheme', `rtmp://live.example.com/app/${secret}`],
    ['capitals', `HTTPS://MEDIA.EXAMPLE.COM/${secret}`],
    ['quotes', `{"url":"https://media.example.com/${secret}"}`],
    ['brackets', `(see https://media.example.com/(${secret}))`],
    ['a relative address', `GET /task/task_1/download?file=video&signature=${secret}`],
    ['a parameter of any name', `GET /task/task_1/download?file=video&x=${secret}`],
    ['parameters of SQL', `Failed query: insert into a values (?, ?)\nparams: 1,${secret}\n,${secret}`],
    ['parameters that look like frames', `Failed query: select ?\nparams: a\n    at f (a.ts:1:1)${secret}`],
    ['a key', `spool_live_${secret}`],
    ['a webhook secret', `whsec_${secret}+/=`],
    ['a bearer', `authorization: Bearer ${secret}`],
    ['a header', `x-elevenlabs-key: ${secret}`],
    ['a field of JSON', `{"callback_secret":"${secret}"}`],
    ['a signature', `v1,${secret}AAAAAAAA=`],
    ['a snippet of JSON', errorText(parseError(`${secret}!`))],
    ['a derived secret', 'deadbeef'.repeat(8)],
  ])('loses a secret in %s', (_, text) => {
    expect(logText(text)).not.toMatch(/c4n4ry|deadbeef/);
    expect(
      JSON.stringify(logValue({ a: [{ b: text }], e: new Error(text, { cause: new Error(text) }) })),
    ).not.toMatch(/c4n4ry|deadbeef/);
  });

  it('keeps what an operator needs', () => {
    const plain =
      'task_01m80s2mqt76wcbtarcvf5m22k attempt 2: D1_ERROR: UNIQUE constraint failed: tasks.id: SQLITE_CONSTRAINT';
    expect(logText(plain)).toBe(plain);
    expect(logText('connect to https://media.example.com/a?b=c failed')).toBe(
      'connect to https://media.example.com/… failed',
    );
    expect(logText('http://127.0.0.1:8080')).toBe('http://127.0.0.1:8080');
    const shown = errorText(new TypeError('outer', { cause: new Error('inner') }));
    expect(shown).toMatch(
      /^TypeError: outer\n {4}at .*log-text\.test\.ts:\d+:\d+.*; cause: Error: inner\n {4}at /s,
    );
  });

  it('is made in time that grows with its length alone', () => {
    const shapes = [
      'a.',
      'a://',
      'https://a@',
      '?a',
      '?a=',
      '-key',
      'token',
      'api-',
      '"',
      'v1,',
      'a-',
      'bearer ',
      '\nparams:',
      ' at ',
    ];
    const costOf = (text: string) =>
      2 +
      least(5, () => {
        for (let run = 0; run < 10; run++) logText(text);
      });
    for (const shape of shapes) {
      const of = (characters: number) => shape.repeat(characters / shape.length);
      costOf(of(4000));
      expect([shape, costOf(of(7900)) / costOf(of(3950))]).toEqual([
        shape,
        expect.toSatisfy((ratio: number) => ratio < 3.5),
      ]);
    }
  });

  it('is never one that throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => typeof logText(text) === 'string'));
  });
});

function parseError(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    return error;
  }
}

describe('an error of the database', () => {
  const failing = withoutParameters({
    async read() {
      throw new DrizzleQueryError(
        'select * from a where b = ?',
        [secret],
        new Error('D1_ERROR: no such table'),
      );
    },
    plain: async () => {
      throw new RangeError('as it was');
    },
    count: () => 1,
  });

  it('leaves a repository without the parameters of its statement', async () => {
    const error = (await failing.read().catch((thrown: unknown) => thrown)) as Error;
    expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toContain(secret);
    expect(error.message).toBe('Failed query: select * from a where b = ?');
    expect(errorText(error)).toContain('cause: Error: D1_ERROR: no such table');
    await expect(failing.plain()).rejects.toThrow(RangeError);
    expect(failing.count()).toBe(1);
  });
});

describe('a log line', () => {
  it('has its own level, time and message, whatever the fields are named', () => {
    const lines: string[] = [];
    const own = jsonLog({}, (line) => lines.push(line));
    // @ts-expect-error a name of the line's own
    own.info('sandbox', { sandbox: 'bwrap', level: 'none' });
    // @ts-expect-error
    own.with({ message: 'another' });
    const print = vi.spyOn(console, 'log').mockImplementation(() => {});
    // @ts-expect-error
    log('info', 'event', { level: 'none' });
    expect(JSON.parse(String(print.mock.lastCall?.[0])).level).toBe('info');
    print.mockRestore();
    expect(JSON.parse(lines[0] ?? '').level).toBe('info');
    own.error('failed', {
      error: new Error(`https://a.example/${secret}`),
      url: `https://a.example/${secret}`,
    });
    expect(lines[1]).not.toContain(secret);
    expect(JSON.parse(lines[1] ?? '')).toMatchObject({
      level: 'error',
      message: 'failed',
      url: 'https://a.example/…',
    });
  });
});
