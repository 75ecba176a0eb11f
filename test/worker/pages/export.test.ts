import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../harness.ts';
import type { Browser } from './browser.ts';
import { rows } from './rows.ts';
import { makeKey, somebody } from './somebody.ts';
import { fill } from './whole-account.ts';

let service: Service;

beforeAll(async () => {
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', SIGN_UP: 'trial' });
});
afterAll(() => service.close());

async function exported({ browser }: { browser: Browser }, path: string) {
  const response = await browser.send(path);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename="[\w.-]+\.json"$/);
  const text = await response.text();
  return { text, data: JSON.parse(text) as Record<string, unknown> };
}

const addTasks = (id: string, count: number) =>
  rows(
    service,
    `with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < ?)
      insert into tasks (id, account_id, seq, request_id, operation, status, stage, progress_percent, attempt, input,
        metadata, created_at, completed_at)
      select printf('task_%026d', 700000 + n), ?, n, 'req', 'cut', 'failed', 'done', 0, 1, '{}', '{}', n, n from numbers`,
    ...[count, id],
  );

describe('the export of an account', () => {
  it('has everything that is stored, and no secret', async () => {
    const one = await somebody(service);
    const key = await makeKey(one);
    await fill(service, one.id);
    await rows(service, 'delete from archive_chunks where account_id = ?', one.id);
    await rows(service, "update tasks set result = null, status = 'failed' where account_id = ?", one.id);
    const { text, data } = await exported(one, `${one.account}/export`);
    expect(data).toMatchObject({
      object: 'account_export',
      account: { id: one.id, name: one.email, plan: 'basic' },
      members: [{ email: one.email, role: 'owner' }],
      invitations: [{ email: 'guest@example.com' }],
      webhook_endpoints: [{ object: 'webhook_endpoint' }],
      usage: [{ day: '2026-11-01', operation: 'cut', completed: 1 }],
      tasks_next_cursor: null,
    });
    expect((data.keys as { label: string }[]).map(({ label }) => label).sort()).toEqual(['CI', 'x']);
    expect(data.tasks).toHaveLength(2);
    expect((data.log as { action: string }[]).map(({ action }) => action)).toContain('key.created');
    const hashes = await rows<{ hash: string }>(
      service,
      'select hash from keys where account_id = ?',
      one.id,
    );
    for (const secret of [
      key,
      key.slice(-40),
      'sealed',
      ...hashes.map(({ hash }) => hash).filter((h) => h.length > 30),
    ]) {
      expect(text).not.toContain(secret);
    }
    await one.browser.open(`${one.account}/log`);
    expect(one.browser.text).toContain('exported the data of the account');
  });

  it('has at most 10,000 tasks in a file, and the next one goes on', async () => {
    const one = await somebody(service);
    await addTasks(one.id, 10_050);
    const first = (await exported(one, `${one.account}/export`)).data;
    expect(first.tasks).toHaveLength(10_000);
    const cursor = String(first.tasks_next_cursor);
    const second = (await exported(one, `${one.account}/export?cursor=${encodeURIComponent(cursor)}`)).data;
    expect(second.tasks).toHaveLength(50);
    expect(second.members).toBeUndefined();
    expect(second.tasks_next_cursor).toBeNull();
    const ids = [...(first.tasks as { id: string }[]), ...(second.tasks as { id: string }[])].map(
      ({ id }) => id,
    );
    expect(new Set(ids).size).toBe(10_050);
    expect((await one.browser.open(`${one.account}/export?cursor=!`)).status).toBe(400);
  }, 120_000);
});

describe('the export of a person', () => {
  it('has sessions, ways to sign in and accounts, and no secret', async () => {
    const one = await somebody(service);
    const { text, data } = await exported(one, '/app/settings/export');
    expect(data).toMatchObject({
      person: { email: one.email },
      sessions: [{ agent: 'Firefox on Linux' }],
      accounts: [{ id: one.id, role: 'owner' }],
    });
    const [session] = await rows<{ hash: string }>(
      service,
      'select hash from sessions where person_id = (select id from people where email = ?)',
      one.email,
    );
    expect(text).not.toContain(session?.hash);
    for (const cookie of one.browser.cookies.values()) expect(text).not.toContain(cookie);
  });
});

describe('the page to connect', () => {
  it('has snippets with the address of the service, and never a key', async () => {
    const one = await somebody(service);
    await one.browser.open(`${one.account}/connect`);
    const blocks = [
      ...one.browser.text.matchAll(/<figcaption>([^<]*)<\/figcaption><pre[^>]*><code>([^<]*)<\/code>/g),
    ];
    const plain = (text = '') =>
      text
        .replaceAll('&quot;', '"')
        .replaceAll('&#39;', "'")
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&');
    const texts = new Map(blocks.map(([, title = '', text]) => [title, plain(text)]));
    expect([...texts.keys()]).toEqual([
      ...[
        'Shell',
        'Claude Code',
        'Claude Desktop',
        'Cursor',
        'VS Code',
        'Codex',
        'Gemini CLI',
        'Windsurf',
        'Other clients',
        'curl',
        'TypeScript',
        'Python',
      ],
    ]);
    for (const title of ['Claude Desktop', 'Cursor', 'VS Code', 'Gemini CLI', 'Windsurf', 'Other clients']) {
      const config = JSON.parse(texts.get(title) ?? '') as Record<string, { spool?: object }>;
      const { spool } = config.mcpServers ?? config.servers ?? {};
      expect([title, Object.values(spool ?? {}).flat()]).toEqual([
        title,
        expect.arrayContaining([`${service.url.origin}/mcp`]),
      ]);
    }
    for (const [title, text] of texts) {
      if (title !== 'Shell')
        expect([title, text]).toEqual([title, expect.stringContaining(service.url.origin)]);
    }
    expect(one.browser.text).not.toContain('spool_live_');
  });
});
