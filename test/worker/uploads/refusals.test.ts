import { fileURLToPath } from 'node:url';
import { drizzle } from 'drizzle-orm/d1';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { plans } from '../../../schema/api/plans.ts';
import { MAX_WAITING_UPLOADS, UPLOAD_SECONDS } from '../../../schema/api/upload.ts';
import { uploadsRepo } from '../../../worker/repos/uploads.ts';
import { trueType } from '../../fixtures/fonts.ts';
import {
  account,
  bucket,
  closeStand,
  complete,
  create,
  mp4,
  objectsOf,
  post,
  problemOf,
  put,
  ready,
  run,
  send,
  service,
  sha256Of,
  startStand,
} from './stand.ts';

// By its address, because tests are checked without the types of the Workers runtime.
const address = fileURLToPath(
  new URL('../../../worker/services/uploads/complete-upload.ts', import.meta.url),
);
const { completeUpload } = (await import(address)) as {
  completeUpload(context: object, caller: object, id: string, body: unknown): Promise<unknown>;
};

const repo = async () => uploadsRepo(drizzle((await service.bindings()).DB as never));

beforeAll(() => startStand());
afterAll(closeStand);

describe('a request for an upload', () => {
  const refusals: [given: Record<string, unknown>, pointer: string, says: string][] = [
    [{ size_bytes: 10 }, '/file_name', 'required'],
    [{ file_name: 'talk.mp4' }, '/size_bytes', 'required'],
    [{ file_name: '../../etc/passwd', size_bytes: 10 }, '/file_name', 'without a path'],
    [{ file_name: '..', size_bytes: 10 }, '/file_name', 'without a path'],
    [{ file_name: 'C:\\talk.mp4', size_bytes: 10 }, '/file_name', 'without a path'],
    [{ file_name: 'talk\r\nX-Evil: 1.mp4', size_bytes: 10 }, '/file_name', 'without a path'],
    [{ file_name: 'talk.mp4', size_bytes: 0 }, '/size_bytes', '1'],
    [{ file_name: 'talk.mp4', size_bytes: 1.5 }, '/size_bytes', 'whole number'],
    [{ file_name: 'talk.mp4', size_bytes: '10' }, '/size_bytes', 'number'],
    [{ file_name: 'talk.mp4', size_bytes: 10, sha256: 'abc' }, '/sha256', '64 hexadecimal digits'],
    ...['text/html', 'text/html; charset=utf-8'].map(
      (media_type): [Record<string, unknown>, string, string] => [
        { file_name: 'index.html', size_bytes: 10, media_type },
        '/media_type',
        'not of a web page',
      ],
    ),
    [{ file_name: 'talk.mp4', size_bytes: 10, media_type: 'video' }, '/media_type', 'video/mp4'],
    [{ file_name: 'talk.mp4', size_bytes: 10, key: 'u/x' }, '/key', 'is not a field'],
    [{ file_name: 'talk.mp4', size_bytes: plans.elite.source_bytes + 1 }, '/size_bytes', 'elite plan allows'],
  ];

  it.each(refusals)('with %j is refused at %s', async (given, pointer, says) => {
    const { status, code, detail, pointers } = await problemOf(await post('/uploads', given));
    expect([status, code, pointers]).toEqual([422, 'validation_failed', [pointer]]);
    expect(detail).toContain(says);
  });

  it('of an account without a subscription is refused', async () => {
    const inactive = await service.createAccount('basic', { subscription: 'inactive' });
    const response = await post('/uploads', { file_name: 'talk.mp4', size_bytes: 10 }, inactive);
    expect(await problemOf(response)).toMatchObject({ status: 402, code: 'subscription_required' });
  });

  it('beyond the storage of the plan is refused until something is deleted', async () => {
    const by = await service.createAccount('basic');
    const { source_bytes: size, upload_bytes: most } = plans.basic;
    const made = [];
    for (let bytes = 0; bytes + size <= most; bytes += size)
      made.push(await create({ size_bytes: size }, by));
    const again = () => post('/uploads', { file_name: 'talk.mp4', size_bytes: 1 }, by);
    const { status, code, detail, pointers } = await problemOf(await again());
    expect([status, code, pointers]).toEqual([409, 'upload_storage_full', ['/size_bytes']]);
    expect(detail).toContain(`stores ${most} bytes of uploads, of which ${most} are used`);
    await service.request(`/uploads/${made[0]?.id}`, { method: 'DELETE', key: by.key });
    expect((await again()).status).toBe(201);
  });

  it('is refused while too many wait for their file', async () => {
    const by = await service.createAccount('basic');
    const { id } = await create({ size_bytes: 1 }, by);
    await run(
      `with recursive n (i) as (select 1 union all select i + 1 from n where i < ?)
        insert into uploads (id, account_id, status, file_name, size_bytes, created_at, expires_at)
        select 'upl_' || printf('%026d', i), account_id, 'waiting', 'x.mp4', 1, created_at, expires_at
        from n, uploads where id = ?`,
      ...[MAX_WAITING_UPLOADS - 1, id],
    );
    const response = await post('/uploads', { file_name: 'talk.mp4', size_bytes: 1 }, by);
    expect(await problemOf(response)).toMatchObject({ status: 409, code: 'upload_storage_full' });
  });

  it('is refused by a service that has no keys of its storage', async () => {
    const { startService } = await import('../../harness.ts');
    const without = await startService({ S3_ACCESS_KEY_ID: '' });
    try {
      const json = { file_name: 'talk.mp4', size_bytes: 10 };
      const response = await without.request('/uploads', { json, key: without.accounts.basic.key });
      expect(await problemOf(response)).toMatchObject({ status: 501, code: 'uploads_unavailable' });
    } finally {
      await without.close();
    }
  });
});

describe('complete', () => {
  it('says that no file has arrived, and works once it has', async () => {
    const bytes = mp4();
    const made = await create({ size_bytes: bytes.length });
    const { status, code, detail } = await problemOf(await complete(made.id));
    expect([status, code]).toEqual([409, 'upload_incomplete']);
    expect(detail).toContain('No file has arrived');
    await send(made, bytes);
    expect((await complete(made.id)).status).toBe(200);
  });

  it('called again has the same answer, also without a body', async () => {
    const done = await ready();
    const again = await complete(done.id);
    expect([again.status, await again.json()]).toEqual([200, done]);
    const bare = await service.request(`/uploads/${done.id}/complete`, { method: 'POST', key: account.key });
    expect([bare.status, await bare.json()]).toEqual([200, done]);
  });

  it('called twice at once has the same answer', async () => {
    const bytes = mp4();
    const made = await create({ size_bytes: bytes.length });
    await send(made, bytes);
    const answers = await Promise.all([complete(made.id), complete(made.id), complete(made.id)]);
    const bodies = await Promise.all(answers.map((answer) => answer.json()));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(bodies[1]).toEqual(bodies[0]);
    expect(bodies[2]).toEqual(bodies[0]);
  });

  it('of a file that another request refuses at the same moment has the answer of that', async () => {
    const made = await create({ size_bytes: 1000 });
    await (await bucket()).put(`u/${made.id}/file`, mp4(999));
    const find = async () => {
      expect((await problemOf(await complete(made.id))).code).toBe('upload_size_mismatch');
      expect(await objectsOf(made.id)).toEqual([]);
      return null;
    };
    const context = { uploads: await repo(), uploadFiles: { find } };
    const caller = { accountId: account.id, plan: 'elite' };
    await expect(completeUpload(context, caller, made.id, {})).rejects.toMatchObject({
      code: 'upload_size_mismatch',
    });
  });

  it('of two requests at the same moment checks the file once, also if the clock of one is behind', async () => {
    const { id } = await create({ size_bytes: 1000 });
    const uploads = await repo();
    const claim = (now: number) =>
      uploads.claimCheck(account.id, id, { now, until: now + 60_000, mine: null });
    const now = Date.now();
    expect(await claim(now)).toBe(true);
    expect(await claim(now - 1)).toBe(false);
    expect(await claim(now - 10_000)).toBe(false);
    // The clock was set back.
    expect(await claim(now - 3600_000)).toBe(true);
  });

  const wrong: [what: string, file: Buffer, code: string, says: string][] = [
    ['another size', mp4(999), 'upload_size_mismatch', 'has 999 bytes; size_bytes is 1000'],
    [
      'another checksum',
      Buffer.from(mp4()).fill(2, 500),
      'upload_checksum_mismatch',
      'The SHA-256 of the file',
    ],
    [
      'a web page',
      Buffer.from('<!doctype html><title>x</title>'.padEnd(1000)),
      'upload_not_media',
      'a web page (HTML)',
    ],
    [
      'a playlist',
      Buffer.from('#EXTM3U\n#EXT-X-VERSION:3\n'.padEnd(1000)),
      'upload_not_media',
      'an HLS playlist',
    ],
    ['an SVG', Buffer.from('<svg xmlns="x"><script>1</script>'.padEnd(1000)), 'upload_not_media', 'SVG'],
    ['a ZIP archive', Buffer.from('PK\x03\x04'.padEnd(1000), 'latin1'), 'upload_not_media', 'a ZIP archive'],
    ['random bytes', Buffer.alloc(1000, 0x81), 'upload_not_media', 'not supported'],
  ];

  it.each(wrong)('refuses %s, for good, and deletes the file', async (what, file, code, says) => {
    const sha256 = what === 'another checksum' ? sha256Of(mp4()) : undefined;
    const made = await create({ size_bytes: 1000, sha256 });
    // Past the signature, as if the storage had not checked it.
    await (await bucket()).put(`u/${made.id}/file`, file);
    const first = await problemOf(await complete(made.id));
    expect([first.status, first.code]).toEqual([422, code]);
    expect(first.detail).toContain(says);
    expect(await objectsOf(made.id)).toEqual([]);
    expect(await problemOf(await complete(made.id))).toEqual(first);
    const shown = await (await service.request(`/uploads/${made.id}`, { key: account.key })).json();
    expect(shown).toMatchObject({ status: 'failed', url: null, error: { code, detail: first.detail } });
    const json = { video_url: `upload:${made.id}`, duration: 1 };
    const { pointers, code: refused } = await problemOf(await post('/cut', json));
    expect([refused, pointers]).toEqual(['validation_failed', ['/video_url']]);
  });

  it.each([
    ['WebVTT', 'WEBVTT\n\n00:01.000 --> 00:02.000\nHello'],
    ['SubRip', '1\n00:00:01,000 --> 00:00:02,000\nHello\n'],
    ['a script', 'Hello and welcome.'],
    ['timed words', '[{"start": 1, "end": 2, "text": "Hello"}]'],
  ])('takes captions and scripts: %s', async (_, text) => {
    expect(await ready(Buffer.from(text))).toMatchObject({ status: 'ready', media_type: 'text/plain' });
  });

  it('takes fonts, which captions are drawn with', async () => {
    const done = await ready(trueType());
    expect(done).toMatchObject({ status: 'ready', media_type: 'font/ttf' });
    const video_url = `https://media.example.com/a.mp4`;
    const json = { video_url, dry_run: true, style: { font_url: `upload:${done.id}` } };
    expect((await post('/captions/auto', json)).status).toBe(202);
  });

  it('after the time is over is refused, and a task cannot read it', async () => {
    const made = await create({ size_bytes: 1000 });
    await run('update uploads set expires_at = ? where id = ?', Date.now() - 1, made.id);
    expect(await problemOf(await complete(made.id))).toMatchObject({ status: 410, code: 'upload_expired' });
    const shown = await (await service.request(`/uploads/${made.id}`, { key: account.key })).json();
    expect(shown).toMatchObject({ status: 'expired', url: null, parts: [] });
  });
});

describe('an upload of another account', () => {
  it('looks like one that does not exist', async () => {
    const stranger = await service.createAccount('elite');
    const done = await ready();
    const waiting = await create({ size_bytes: 1000 });
    const unknown = `upl_${'0'.repeat(26)}`;
    for (const id of [done.id, waiting.id, unknown]) {
      for (const [method, path] of [
        ['GET', `/uploads/${id}`],
        ['DELETE', `/uploads/${id}`],
        ['POST', `/uploads/${id}/complete`],
      ] as const) {
        const response = await service.request(path, { method, key: stranger.key });
        expect(await problemOf(response)).toMatchObject({ status: 404, code: 'upload_not_found' });
      }
      const json = { video_url: `upload:${id}`, duration: 1 };
      const response = await post('/cut', json, stranger);
      expect(await problemOf(response)).toMatchObject({
        code: 'validation_failed',
        detail:
          '/video_url: There is no such upload. It may have been deleted or may belong to another account.',
      });
    }
    expect(await objectsOf(done.id)).toEqual([1000]);
  });
});

describe('the URL of an upload', () => {
  it('is signed for the time that the upload waits', async () => {
    const { url } = await create({ size_bytes: 1000 });
    const seconds = Number(new URL(url ?? '').searchParams.get('X-Amz-Expires'));
    expect(seconds).toBeGreaterThan(UPLOAD_SECONDS - 5);
    expect(seconds).toBeLessThanOrEqual(UPLOAD_SECONDS);
  });

  const changes: [what: string, change: (url: URL) => void][] = [
    ['another key', (url) => (url.pathname = url.pathname.replace('/file', '/other'))],
    [
      'a task',
      (url) => (url.pathname = url.pathname.replace(/\/u\/.*/, `/t/task_${'0'.repeat(26)}/1/cut.mp4`)),
    ],
    ['a later end', (url) => url.searchParams.set('X-Amz-Expires', '604800')],
    ['fewer signed headers', (url) => url.searchParams.set('X-Amz-SignedHeaders', 'host')],
  ];
  it.each(changes)('changed to %s stores nothing', async (_, change) => {
    const made = await create({ size_bytes: 1000 });
    const url = new URL(made.url ?? '');
    change(url);
    expect((await put(url.href, mp4(), made.headers)).status).toBe(403);
    expect((await (await bucket()).list({ prefix: 'u/' })).objects.map(({ key }) => key)).not.toContain(
      `u/${made.id}/other`,
    );
    expect(await objectsOf(made.id)).toEqual([]);
  });

  it('takes no other length, and nothing without its headers', async () => {
    const made = await create({ size_bytes: 1000, sha256: sha256Of(mp4()) });
    for (const length of [1, 999, 1001, 100_000]) {
      expect((await put(made.url, mp4(Math.max(length, 50)).subarray(0, length), made.headers)).status).toBe(
        403,
      );
    }
    for (const left of Object.keys(made.headers)) {
      const { [left]: _, ...others } = made.headers;
      expect((await put(made.url, mp4(), others)).status, left).toBe(403);
    }
    expect(await objectsOf(made.id)).toEqual([]);
  });

  it('does not replace a file that was stored', async () => {
    const made = await create({ size_bytes: 1000 });
    await send(made, mp4());
    expect((await put(made.url, Buffer.alloc(1000), made.headers)).status).toBe(412);
    expect((await complete(made.id)).status).toBe(200);
    expect((await put(made.url, Buffer.alloc(1000), made.headers)).status).toBe(412);
  });

  it('reads and deletes nothing', async () => {
    const made = await create({ size_bytes: 1000 });
    await send(made, mp4());
    for (const method of ['GET', 'HEAD', 'DELETE', 'POST']) {
      expect((await fetch(made.url ?? '', { method })).status, method).toBe(403);
    }
    expect(await objectsOf(made.id)).toEqual([1000]);
  });

  it('stores nothing after its time', async () => {
    const made = await create({ size_bytes: 1000 });
    await run('update uploads set expires_at = ? where id = ?', Date.now() + 2000, made.id);
    const shown = (await (
      await service.request(`/uploads/${made.id}`, { key: account.key })
    ).json()) as typeof made;
    expect(new URL(shown.url ?? '').searchParams.get('X-Amz-Expires')).toBe('1');
    await new Promise((resolve) => setTimeout(resolve, 2500));
    const late = await put(shown.url, mp4(), shown.headers);
    expect([late.status, await late.text()]).toEqual([403, expect.stringContaining('expired')]);
    expect(await objectsOf(made.id)).toEqual([]);
  });
});
