import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Service, sleep, startService } from '../../harness.ts';
import { makeCanary } from '../../log-canaries.ts';
import { Browser } from './browser.ts';

interface Sent {
  headers: Record<string, string | string[] | undefined>;
  mail: { from: string; to: string; subject: string; text: string };
}

let service: Service;
let server: Server;
const sent: Sent[] = [];
/** How the provider answers a mail to an address, by turns. */
const answers = new Map<string, number[]>();
const token = makeCanary();

beforeAll(async () => {
  server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const mail = JSON.parse(body) as Sent['mail'];
    sent.push({ headers: request.headers, mail });
    response.writeHead(answers.get(mail.to)?.shift() ?? 200).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  service = await startService({
    ...{ TRANSCODER_URL: 'http://127.0.0.1:9', MAIL: 'http', MAIL_URL: `http://127.0.0.1:${port}/emails` },
    ...{ MAIL_TOKEN: token, MAIL_FROM: 'Spool <hello@spool.example.com>' },
  });
});
afterAll(async () => {
  await service.close();
  await new Promise((resolve) => server.close(resolve));
});

const sentTo = (email: string) => sent.filter(({ mail }) => mail.to === email);

async function ask(email: string) {
  const browser = new Browser(service);
  await browser.open('/app/sign-in');
  expect((await browser.post('/app/sign-in', { email })).status).toBe(303);
  return browser;
}

describe('a mail through a provider', () => {
  it('arrives with sender, code and link, and its code signs in', async () => {
    const browser = await ask('ada@example.com');
    await expect.poll(() => sentTo('ada@example.com').length, { timeout: 20_000 }).toBe(1);
    const [{ mail, headers } = {} as Sent] = sentTo('ada@example.com');
    expect(headers.authorization).toBe(`Bearer ${token}`);
    expect(headers['idempotency-key']).toMatch(/^mail_/);
    expect(mail.from).toBe('Spool <hello@spool.example.com>');
    expect(mail.text).toContain(`${service.url.origin}/app/sign-in/link?token=`);
    await browser.open('/app/sign-in/code');
    const code = /\d{6}/.exec(mail.subject)?.[0] ?? '';
    expect((await browser.submit('/app/sign-in/code', { code })).path).toMatch(/home$/);
  });

  it('is tried again while the provider fails, as the same mail', { timeout: 120_000 }, async () => {
    answers.set('again@example.com', [503]);
    await ask('again@example.com');
    await expect.poll(() => sentTo('again@example.com').length, { timeout: 90_000 }).toBe(2);
    const [first, second] = sentTo('again@example.com');
    expect(second?.mail).toEqual(first?.mail);
    expect(second?.headers['idempotency-key']).toBe(first?.headers['idempotency-key']);
  });

  it('that the provider refuses is dropped, and the page says nothing of it', async () => {
    answers.set('refused@example.com', [422, 422, 422]);
    await ask('refused@example.com');
    await expect.poll(() => sentTo('refused@example.com').length, { timeout: 20_000 }).toBe(1);
    await sleep(1500);
    expect(sentTo('refused@example.com')).toHaveLength(1);
  });
});

describe('the outbox', () => {
  it('does not exist where mail is sent', async () => {
    expect((await service.request('/app/outbox')).status).toBe(404);
  });
});

describe('a service without mail', () => {
  let quiet: Service;
  beforeAll(async () => {
    quiet = await startService({ TRANSCODER_URL: 'http://127.0.0.1:9' });
  });
  afterAll(() => quiet.close());

  it('says how to get in, and keeps no mail anywhere', async () => {
    const browser = new Browser(quiet);
    await browser.open('/app/sign-in');
    expect(browser.text).toContain('npm run admin -- invite');
    expect((await quiet.request('/app/outbox')).status).toBe(404);
  });
});
