import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Service, startService } from '../../harness.ts';
import { rows } from './rows.ts';
import { somebody } from './somebody.ts';

let service: Service;

beforeAll(async () => {
  service = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', SIGN_UP: 'trial' });
});
afterAll(() => service.close());

it('the log shows every change on its pages, however many came after it', async () => {
  const [one, other] = [await somebody(service), await somebody(service)];
  await rows(
    service,
    `with recursive number(n) as (select 1 union all select n + 1 from number where n < 250)
     insert into audit_events (id, account_id, actor, action, subject, created_at)
     select printf('aud_z%025d', n), ?1, 'x', 'key.rolled', n, ?2 from number`,
    ...[one.id, Date.now()],
  );
  const shown: string[] = [];
  let path = `${one.account}/log`;
  for (let page = 0; page < 3; page++) {
    await one.browser.open(path);
    const { text } = one.browser;
    shown.push(...[...text.matchAll(/<\/strong> ([^<]*)<\/span>/g)].map(([, change = '']) => change));
    path = /rel="next" href="([^"]*)"/.exec(text)?.[1] ?? '';
  }
  expect(path, 'a page after the last').toBe('');
  const rolled = Array.from({ length: 250 }, (_, index) => `rolled the key ${250 - index}`);
  expect(shown).toEqual([...rolled, `created the account ${one.email}`]);
  await other.browser.open(`${other.account}/log?before=${encodeURIComponent('aud_zzz" onload="x')}`);
  expect(other.browser.text).toContain(`created the account ${other.email}`);
});
