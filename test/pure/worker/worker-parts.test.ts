import { describe, expect, it } from 'vitest';
import { sealer } from '../../../schema/api/seal.ts';
import { hmac, signatureHeaders } from '../../../schema/api/signature.ts';
import { operations } from '../../../schema/operations/index.ts';
import { taskListQuery } from '../../../schema/task/task-list.ts';
import { fromText, parseQuery } from '../../../worker/http/middleware/query.ts';
import { hashKey, looksLikeKey, makeKey } from '../../../worker/lib/api-key.ts';
import { parseRange } from '../../../worker/lib/byte-range.ts';
import { parseInput } from '../../../worker/lib/problem.ts';
import { safeFileName } from '../../../worker/lib/text/file-name.ts';
import { signatureIsValid } from '../../fixtures/signature-is-valid.ts';

describe('an API key', () => {
  it('has its form and checksum; any changed letter is noticed without a look-up', () => {
    const key = makeKey();
    expect(key).toMatch(/^spool_live_[0-9A-Za-z]{12}_[0-9A-Za-z]{49}$/);
    expect(looksLikeKey(key)).toBe(true);
    for (let index = 11; index < key.length; index++) {
      const other = key[index] === 'a' ? 'b' : 'a';
      expect(looksLikeKey(key.slice(0, index) + other + key.slice(index + 1))).toBe(false);
    }
  });

  it('is stored as a hash that the pepper changes', async () => {
    const key = makeKey();
    const hash = await hashKey(key, 'pepper one');
    expect(hash).toMatch(/^[0-9a-f]{64}$/);
    expect(await hashKey(key, 'pepper two')).not.toBe(hash);
  });
});

describe('a byte range', () => {
  it.each([
    ['bytes=0-0', { start: 0, end: 0 }],
    ['bytes=0-99', { start: 0, end: 9 }],
    ['bytes=5-', { start: 5, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-30', { start: 0, end: 9 }],
    ['bytes=10-', 'unsatisfiable'],
    ['bytes=-0', 'unsatisfiable'],
    ['bytes=3-2', null],
    ['bytes=-', null],
    ['bytes=0-1,3-4', null],
    ['items=0-1', null],
  ])('%s of ten bytes is %o', (header, expected) => {
    expect(parseRange(header, 10)).toEqual(expected);
  });
});

describe('a file name', () => {
  it.each([
    ['my clip', 'my clip'],
    ['../../etc/passwd', 'etc_passwd'],
    ['-y', 'y'],
    ['a%d.png', 'a_d.png'],
    ['CON', '_CON'],
    ['näme 日本', 'näme 日本'],
    ['"; rm -rf /', 'rm -rf _'],
    ['...', 'output'],
    ['x'.repeat(300), 'x'.repeat(100)],
    ['a\u0000b\nc', 'a_b_c'],
    ['日本'.repeat(60), '日本'.repeat(33)],
    [`${'x'.repeat(98)} .y`, 'x'.repeat(98)],
    [`${'x'.repeat(99)}𠮷`, 'x'.repeat(99)],
    [`${'x'.repeat(98)}e\u0325\u0323`, 'x'.repeat(98)],
    ['हिन्दी', 'हिन्दी'],
    ['aux.tar', '_aux.tar'],
    ['con.txt', '_con.txt'],
    ['Lpt1 .x', '_Lpt1 .x'],
    ['com¹', '_com¹'],
    ['console.log', 'console.log'],
  ])('%j becomes %j', (given, expected) => {
    expect(safeFileName(given)).toBe(expected);
  });

  it('has room for a role and an extension in the 255 bytes of a file system', () => {
    for (const sign of ['x', 'ä', '日', '𠮷', 'हि']) {
      const bytes = new TextEncoder().encode(safeFileName(sign.repeat(200))).length;
      expect(bytes).toBeLessThanOrEqual(200);
    }
  });
});

describe('a number of a query string', () => {
  const schema = taskListQuery.extend({ limit: fromText(taskListQuery.shape.limit) });
  const limitOf = (query: string) => parseQuery(schema, `https://spool.example/tasks${query}`).limit;

  it('is left out, given once within its bounds, or refused for what is wrong with it', () => {
    expect([limitOf(''), limitOf('?limit=5')]).toEqual([20, 5]);
    expect(() => limitOf('?limit=-1')).toThrow('/limit must be a whole number from 1 to 100; it is -1.');
    for (const query of ['?limit=', '?limit=abc', '?limit=1e1', '?limit=1&limit=2']) {
      expect(() => limitOf(query)).toThrow('/limit must be a whole number from 1 to 100; it is ');
    }
  });
});

describe('a body', () => {
  const parse = (metadata: string) =>
    parseInput(
      operations.cut.input,
      JSON.parse(`{"video_url":"https://media.example.com/a.mp4","duration":1,"metadata":${metadata}}`),
    );

  it('may have fields of any name but one, which would be lost', () => {
    expect(parse('{"constructor":"a","hasOwnProperty":"b"}').metadata).toEqual({
      ...{ constructor: 'a', hasOwnProperty: 'b' },
    });
    expect(() => parse('{"a":"b","__proto__":"x"}')).toThrow(
      expect.objectContaining({
        code: 'validation_failed',
        errors: [expect.objectContaining({ pointer: '/metadata/__proto__', code: 'unknown_field' })],
      }),
    );
  });
});

describe('a signed message', () => {
  const secret = 'secret-of-at-least-thirty-two-characters';
  const now = 1_800_000_000_000;
  const header = (headers: Record<string, string>) => (name: string) => headers[name];

  it('is valid with its secret, body and time only', async () => {
    const headers = await signatureHeaders(secret, 'evt_1', '{"a":1}', now);
    expect(await signatureIsValid(secret, header(headers), '{"a":1}', now)).toBe(true);
    expect(await signatureIsValid(`${secret}!`, header(headers), '{"a":1}', now)).toBe(false);
    expect(await signatureIsValid(secret, header(headers), '{"a":2}', now)).toBe(false);
    expect(
      await signatureIsValid(secret, header({ ...headers, 'webhook-id': 'evt_2' }), '{"a":1}', now),
    ).toBe(false);
    expect(await signatureIsValid(secret, header(headers), '{"a":1}', now + 301_000)).toBe(false);
    expect(await signatureIsValid(secret, header({}), '{"a":1}', now)).toBe(false);
  });

  it('is found among the signatures of two secrets, and nonsense beside it does no harm', async () => {
    const headers = await signatureHeaders(secret, 'evt_1', 'x', now);
    const both = { ...headers, 'webhook-signature': `v2,zz v1,%%% v1,AAAA ${headers['webhook-signature']}` };
    expect(await signatureIsValid(secret, header(both), 'x', now)).toBe(true);
  });

  it('matches the HMAC-SHA-256 of RFC 4231, test case 2', async () => {
    const mac = await hmac('Jefe', 'what do ya want for nothing?');
    expect(Buffer.from(mac).toString('hex')).toBe(
      '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
    );
  });
});

describe('a sealed secret', () => {
  const { seal, open } = sealer('master-of-at-least-thirty-two-characters');

  it('is opened for whom it is about, with the master secret it was sealed with, and for nobody else', async () => {
    const sealed = await seal('whsec_abc', 'acct_1');
    expect(atob(sealed)).not.toContain('whsec_abc');
    expect(await open(sealed, 'acct_1')).toBe('whsec_abc');
    await expect(open(sealed, 'acct_2')).rejects.toThrow();
    await expect(sealer('another-master-of-thirty-two-characters').open(sealed, 'acct_1')).rejects.toThrow();
    expect(await seal('whsec_abc', 'acct_1')).not.toBe(sealed);
  });
});
