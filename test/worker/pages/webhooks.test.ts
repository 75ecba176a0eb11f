import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, startService } from '../../harness.ts';
import { type Receiver, startReceiver } from '../webhooks/receiver.ts';
import { rows } from './rows.ts';
import { somebody } from './somebody.ts';

let service: Service;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await startReceiver();
  service = await startService({
    ...{ TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'outbox', SIGN_UP: 'trial' },
    ...{ SPOOL_DEV_ORIGINS: receiver.origin, WEBHOOK_TIMEOUT_SECONDS: '3' },
  });
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

const patient = { timeout: 20_000 };
async function receiverOwner() {
  const one = await somebody(service);
  return { ...one, path: `${one.account}/webhooks` };
}

const endpointsOf = (id: string) =>
  rows<{ id: string; url: string; events: string | null }>(
    service,
    'select id, url, events from webhook_endpoints where account_id = ?',
    id,
  );

describe('endpoints', () => {
  it('are added, tested and removed, which the log of the account says', async () => {
    const one = await receiverOwner();
    const url = `${receiver.origin}/added?token=secret`;
    await one.browser.open(one.path);
    expect((await one.browser.submit(`${one.path}/endpoints`, { url, events: 'task.failed' })).path).toBe(
      one.path,
    );
    expect(one.browser.text).toContain('/added?');
    expect(one.browser.text).not.toContain('token=secret');
    const [endpoint] = await endpointsOf(one.id);
    expect(endpoint).toMatchObject({ url, events: '["task.failed"]' });
    const sent = await one.browser.submit(`${one.path}/test`, { endpoint: endpoint?.id ?? '' });
    expect(sent.path).toMatch(/\/webhooks\/deliveries\/whd_\w+$/);
    await expect.poll(() => receiver.at('/added?token=secret').length, patient).toBe(1);
    await expect
      .poll(async () => (await one.browser.open(sent.path)) && one.browser.text, patient)
      .toContain('204. The receiver accepted it.');
    expect(one.browser.text).toContain('&quot;type&quot;: &quot;webhook.test&quot;');
    await one.browser.open(one.path);
    await one.browser.submit(`${one.path}/endpoints/${endpoint?.id}/remove`);
    expect(await endpointsOf(one.id)).toEqual([]);
    expect((await one.browser.submit(`${one.path}/endpoints/${endpoint?.id}/remove`)).status).toBe(404);
    await one.browser.open(`${one.account}/log`);
    expect(one.browser.text).toContain('added the webhook endpoint');
    expect(one.browser.text).toContain('removed the webhook endpoint');
    expect(one.browser.text).not.toContain('token=secret');
  });

  it.each([
    ['http://hooks.example.com/', 'https'],
    ['https://10.0.0.1/', 'public'],
    ['https://user:pass@hooks.example.com/', ''],
    ['javascript:alert(1)', 'https'],
    ['nonsense', 'https'],
    ['', ''],
  ])('are refused at %j, and the field says why', async (url, said) => {
    const one = await receiverOwner();
    await one.browser.open(one.path);
    for (const form of ['endpoints', 'test']) {
      expect((await one.browser.submit(`${one.path}/${form}`, { url, events: 'task.failed' })).status).toBe(
        422,
      );
      expect(one.browser.text).toMatch(/aria-invalid="true" aria-describedby="(endpoint|test)-error"/);
      expect(one.browser.text).toContain(said);
    }
    expect(await endpointsOf(one.id)).toEqual([]);
  });

  it('of other accounts are neither tested nor removed, nor are their deliveries seen or repeated', async () => {
    const [one, thief] = [await receiverOwner(), await receiverOwner()];
    await one.browser.open(one.path);
    await one.browser.submit(`${one.path}/endpoints`, {
      url: `${receiver.origin}/own`,
      events: 'task.failed',
    });
    const [endpoint] = await endpointsOf(one.id);
    const { path } = await one.browser.submit(`${one.path}/test`, { endpoint: endpoint?.id ?? '' });
    await expect.poll(() => receiver.at('/own').length, patient).toBe(1);
    const delivery = path.split('/').at(-1);
    await thief.browser.open(thief.path);
    const { browser } = thief;
    expect((await browser.submit(`${thief.path}/test`, { endpoint: endpoint?.id ?? '' })).status).toBe(404);
    await browser.open(thief.path);
    expect((await browser.post(`${thief.path}/endpoints/${endpoint?.id}/remove`)).status).toBe(404);
    expect((await browser.post(`${thief.path}/deliveries/${delivery}/redeliver`)).status).toBe(404);
    expect((await browser.send(`${thief.path}/deliveries/${delivery}`)).status).toBe(404);
    expect(await endpointsOf(one.id)).toHaveLength(1);
    expect(receiver.at('/own')).toHaveLength(1);
  });
});

describe('the secret', () => {
  it('is shown once, signs deliveries, and stays valid for a day after it is rotated', async () => {
    const one = await receiverOwner();
    await one.browser.open(one.path);
    expect(one.browser.text).toContain('There is no secret yet');
    const rotate = async () => {
      await one.browser.open(one.path);
      expect((await one.browser.submit(`${one.path}/secret/rotate`)).status).toBe(200);
      return /whsec_[A-Za-z0-9+/]+=*/.exec(one.browser.text)?.[0] ?? '';
    };
    const [first, second] = [await rotate(), await rotate()];
    expect(second).not.toBe(first);
    await one.browser.open(one.path);
    expect(one.browser.text).not.toContain('whsec_');
    expect(one.browser.text).toContain('also signed with the previous secret until');
    await one.browser.submit(`${one.path}/test`, { url: `${receiver.origin}/signed` });
    await expect.poll(() => receiver.at('/signed').length, patient).toBe(1);
    const [{ body, headers } = { body: '', headers: {} }] = receiver.at('/signed');
    for (const secret of [first, second]) expect(new Webhook(secret).verify(body, headers)).toBeTruthy();
    await one.browser.open(`${one.account}/log`);
    expect(one.browser.text).toContain('rotated the webhook secret');
  });
});

describe('the form of the secret', () => {
  const secretsOf = (id: string) =>
    rows<{ expires_at: number | null }>(
      service,
      'select expires_at from webhook_secrets where account_id = ? order by created_at',
      id,
    );
  const secretIn = (text: string) => /whsec_[A-Za-z0-9+/]+=*/.exec(text)?.[0];

  it('rotates once, however often it is sent, shows the same secret, and says which answer did not make it', async () => {
    const one = await receiverOwner();
    const path = `${one.path}/secret/rotate`;
    for (const count of [1, 2]) {
      await one.browser.open(one.path);
      const fields = one.browser.hidden(path);
      const answers = await Promise.all([1, 2, 3].map(() => one.browser.post(path, fields)));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const texts = await Promise.all(answers.map((answer) => answer.text()));
      const shown = texts.map(secretIn);
      expect(new Set(shown).size).toBe(1);
      expect(texts.filter((text) => text.includes('Nothing was rotated again'))).toHaveLength(2);
      expect(shown[0]).toBeTruthy();
      expect(await secretsOf(one.id)).toHaveLength(count);
    }
    await one.browser.open(`${one.account}/log`);
    expect(one.browser.text.match(/rotated the webhook secret/g)).toHaveLength(2);
  });

  it('changes nothing once the secret is another one, or hours later', async () => {
    const one = await receiverOwner();
    const path = `${one.path}/secret/rotate`;
    const forms: Record<string, string>[] = [];
    for (let count = 0; count < 3; count++) {
      await one.browser.open(one.path);
      forms.push(one.browser.hidden(path));
      expect((await one.browser.submit(path, forms[count])).status).toBe(200);
    }
    const before = await secretsOf(one.id);
    const refused = async (form: Record<string, string> | undefined) => {
      await one.browser.open(one.path);
      expect((await one.browser.submit(path, form)).status).toBe(409);
      expect(secretIn(one.browser.text)).toBeUndefined();
      expect(one.browser.text).toContain('The secret was rotated already');
    };
    for (const form of forms.slice(0, 2)) await refused(form);
    expect(await secretsOf(one.id)).toEqual(before);
    await rows(
      service,
      'update webhook_secrets set created_at = created_at - 3600000 where account_id = ?',
      one.id,
    );
    await refused({ replaced: String(Number(forms[2]?.replaced) - 3600_000) });
    expect(await secretsOf(one.id)).toEqual(before);
  });
});

describe('the log of deliveries', () => {
  it('says how each ended, by status, and delivers again', async () => {
    const one = await receiverOwner();
    const answers = { status: 500 };
    receiver.answers.set('/flaky', (response) => response.writeHead(answers.status).end());
    await one.browser.open(one.path);
    const { path } = await one.browser.submit(`${one.path}/test`, { url: `${receiver.origin}/flaky` });
    await expect
      .poll(async () => (await one.browser.open(path)) && one.browser.text, patient)
      .toContain('500. The receiver answered with an error.');
    answers.status = 200;
    await one.browser.submit(`${path}/redeliver`);
    await expect
      .poll(async () => (await one.browser.open(path)) && one.browser.text, patient)
      .toContain('200. The receiver accepted it.');
    await one.browser.open(`${one.path}/deliveries?status=delivered`);
    expect(one.browser.text).toContain('/flaky');
    await one.browser.open(`${one.path}/deliveries?status=failed`);
    expect(one.browser.text).toContain('There is no delivery.');
    expect((await one.browser.open(`${one.path}/deliveries?cursor=nonsense`)).status).toBe(400);
  });

  it('says that too many tests are pending where another one cannot be delivered again', async () => {
    const one = await receiverOwner();
    for (const [count, status] of ['failed', ...Array(5).fill('pending')].entries()) {
      await rows(
        service,
        `insert into webhook_deliveries (id, account_id, event_id, type, url, status, attempts, step, created_at)
          values (?, ?, 'evt_1', 'webhook.test', 'https://hooks.example.com/', ?, 8, 8, ?)`,
        ...[`whd_${String(count).padStart(26, '1')}`, one.id, status, Date.now()],
      );
    }
    const failed = `${one.path}/deliveries/whd_${'0'.padStart(26, '1')}`;
    await one.browser.open(failed);
    expect((await one.browser.submit(`${failed}/redeliver`)).status).toBe(429);
    expect(one.browser.text).toContain('Too many tests');
  });

  it('has pages of fifty', async () => {
    const one = await receiverOwner();
    for (let count = 0; count < 55; count++) {
      await rows(
        service,
        `insert into webhook_deliveries (id, account_id, event_id, type, url, status, attempts, step, created_at)
          values (?, ?, 'evt_1', 'webhook.test', 'https://hooks.example.com/', 'failed', 8, 8, ?)`,
        ...[`whd_${String(count).padStart(26, '0')}`, one.id, Date.now()],
      );
    }
    await one.browser.open(`${one.path}/deliveries`);
    const listed = () => one.browser.text.match(/deliveries\/whd_/g)?.length;
    expect(listed()).toBe(50);
    const [, older = ''] = /<a href="([^"]*cursor=[^"]*)">Older/.exec(one.browser.text) ?? [];
    await one.browser.open(older.replaceAll('&amp;', '&'));
    expect(listed()).toBe(5);
    expect(one.browser.text).not.toContain('Older');
  });
});
